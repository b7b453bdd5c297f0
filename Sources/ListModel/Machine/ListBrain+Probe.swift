internal import ItemMapping
internal import ListReading
internal import ServerAPI

/// A look for new rows above the list. It changes neither the rows nor what is known of them.
extension ListBrain {
  /// What a probe that is asked for needs.
  enum ProbeStep: Hashable {
    /// The first page is requested; its response is reported under this number.
    case request(number: Int, PageKey)
    /// The probe joins the running one, or waits for a load that replaces all rows.
    case wait
    /// The list has no first page or no ids, so that nothing can be compared.
    case notNeeded
  }

  /// Starts a probe, or joins the running one.
  mutating func beginProbe() -> ProbeStep {
    guard machine.rebuild == nil else {
      probe.wait()
      return .wait
    }
    if case .running = probe.state { return .wait }
    probe.end()
    guard canProbe else { return .notNeeded }
    return .request(number: probe.begin(), machine.first)
  }

  /// Whether the list starts with the first page of the server, and its rows have ids.
  var canProbe: Bool {
    guard let extent = machine.extent else { return false }
    let first = store.tree.first
    let startsList = extent.startsList || (first?.key ?? extent.lastKeys[.previous]) == machine.first
    return startsList && first.map { $0.ids != nil || $0.count == 0 } ?? true
  }

  /// Handles the first page of the server. Returns the effects of a change of the new rows.
  mutating func probed(_ number: Int, _ page: LoadedPage<Item>) -> [ListEffect] {
    guard probe.end(number) else { return [] }
    guard isNewer(page), let all = page.rows.ids else { return [] }
    // A row that the page repeats is one row, and one that the program removes is not new.
    var seen = Set<RowID>(minimumCapacity: all.count)
    let ids = all.filter { seen.insert($0).inserted && !store.edits.isRemoving($0) }
    let above = RowsAbove(
      places: ids.map { store.position(of: $0) }, isAll: page.page.facts.next == .end)
    let before = probe.newRows
    probe.find(above.new.map { ids[$0] }, isAtLeast: above.isAtLeast)
    return notice(ofNewRowsAfter: before)
  }

  /// Takes in the effects of another decision, and returns them with those on the new rows. A load that replaces all rows
  /// ends a probe, and when it succeeds, no rows are new.
  mutating func follow(_ effects: [ListEffect]) -> [ListEffect] {
    let isRefreshed = effects.contains {
      if case .notify(.didSucceed(let kind)) = $0 { kind.replacesList } else { false }
    }
    var followed: [ListEffect] = []
    followed.reserveCapacity(effects.count + 1)
    for effect in effects {
      let before = probe.newRows
      switch effect {
      case .notify(.didStart(let kind)) where kind.replacesList:
        if case .running = probe.state { probe.wait() }
      case .notify(.didSucceed(let kind)) where kind.replacesList && kind != .restore: probe.forgetAll()
      case .notify(.didReset): probe.forgetAll()
      case .notify(.didChange) where !isRefreshed:
        // The program or another page may have added a row that was found.
        probe.forget { store.contains($0) }
      case .notify(.didChange): probe.find([], isAtLeast: false)
      default: break
      }
      let notice = notice(ofNewRowsAfter: before)
      if case .notify(.didChange) = effect { followed += [effect] + notice } else { followed += notice + [effect] }
    }
    return followed
  }

  private func notice(ofNewRowsAfter old: NewRows?) -> [ListEffect] {
    probe.newRows == old ? [] : [.notify(.didUpdateNewRows(probe.newRows))]
  }
}
