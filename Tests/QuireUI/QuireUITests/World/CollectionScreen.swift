import Foundation
import Quire
import UIKit

@testable import QuireUIUnderTest

/// A screen of the list, as a program writes it.
final class RowsGrid: ListCollectionViewController<Row> {
  override func viewDidLoad() {
    super.viewDidLoad()
    binding?.register(LoudItemCell.self, for: "loud")
  }

  override func show(_ row: Row, in cell: UICollectionViewCell, at position: RowPosition) {
    var content = UIListContentConfiguration.cell()
    content.text = "\(row)"
    cell.contentConfiguration = content
  }
}

/// A list in a collection view with a flow layout.
@MainActor final class CollectionScreen: TestScreen {
  let world: ListWorld
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))
  private(set) var controller: RowsGrid
  private(set) var isAttached = true

  init(_ world: ListWorld) {
    self.world = world
    controller = RowsGrid(world.controller, layout: UICollectionViewFlowLayout())
    appear()
  }

  var view: UICollectionView { controller.collectionView }
  var placeholder: PlaceholderView? {
    view.subviews.lazy.compactMap { $0 as? PlaceholderView }.first
  }
  var footer: ListFooterView? { view.subviews.lazy.compactMap { $0 as? ListFooterView }.first }

  func text(at path: IndexPath) -> String? {
    guard let cell = view.cellForItem(at: path) else { return nil }
    if let loud = cell as? LoudItemCell { return loud.text }
    return (cell.contentConfiguration as? UIListContentConfiguration)?.text
  }

  func difference() -> String? {
    controller.lay()
    let rows = isAttached ? world.texts : []
    guard view.shownCounts == rows.map(\.count) else {
      return "\(view.shownCounts) items are shown, not \(rows)"
    }
    for path in view.indexPathsForVisibleItems {
      let shown = text(at: path)
      if shown != rows[path.section][path.item] {
        return "\(path) shows \(shown ?? "nothing"), not \(rows[path.section][path.item])"
      }
    }
    let titles = view.shownTitles[UICollectionView.elementKindSectionHeader] ?? [:]
    for (section, title) in titles {
      let expected = world.controller.sections.section(at: section)?.header
      let shown = (title as? SectionTitleView)?.label.text
      if isAttached, shown != expected { return "title \(section) is \(shown ?? "nothing")" }
    }
    guard isAttached else { return nil }
    if let footer, footer.frame.minY != view.contentSize.height {
      return "the footer is at \(footer.frame), not below \(view.contentSize)"
    }
    return surroundings(view, placeholder: placeholder, footer: footer, list: world.controller)
  }

  func cell(at position: RowPosition) -> AnyObject? { view.cellForItem(at: IndexPath(position)) }
  var firstVisibleText: String? { view.indexPathsForVisibleItems.min().flatMap(text) }
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
  func scroll(to part: Double) { view.drag(to: view.contentSize.height * part) }
  func pull() async { view.refreshControl?.pull() }
  var footerText: String? { footer?.label.text }
  func tapFooter() { footer?.sendActions(for: .touchUpInside) }
  var failure: RefreshFailureView? {
    view.subviews.lazy.compactMap { $0 as? RefreshFailureView }.first
  }
  var failureText: String? { failure?.label.text }
  func tapFailure() { failure?.sendActions(for: .touchUpInside) }
  var newRows: NewRowsView? {
    view.subviews.lazy.compactMap { $0 as? NewRowsView }.first
  }
  var newRowsText: String? { newRows?.label.text }
  func tapNewRows() { newRows?.sendActions(for: .touchUpInside) }
  func tapPlaceholder() { placeholder?.button.sendActions(for: .touchUpInside) }
  func delete(_ position: RowPosition) { swipe(position, leading: false) }
  func swipe(_ position: RowPosition) { swipe(position, leading: true) }

  private func swipe(_ position: RowPosition, leading: Bool) {
    let layout = controller.binding?.listLayout() as? UICollectionViewCompositionalLayout
    let list = layout?.list(of: position.section)
    let actions =
      leading
      ? list?.leadingSwipeActionsConfigurationProvider?(IndexPath(position))
      : list?.trailingSwipeActionsConfigurationProvider?(IndexPath(position))
    actions?.actions.first?.choose()
  }

  func move(_ from: RowPosition, to: RowPosition, meanwhile: () async -> Void) async {
    guard controller.longPress(IndexPath(from)) else { return }
    view.drag(over: IndexPath(to))
    await meanwhile()
    view.drop()
    await Task.yield()
  }

  func renew() {
    controller.disappear()
    controller = RowsGrid(world.controller, layout: UICollectionViewFlowLayout())
    appear()
    isAttached = true
  }
}
