internal import ItemMapping
internal import ServerAPI

extension PageLoader {
  /// Asks one way after the other until an answer shows what the server speaks.
  func tryOut(
    _ trial: PageKey.Trial, _ request: Request
  ) async throws(LoadError) -> sending LoadedPage<Item> {
    var trial = trial
    while true {
      var request = request
      request.paging = trial.candidate.paging
      request.key = trial.candidate.key
      let verdict: TrialVerdict
      if let answer = try await self.answer(toTrial: request) {
        verdict = trial.judge(answer)
        if case .accepted(let recognized, let repeated) = verdict {
          // Mapped once more, and only now that it is known what the rows are.
          let start = server.configuration.time.now()
          let read = try reader.read(answer.response, found: request.itemsPath)
          var page = try page(
            read, answer, recognized.paging.strategy.facts(in: answer), repeated: repeated)
          page.recognized = recognized
          // A kept page is read again later, and the trial is not known then.
          page.answer = nil
          noteDecoding(since: start, page)
          return page
        }
      } else {
        verdict = trial.refused()
      }
      switch verdict {
      case .next(let others): trial = others
      case .end(let recognized):
        var page = empty(request, PageFacts(next: .end))
        page.recognized = recognized
        return page
      case .stopped(let error): return empty(request, PageFacts(next: .stopped(error)))
      case .accepted: preconditionFailure("an accepted page was returned")
      }
    }
  }

  /// The answer to one way; `nil` where the server does not take it.
  private func answer(toTrial request: Request) async throws(LoadError) -> PageResponse? {
    do throws(LoadError) {
      let (call, response) = try await answer(to: request)
      guard let response else { return nil }
      let read = try reader.read(response, found: request.itemsPath)
      return self.answer(request, call, response, read)
    } catch {
      switch error {
      case .request(let error):
        if case .status(let status) = error.kind, [400, 404, 405, 414, 422, 501].contains(status) {
          return nil
        }
        throw .request(error)
      case .mapping, .paging, .decoding: return nil
      }
    }
  }
}
