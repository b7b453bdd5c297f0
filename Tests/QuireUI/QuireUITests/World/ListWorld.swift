import Quire
import QuireTesting
import UIKit

/// A list over a server in memory, its controller, and what the user's code does with rows.
@MainActor final class ListWorld: ListControllerDelegate {
  let shelf: Shelf
  let model: ListModel<Row>
  let controller: ListController<Row>
  var actions: [RowAction] = []
  /// How often each row was shown and not hidden since.
  var shows: [Int: Int] = [:]
  var swipes: [RowAction.Swipe] = []
  var edits: RowAction? = .delete

  init(_ shelf: Shelf, _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }) {
    self.shelf = shelf
    let transport = MockTransport { request in
      shelf.respond(to: request.query["page"].flatMap { Int($0) } ?? 0)
    }
    model = ListModel(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", items: "rows",
      paging: .pageNumber(size: Shelf.pageSize, first: 0, endsBy: .hasNext("more")))
    controller = ListController(model, kinds: Self.kinds, configure: configure)
    controller.delegate = self
  }

  /// Two kinds of cells, between which rows change; some heights are no heights.
  private static var kinds: CellKinds<Row> {
    var kinds = CellKinds<Row> {
      $0.height = { row, width in
        row.id % 7 == 0 ? .nan : row.id % 5 == 0 ? -3 : row.id % 3 == 0 ? .infinity : width / 8
      }
    }
    kinds.choose = { $0.isLoud ? "loud" : .standard }
    kinds.add("loud", for: Row.self) {
      $0.configure((any LoudCell).self) { cell, row, _ in cell.text = "\(row)" }
      $0.height = { _, width in width < 400 ? 80 : 40 }
    }
    return kinds
  }

  // MARK: - What the user's code does

  func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
    if action != .show, action != .hide { actions.append(action) }
    guard let row = item else { return false }
    if action == .show { shows[row.id, default: 0] += 1 }
    if action == .hide { shows[row.id, default: 0] -= 1 }
    switch action {
    case .delete: return (try? model.edit(.remove(RowID(row.id)))) != nil
    case .move(let place):
      guard let target = controller.item(at: place), target != row else { return false }
      let before = model.rows.items.map(\.id)
      _ = try? model.edit(.move(RowID(row.id), to: .before(RowID(target.id))))
      return model.rows.items.map(\.id) != before
    case .swipe("loud"):
      var loud = row
      loud.text = row.isLoud ? "" : "!"
      return (try? model.edit(.update(RowID(row.id), loud))) != nil
    default: return action == .select
    }
  }

  func editing(of item: Row?, at position: RowPosition) -> RowAction? { edits }
  func canMove(_ item: Row?, at position: RowPosition) -> Bool { true }
  func swipeActions(
    for item: Row?, at position: RowPosition, on edge: RowAction.Swipe.Edge
  ) -> [RowAction.Swipe] { edge == .leading ? swipes : [] }

  // MARK: - Waiting

  /// Waits until the list is idle, by joining its loads, and its view has every change.
  func settle() async {
    var requests: Int
    repeat {
      requests = shelf.requests
      while let load = runningLoad { _ = await load.outcome }
      await model.eventsDelivered()
      // A screen that hears of the end of a load may begin the next one.
    } while runningLoad != nil || shelf.requests != requests
  }

  private var runningLoad: Load? {
    if model.refreshState == .loading { return model.refresh() }
    if model.state(of: .next) == .loading { return model.loadNextPage() }
    if model.state(of: .previous) == .loading { return model.loadPreviousPage() }
    return model.gaps.first { model.state(ofGap: $0.id) == .loading }.map { model.loadGap($0.id) }
  }

  /// Waits for the refresh of the screen without joining it, which would replace all rows.
  func refreshed() async {
    while model.refreshState == .loading { await Task.yield() }
    await model.eventsDelivered()
  }

  /// The texts of the rows that the controller shows.
  var texts: [[String]] {
    controller.sections.sections.enumerated().map { number, section in
      section.rows.enumerated().map { row, shown in
        switch shown {
        case .item(let item): item.description
        case .notLoaded: "…"
        case .gap: controller.content(at: RowPosition(section: number, row: row))?.title ?? "nothing"
        }
      }
    }
  }

  /// What is wrong with the texts of the gaps once the list is settled.
  var gapDifference: String? {
    let shown = texts
    for (number, section) in controller.sections.sections.enumerated() {
      for case (let row, .gap(let gap)) in section.rows.enumerated() where shown[number][row] != text(of: gap) {
        return "\(gap) says \(shown[number][row]), not \(text(of: gap))"
      }
    }
    return nil
  }

  private func text(of gap: ListGap) -> String {
    if gap.unavailable != nil { return "Rows are missing here, and the server no longer has them." }
    return switch model.state(ofGap: gap.id) {
    case .loading: "Loading…"
    case .failed: "The rows that are missing here could not be loaded. Tap to try again."
    case .idle, .stillSearching, .reachedEnd: "Rows are missing here. Tap to load them."
    }
  }
}

/// Shows a text in a way of its own.
protocol LoudCell: AnyObject {
  @MainActor var text: String { get set }
}

final class LoudTableCell: UITableViewCell, LoudCell {
  var text = ""
  override func prepareForReuse() { text = "" }
}

final class LoudItemCell: UICollectionViewCell, LoudCell {
  var text = ""
  override func prepareForReuse() { text = "" }
}
