internal import ItemMapping
internal import ServerAPI

extension ListModel {
  /// The model is held weakly while the request runs, and anew for each thing that is told, so that it
  /// can go at any moment.
  func send(_ number: Int, _ kind: LoadKind, _ key: PageKey) {
    let early = ahead.removeValue(forKey: key)
    let wish = wish(for: key, itemsPath: kind.makesAnew ? nil : foundPath)
    requests[number] = Task { [weak self, loader] in
      do throws(LoadError) {
        let page = if let early { try await early.page() } else { try await loader.load(wish) }
        self?.arrived(number, page)
      } catch {
        self?.failed(number, error)
      }
      Self.deliver { self }
    }
  }

  private func wish(for key: PageKey, itemsPath: JSONPath?) -> PageLoader<Item>.Wish {
    var call = template
    prepare(&call)
    return PageLoader.Wish(
      key: key, call: call, paging: paging(for: key), itemsPath: itemsPath)
  }

  /// Asks for the pages behind one that is under way, as far as they can be worked out and are known to
  /// be there.
  func lookAhead(of key: PageKey) {
    guard parallelPages > 1, let total = page?.facts.total,
      let pagesLeft = paging(for: key).strategy.pages(behind: key, of: total), pagesLeft > 0
    else { return }
    for step in 1...min(pagesLeft, parallelPages - 1) {
      guard let key = paging(for: key).strategy.key(step, after: key) else { return }
      if ahead[key] == nil { ahead[key] = AheadPage(loader, wish(for: key, itemsPath: foundPath)) }
    }
  }

  private func arrived(_ number: Int, _ loaded: LoadedPage<Item>) {
    requests[number] = nil
    guard let kind = brain.kind(of: number) else { return carryOut(decide { $0.discard() }) }
    page = loaded.page
    foundPath = loaded.itemsPath ?? foundPath
    recognised = loaded.recognised ?? recognised
    var report = PageReport(kind: kind)
    report.filtered = loaded.filtered
    report.mapping = loaded.page.report
    report.problems = loaded.page.facts.problems
    report.envelope = loaded.envelopeReport
    carryOut(
      decide { $0.arrived(number, loaded.rows, loaded.page.facts, report) }, applying: loaded.page)
  }

  private func failed(_ number: Int, _ error: LoadError) {
    requests[number] = nil
    if case .request(let error) = error, case .cancelled(let reason) = error.kind {
      carryOut(decide { $0.ended(number, because: reason) })
    } else {
      carryOut(decide { $0.failed(number, error) })
    }
  }

  /// What a page is asked by: as declared, or behind the first page as recognised.
  private func paging(for key: PageKey) -> Paging {
    switch key.place {
    case .start, .trial: paging
    default: recognised?.paging ?? paging
    }
  }
}
