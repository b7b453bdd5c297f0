import ItemMapping
import ListModel
import ListReading
import ServerAPI

/// A delegate that checks the event contract of a list: calls on the main actor, one finish for each
/// start, success or failure or cancel between them, and changes that lead to the rows.
@MainActor final class ContractKeeper: ListModelDelegate {
  private(set) var broken: [String] = []
  private(set) var calls = 0
  private var rows: [Int] = []
  /// Loads that started and have not finished, and whether they have ended.
  private var running: [LoadKind: Bool] = [:]
  /// Runs inside each call.
  var onCall: (() -> Void)?

  var isAtRest: Bool { running.isEmpty }

  private func check(_ isTrue: Bool, _ what: String) {
    if !isTrue { broken.append(what) }
  }

  private func called(_ model: ListModel<CatalogueRow>) {
    MainActor.assertIsolated()
    calls += 1
    check(model.ids == rows, "the rows are not those of the changes so far")
    onCall?()
  }

  private func end(_ kind: LoadKind, _ how: String) {
    check(running[kind] == false, "\(how) of \(kind), which did not run")
    running[kind] = true
  }

  func listModel(_ model: ListModel<CatalogueRow>, didStart kind: LoadKind) {
    check(running[kind] == nil, "\(kind) started twice")
    running[kind] = false
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, didChange change: ListChange) {
    let now = model.ids
    if let changed = change.applied(to: rows, new: { now[$0] }) {
      rows = changed
    } else {
      broken.append("\(change) does not fit \(rows.count) rows")
    }
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, refreshDidSucceed kind: LoadKind) {
    end(kind, "success")
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, loadDidSucceed kind: LoadKind) {
    end(kind, "success")
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, didUpdateFreshness freshness: Freshness) {
    check(model.freshness == freshness, "the freshness of the list differs from the reported one")
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, didReachEnd end: ListEnd) { called(model) }
  func listModel(_ model: ListModel<CatalogueRow>, didReachStart end: ListEnd) { called(model) }

  func listModel(_ model: ListModel<CatalogueRow>, didFail kind: LoadKind, error: LoadError) {
    end(kind, "failure")
    called(model)
  }

  func listModel(
    _ model: ListModel<CatalogueRow>, didCancel kind: LoadKind, reason: RequestError.CancelReason
  ) {
    end(kind, "cancel")
    called(model)
  }

  func listModel(_ model: ListModel<CatalogueRow>, didFinish kind: LoadKind) {
    // A load beyond the end finishes without a start.
    if let hasEnded = running.removeValue(forKey: kind) {
      check(hasEnded, "\(kind) finished without success, failure or cancel")
    }
    called(model)
  }
}
