import Foundation
import Quire
import QuireTesting
import Testing
import UIKit

@testable import QuireUIUnderTest

/// Bindings that a program overrides, and those that are detached.
@MainActor @Suite struct BindingTests {
  private final class TallTable: ListTableBinding {
    var scrolls = 0

    override func scrollViewDidScroll(_ scrollView: UIScrollView) {
      super.scrollViewDidScroll(scrollView)
      scrolls += 1
    }

    override func tableView(
      _ tableView: UITableView, heightForRowAt indexPath: IndexPath
    ) -> CGFloat { 100 }
  }

  private final class TallTableScreen: ListTableViewController<Row> {
    override func makeBinding(in tableView: UITableView) -> ListTableBinding {
      TallTable(list, in: tableView)
    }
  }

  private final class TallGrid: ListCollectionBinding {
    var selected: [IndexPath] = []

    override func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: 320, height: 100) }

    override func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) {
      selected.append(indexPath)
      super.collectionView(collectionView, didSelectItemAt: indexPath)
    }
  }

  private final class TallGridScreen: ListCollectionViewController<Row> {
    override func makeBinding(in collectionView: UICollectionView) -> ListCollectionBinding {
      TallGrid(list, in: collectionView)
    }
  }

  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))

  @Test func `a screen has a table binding of its own`() async throws {
    let world = ListWorld(Shelf(12))
    let screen = TallTableScreen(world.controller)
    screen.appear(in: window)
    await world.settle()
    let table = try #require(screen.tableView)
    let binding = try #require(screen.binding as? TallTable)
    #expect(table.delegate === screen && table.dataSource === screen)
    table.layoutIfNeeded()
    let before = binding.scrolls
    table.drag(to: 1_000)
    await world.settle()
    // The list was told of the scroll too, and has loaded further rows.
    #expect(binding.scrolls > before && world.texts.joined().count == 12)
    #expect(table.contentSize.height >= 12 * 100)
  }

  @Test func `a screen has a collection binding of its own`() async throws {
    let world = ListWorld(Shelf(4))
    let screen = TallGridScreen(world.controller, layout: UICollectionViewFlowLayout())
    screen.appear(in: window)
    await world.settle()
    let binding = try #require(screen.binding as? TallGrid)
    screen.lay()
    #expect(screen.collectionView.contentSize.height >= 4 * 100)
    let second = IndexPath(item: 1, section: 0)
    binding.collectionView(screen.collectionView, didSelectItemAt: second)
    #expect(binding.selected == [second] && world.actions == [.select])
  }

  private final class OwnTable: ListTableViewController<Row> {
    var selected: [IndexPath] = []

    override func makeBinding(in tableView: UITableView) -> ListTableBinding {
      TallTable(list, in: tableView)
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      selected.append(indexPath)
      super.tableView(tableView, didSelectRowAt: indexPath)
    }
  }

  private final class OwnGrid: ListCollectionViewController<Row> {
    override func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: 100, height: 70) }
  }

  @Test func `a ready-made screen overrides what its view asks`() async throws {
    let world = ListWorld(Shelf(3))
    let screen = OwnTable(world.controller)
    screen.appear(in: window)
    await world.settle()
    screen.lay()
    let row = IndexPath(row: 1, section: 0)
    screen.tableView.tap(row)
    #expect(screen.selected == [row] && world.actions == [.select])
    // What the binding overrides counts, too.
    #expect(screen.tableView.contentSize.height >= 300)
    screen.binding?.detach()
    #expect(screen.tableView.delegate == nil && screen.tableView.numberOfSections == 0)

    let grid = OwnGrid(world.controller, layout: UICollectionViewFlowLayout())
    grid.appear(in: window)
    grid.lay()
    #expect(grid.collectionView.contentSize.height == 210)
  }

  // MARK: - Detached

  /// Takes everything from a table that a user could still touch, and uses it.
  private func useAll(_ table: UITableView, _ binding: ListTableBinding) {
    let row = IndexPath(row: 0, section: 0)
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    binding.tableView(table, willDisplay: cell, forRowAt: row)
    binding.tableView(table, didSelectRowAt: row)
    binding.tableView(table, didDeselectRowAt: row)
    binding.tableView(table, commit: .delete, forRowAt: row)
    binding.tableView(table, moveRowAt: row, to: IndexPath(row: 1, section: 0))
    binding.tableView(table, didEndDisplaying: cell, forRowAt: row)
    binding.scrollViewDidScroll(table)
    binding.scrollViewDidEndDragging(table, willDecelerate: false)
    binding.didLayOut()
    #expect(!binding.tableView(table, canMoveRowAt: row))
    #expect(!binding.tableView(table, canEditRowAt: row))
    #expect(binding.tableView(table, editingStyleForRowAt: row) == .none)
    #expect(binding.tableView(table, leadingSwipeActionsConfigurationForRowAt: row) == nil)
  }

  @Test func `a detached table and its list don't touch each other`() async throws {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    world.swipes = [RowAction.Swipe("loud", title: "Loud")]
    let screen = TableScreen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    let table = screen.table
    let binding = try #require(screen.controller.binding)
    let swipe = table.swipe(IndexPath(row: 0, section: 0), leading: true)?.actions.first
    let (footer, control) = (screen.footer, table.refreshControl)
    let shown = world.texts
    screen.detach()
    world.actions = []

    swipe?.choose()
    footer?.sendActions(for: .touchUpInside)
    control?.pull()
    useAll(table, binding)
    await world.settle()
    #expect(world.actions.isEmpty && world.texts == shown && world.controller.header == .idle)
    #expect(world.controller.footer == .idle && control?.isRefreshing == false)

    binding.drawing.footerText = { _ in "more" }
    world.controller.loadMore()
    await world.settle()
    world.controller.refresh()
    await world.settle()
    #expect(table.numberOfSections == 0 && table.tableFooterView == nil)
    #expect(table.refreshControl == nil && table.subviews.allSatisfy { !($0 is PlaceholderView) })

    screen.attach()
    #expect(screen.difference() == nil && screen.footer?.label.text == "more")
  }

  @Test func `a table whose list another view shows doesn't reach it`() async throws {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    let first = TableScreen(world)
    await world.settle()
    #expect(first.difference() == nil)
    let second = CollectionScreen(world)
    #expect(second.difference() == nil)
    world.actions = []
    useAll(first.table, try #require(first.controller.binding))
    first.tapFooter()
    await first.pull()
    await world.settle()
    #expect(world.actions.isEmpty && world.texts.joined().count == 5)
    #expect(second.difference() == nil && world.controller.heights.width == 320)
    first.appear()
    #expect(first.difference() == nil)
  }

  @Test func `a detached collection view and its list don't touch each other`() async throws {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    let screen = CollectionScreen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    let binding = try #require(screen.controller.binding)
    let (view, footer, control) = (screen.view, screen.footer, screen.view.refreshControl)
    let layout = binding.listLayout() as? UICollectionViewCompositionalLayout
    let row = IndexPath(item: 0, section: 0)
    let delete = layout?.list(of: 0)?.trailingSwipeActionsConfigurationProvider?(row)
    let shown = world.texts
    screen.detach()
    world.actions = []

    delete?.actions.first?.choose()
    footer?.sendActions(for: .touchUpInside)
    control?.pull()
    binding.collectionView(view, didSelectItemAt: row)
    binding.collectionView(view, didDeselectItemAt: row)
    binding.collectionView(view, moveItemAt: row, to: IndexPath(item: 1, section: 0))
    binding.scrollViewDidScroll(view)
    binding.scrollViewDidEndDragging(view, willDecelerate: false)
    binding.didLayOut()
    #expect(!binding.collectionView(view, canMoveItemAt: row))
    await world.settle()
    #expect(world.actions.isEmpty && world.texts == shown && world.controller.header == .idle)
    world.controller.refresh()
    await world.settle()
    #expect(view.numberOfSections == 0 && screen.footer == nil && view.refreshControl == nil)
    screen.attach()
    #expect(screen.difference() == nil)
  }

  @Test func `a table that outlives its binding doesn't reach the list`() async {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 300), style: .plain)
    window.addSubview(table)
    do {
      let binding = ListTableBinding(world.controller, in: table)
      world.controller.refresh()
      await world.settle()
      #expect(binding.tableView.numberOfRows(inSection: 0) == 5)
    }
    #expect(world.controller.view == nil)
    (table.tableFooterView as? ListFooterView)?.sendActions(for: .touchUpInside)
    table.refreshControl?.pull()
    await world.settle()
    #expect(world.texts.joined().count == 5 && world.controller.header == .idle)
    #expect(table.refreshControl?.isRefreshing == false)
  }

  @Test func `a table with a data source of its own has a placeholder and a header`() async throws {
    struct Refused: Error {}
    var results: [Result<[String], any Error>] = [
      .failure(Refused()), .success([]), .success(["Welcome"]),
    ]
    let screen = InboxScreen(style: .plain)
    screen.load = { try results.removeFirst().get() }
    screen.appear(in: window)
    let table = try #require(screen.tableView)
    func view() -> PlaceholderView? { table.backgroundView as? PlaceholderView }
    func settle() async { for _ in 0..<100 { await Task.yield() } }

    screen.reload()
    #expect(view()?.message.text == "Loading…" && view()?.spinner.isAnimating == true)
    await settle()
    #expect(view()?.message.text == "The list could not be loaded")
    #expect(view()?.button.currentTitle == "Try again")

    view()?.button.sendActions(for: .touchUpInside)
    await settle()
    #expect(view()?.message.text == "Nothing here yet")

    table.drag(to: -59)
    await settle()
    #expect(results.count == 1, "it was not pulled far enough")
    table.drag(to: -60)
    await settle()
    #expect(table.numberOfRows(inSection: 0) == 1)
    #expect(view()?.message.isHidden == true && view()?.button.isHidden == true)
  }
}
