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
    while true {
      if model.refreshState == .loading {
        _ = await model.refresh().outcome
      } else if model.state(of: .next) == .loading {
        _ = await model.loadNextPage().outcome
      } else if model.state(of: .previous) == .loading {
        _ = await model.loadPreviousPage().outcome
      } else if let gap = model.gaps.first(where: { model.state(ofGap: $0.id) == .loading }) {
        _ = await model.loadGap(gap.id).outcome
      } else {
        break
      }
    }
    await model.eventsDelivered()
  }

  /// Waits for the refresh of the screen without joining it, which would replace all rows.
  func refreshed() async {
    while model.refreshState == .loading { await Task.yield() }
    await model.eventsDelivered()
  }

  /// The texts of the rows that the controller shows.
  var texts: [[String]] { controller.sections.sections.map { $0.rows.map(text) } }

  private func text(_ row: ListRow<Row>) -> String {
    switch row {
    case .item(let item): item.description
    case .notLoaded: "…"
    case .gap(let gap) where gap.unavailable != nil:
      "Rows are missing here, and the server no longer has them."
    case .gap(let gap):
      switch model.state(ofGap: gap.id) {
      case .loading: "Loading…"
      case .failed: "The rows that are missing here could not be loaded. Tap to try again."
      case .idle, .stillSearching, .reachedEnd: "Rows are missing here. Tap to load them."
      }
    }
  }

  /// The states of the gaps, which rows show.
  private var gapStates: [LoadState] { model.gaps.map { model.state(ofGap: $0.id) } }

  /// Waits until the screen has heard of everything that happened, also of what happened in the meantime.
  func delivered() async {
    var before: [LoadState]
    repeat {
      before = gapStates
      await model.eventsDelivered()
    } while gapStates != before
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
