import Foundation
import Quire
import UIKit

@testable import QuireUIUnderTest

/// A screen of the list, as a program writes it.
final class RowsTable: ListTableViewController<Row> {
  override func viewDidLoad() {
    super.viewDidLoad()
    binding?.register(LoudTableCell.self, for: "loud")
  }

  override func show(_ row: Row, in cell: UITableViewCell, at position: RowPosition) {
    var content = cell.defaultContentConfiguration()
    content.text = "\(row)"
    cell.contentConfiguration = content
  }
}

/// A list in a table.
@MainActor final class TableScreen: TestScreen {
  let world: ListWorld
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))
  private(set) var controller: RowsTable
  private(set) var isAttached = true

  init(_ world: ListWorld) {
    self.world = world
    controller = RowsTable(world.controller)
    appear()
  }

  var table: UITableView { controller.tableView }
  var placeholder: PlaceholderView? {
    table.subviews.lazy.compactMap { $0 as? PlaceholderView }.first
  }
  var footer: ListFooterView? { table.tableFooterView as? ListFooterView }

  func text(at path: IndexPath) -> String? {
    guard let cell = table.cellForRow(at: path) else { return nil }
    if let loud = cell as? LoudTableCell { return loud.text }
    return (cell.contentConfiguration as? UIListContentConfiguration)?.text
  }

  func difference() -> String? {
    controller.lay()
    let rows = isAttached ? world.texts : []
    guard table.shownCounts == rows.map(\.count) else {
      return "\(table.shownCounts) rows are shown, not \(rows)"
    }
    for path in table.indexPathsForVisibleRows ?? [] {
      let shown = text(at: path)
      if shown != rows[path.section][path.row] {
        return "\(path) shows \(shown ?? "nothing"), not \(rows[path.section][path.row])"
      }
    }
    guard isAttached else { return nil }
    return surroundings(
      table, placeholder: placeholder, footer: footer, list: world.controller)
  }

  func cell(at position: RowPosition) -> AnyObject? { table.cellForRow(at: IndexPath(position)) }
  var firstVisibleText: String? { table.indexPathsForVisibleRows?.first.flatMap(text) }
  func appear() { controller.appear(in: window) }
  func disappear() { controller.disappear() }

  func attach() {
    controller.binding?.attach()
    isAttached = true
  }

  func detach() {
    controller.binding?.detach()
    isAttached = false
  }

  func resize(to width: Double) { controller.rotate(to: width) }
  func scroll(to part: Double) { table.drag(to: table.contentSize.height * part) }
  func pull() async { table.refreshControl?.pull() }
  var footerText: String? { footer?.label.text }
  func tapFooter() { footer?.sendActions(for: .touchUpInside) }
  var failure: RefreshFailureView? {
    table.subviews.lazy.compactMap { $0 as? RefreshFailureView }.first
  }
  var failureText: String? { failure?.label.text }
  func tapFailure() { failure?.sendActions(for: .touchUpInside) }
  var newRows: NewRowsView? {
    table.subviews.lazy.compactMap { $0 as? NewRowsView }.first
  }
  var newRowsText: String? { newRows?.label.text }
  func tapNewRows() { newRows?.sendActions(for: .touchUpInside) }
  func tapPlaceholder() { placeholder?.button.sendActions(for: .touchUpInside) }
  func delete(_ position: RowPosition) { table.confirmEditing(IndexPath(position)) }

  func move(_ from: RowPosition, to: RowPosition, meanwhile: () async -> Void) async {
    guard table.beginDrag(IndexPath(from)) else { return }
    table.drag(over: IndexPath(to))
    await meanwhile()
    table.drop()
    await Task.yield()
  }

  func swipe(_ position: RowPosition) {
    table.swipe(IndexPath(position), leading: true)?.actions.first?.choose()
  }

  func renew() {
    controller.disappear()
    controller = RowsTable(world.controller)
    appear()
    isAttached = true
  }
}

/// Compares what is around the rows of a scroll view with the states of the list.
@MainActor func surroundings(
  _ view: UIScrollView, placeholder: PlaceholderView?, footer: ListFooterView?,
  list: ListController<Row>
) -> String? {
  if (placeholder != nil) != (list.placeholder != nil) {
    return "the placeholder is \(list.placeholder?.body as Any)"
  }
  if case .parts(let parts)? = list.placeholder?.body, placeholder?.message.text != parts.message {
    return "the placeholder says \(placeholder?.message.text ?? "nothing")"
  }
  let failure = view.subviews.first { $0 is RefreshFailureView }
  if (failure != nil) != (list.refreshFailure != nil) {
    return "the failure of a refresh is \(list.refreshFailure as Any)"
  }
  let newRows = view.subviews.lazy.compactMap { $0 as? NewRowsView }.first
  if newRows?.label.text != list.newRows.map({ "\($0)" }) {
    return "the new rows are \(list.newRows as Any)"
  }
  if (footer != nil) != (list.footer != .hidden) { return "the footer is \(list.footer)" }
  if footer?.spinner.isAnimating != footer.map({ _ in list.footer == .loading }) {
    return "the spinner is wrong for \(list.footer)"
  }
  if (view.refreshControl?.isRefreshing ?? false) != (list.header == .loading) {
    return "the refresh control is wrong for \(list.header)"
  }
  return nil
}
