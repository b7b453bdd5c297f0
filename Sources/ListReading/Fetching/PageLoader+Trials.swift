internal import ItemMapping
internal import ServerAPI

extension PageLoader {
  /// Requests one candidate after the other until a response shows how the server pages.
  func runTrial(
    _ trial: PageKey.Trial, _ request: Request
  ) async throws(LoadError) -> sending LoadedPage<Item> {
    var trial = trial
    // What pages without new rows say counts once it is known that they are pages of the list.
    var known: [(candidate: PageKey.Trial.Candidate, page: PageResponse)] = []
    while true {
      var request = request
      request.hints.first = nil
      // Another paging may read other facts than the first page did.
      request.shape = nil
      request.paging = trial.candidate.paging
      request.key = trial.candidate.key
      let verdict: TrialVerdict
      if var pageResponse = try await self.pageResponse(toTrial: request) {
        verdict = trial.judge(pageResponse)
        let isFirst = trial.candidate.key.place == .number(0)
        if pageResponse.count == 0 || isFirst && pageResponse.rows.map(trial.isSamePage) == true {
          known.append((trial.candidate, pageResponse))
        }
        if case .accepted(let recognized, var key, let repeated) = verdict {
          // The page before it is the first one.
          if key.full == nil { key.full = FullSize(rows: trial.seen.count) }
          pageResponse.key = key
          // Read again, now that it is known which rows are new.
          let start = server.time.now()
          let (document, partial) = try judged(
            pageResponse.response, to: pageResponse.call, request)
          let read = try reader.read(
            pageResponse.response, to: pageResponse.call.method, found: request.itemsPath,
            parsed: document)
          var facts = reviewed(pageResponse, recognized, request)
          facts.partial = partial
          facts.startsInside = repeated > 0
          var page = try page(read, pageResponse, facts, repeated: repeated)
          page.recognized = recognized
          page.trials = trial.attempts(ending: .accepted)
          // A kept page is read again later, when the trial is no longer known.
          page.stored = nil
          noteDecoding(since: start, page)
          return page
        }
      } else {
        verdict = trial.rejected()
      }
      switch verdict {
      case .next(let others): trial = others
      case .end(let recognized):
        var facts = PageFacts(next: .end)
        facts.endSign = .silent
        facts.denyNext(at: recognized.paging.strategy.placeOfNext)
        for (other, page) in known
        where other.paging.asks(like: trial.candidate.paging, for: other.key) {
          if page.count == 0 {
            facts.addMore(from: Evidence(page))
          } else {
            facts.addPages(afterFirst: Evidence(page))
          }
        }
        var page = self.empty(request, facts)
        page.recognized = recognized
        page.trials = trial.attempts(ending: .end)
        return page
      case .stopped(let error, let tried):
        var page = self.empty(request, PageFacts(next: trial.said == nil ? .stopped(error) : .end))
        page.page.facts.endMember = trial.said
        page.trials = tried
        return page
      case .accepted: preconditionFailure("an accepted page was returned")
      }
    }
  }

  /// Returns the facts of an accepted page.
  private func reviewed(
    _ page: PageResponse, _ recognized: RecognizedPaging, _ request: Request
  ) -> PageFacts {
    var request = request
    (request.paging, request.isRecognized) = (recognized.paging, true)
    return request.reviewing(recognized.paging.strategy.checkedRecognition(in: page).facts, page)
  }

  /// The statuses with which a server refuses a candidate.
  static var refusals: Set<Int> { [400, 404, 405, 414, 422, 501] }

  /// Returns the response to one candidate; `nil` where the server rejects it.
  private func pageResponse(toTrial request: Request) async throws(LoadError) -> PageResponse? {
    do throws(LoadError) {
      let call = try self.call(for: request)
      guard case .response(let response) = try await outcome(of: call, request) else { return nil }
      do throws(LoadError) {
        let read = try response.read { response throws(LoadError) in
          try reader.read(response, to: call.method, found: request.itemsPath)
        }
        return pageResponse(request, call, response, read)
      } catch {
        let (call, other) = try await self.response(
          inPlaceOf: response, to: call, request, after: error)
        let read = try reader.read(other, to: call.method, found: request.itemsPath)
        return pageResponse(request, call, other, read)
      }
    } catch {
      switch error {
      // Of the candidates, the cache has only those that the server accepted.
      case .request(let error) where error.kind == .notStored: return nil
      case .request(let error):
        if case .status(let status) = error.kind, Self.refusals.contains(status) {
          return nil
        }
        if case .business = error.kind, !error.kind.isTemporaryFailureOfService { return nil }
        throw .request(error)
      case .mapping, .paging, .decoding, .custom: return nil
      }
    }
  }
}
