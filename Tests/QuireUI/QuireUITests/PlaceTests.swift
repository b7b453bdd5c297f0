import Foundation
import Quire
import Testing
import UIKit

@testable import QuireUIUnderTest

/// Where rows are when others come or change, and what is around them.
@MainActor @Suite struct PlaceTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))

  private func rows(_ kinds: CellKinds<Row>) -> (UITableView, ListTableBinding) {
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let list = ListController(LocalList([Row(id: 1), Row(id: 2)]), kinds: kinds)
    return (table, ListTableBinding(list, in: table))
  }

  // MARK: - Positions

  /// A list that shows one of its later pages first.
  private func laterPage(_ kind: ScreenTests.Kind) async -> (ListWorld, any TestScreen) {
    let world = ListWorld(Shelf(60)) {
      $0.refresh.autoRefresh = .never
      $0.refresh.pullsUp = false
      $0.refresh.prefetchDistance = 0
    }
    let screen = kind.screen(world)
    _ = await world.model.loadPage(8).outcome
    await world.model.eventsDelivered()
    return (world, screen)
  }

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `a page above the rows leaves the visible ones where they are`(
    kind: ScreenTests.Kind
  ) async {
    let (world, screen) = await laterPage(kind)
    await world.settle()
    // One page is enough: its rows are above, and the first row is no longer near.
    #expect(world.texts == [(35..<45).map { "\($0)" }])
    #expect(screen.difference() == nil && screen.firstVisibleText == "40")
  }

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `rows that come in above scrolled ones don't move these`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(12)) { $0.refresh.prefetchDistance = 0 }
    let screen = kind.screen(world)
    await world.settle()
    world.controller.loadMore()
    await world.settle()
    #expect(screen.difference() == nil)
    screen.scroll(to: 0.3)
    #expect(screen.difference() == nil)
    let first = screen.firstVisibleText
    _ = try? world.model.edit(.insert(Row(id: 100), at: .start))
    await world.model.eventsDelivered()
    #expect(first != "0" && screen.difference() == nil && screen.firstVisibleText == first)
    // At the top, a new row is shown.
    screen.scroll(to: 0)
    _ = try? world.model.edit(.insert(Row(id: 101), at: .start))
    await world.model.eventsDelivered()
    #expect(screen.difference() == nil && screen.firstVisibleText == "101")
  }

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `a gap that comes into sight is filled, and the rows in sight stay`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(30)) {
      $0.refresh.pullsUp = false
      $0.refresh.prefetchDistance = 0
    }
    let screen = kind.screen(world)
    await world.settle()
    for _ in 0..<3 {
      world.controller.loadMore()
      await world.settle()
    }
    screen.scroll(to: 0.9)
    let before = screen.firstVisibleText
    world.shelf.grow(101...112)
    world.controller.refresh(silently: true)
    _ = await world.model.refresh(.splice).outcome
    await world.settle()
    // The gap is far above.
    #expect(screen.difference() == nil && screen.firstVisibleText == before && before != "0")
    #expect(world.model.gaps.count == 1 && world.controller.gap(at: RowPosition(section: 0, row: 5)) != nil)
    screen.scroll(to: 0.05)
    let first = screen.firstVisibleText
    await world.settle()
    #expect(screen.difference() == nil && screen.firstVisibleText == first)
    // The rows that came have moved the gap out of sight.
    #expect(world.model.rows.items.prefix(10).map(\.id) == (103...112).reversed())
    for _ in 0..<3 {
      guard let gap = world.model.gaps.first else { break }
      _ = await world.model.loadGap(gap.id).outcome
    }
    await world.settle()
    #expect(screen.difference() == nil && screen.firstVisibleText == first && world.model.gaps.isEmpty)
    #expect(world.model.rows.items.prefix(14).map(\.id) == (101...112).reversed() + [0, 1])
  }

  @Test func `a row whose content changes has the height of the new one`() async {
    let world = ListWorld(Shelf(3))
    let screen = TableScreen(world)
    await world.settle()
    #expect(screen.difference() == nil && screen.table.contentSize.height == 44 + 40 + 40 + 56)
    let higher = CellKinds<Row> { $0.height = { row, _ in row.text.isEmpty ? 50 : 90 } }
    let list = LocalList([Row(id: 1), Row(id: 2)])
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let binding = ListTableBinding(ListController(list, kinds: higher), in: table)
    table.layoutIfNeeded()
    #expect(table.contentSize.height == 100)
    _ = try? list.edit(.update(1, Row(id: 1, text: "more")))
    await list.eventsDelivered()
    table.layoutIfNeeded()
    #expect(table.contentSize.height == 140)
    withExtendedLifetime(binding) {}
  }

  // MARK: - Titles and what is around the rows

  @Test func `a section without a title takes no room in a plain table`() {
    let (table, binding) = rows(CellKinds { $0.height = { _, _ in 50 } })
    binding.didLayOut()
    table.layoutIfNeeded()
    #expect(table.contentSize.height == 100)
    let grouped = UITableView(frame: window.bounds, style: .grouped)
    // A grouped table takes 0 for its standard height.
    let height = ListTableBinding(ListController(LocalList([Row(id: 1)])), in: grouped)
      .tableView(grouped, heightForHeaderInSection: 0)
    #expect(height > 0 && height < 1)
  }

  @Test func `a title of two lines has their height in a list layout`() throws {
    let list = ListController(LocalList([Row(id: 1)])) {
      $0.rows.section = { _ in SectionLabel(1, header: String(repeating: "long ", count: 12)) }
    }
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: .init())
    window.addSubview(view)
    let binding = ListCollectionBinding(list, in: view)
    view.collectionViewLayout = binding.listLayout()
    view.layoutIfNeeded()
    #expect(view.contentSize.height == 96)
  }

  @Test func `a placeholder is below the header of the table`() async throws {
    let world = ListWorld(Shelf(0))
    let screen = TableScreen(world)
    let header = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 90))
    screen.table.tableHeaderView = header
    await world.settle()
    #expect(screen.difference() == nil)
    let placeholder = try #require(screen.placeholder)
    #expect(placeholder.frame == CGRect(x: 0, y: 90, width: 320, height: 210))
  }

  @Test func `a table keeps the footer that the program gave it`() async {
    let world = ListWorld(Shelf(3))
    let screen = TableScreen(world)
    let footer = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 10))
    screen.table.tableFooterView = footer
    await world.settle()
    #expect(screen.footer != nil)
    world.controller.settings.refresh.pullsUp = false
    #expect(screen.table.tableFooterView === footer)
    world.controller.settings.refresh.pullsUp = true
    screen.detach()
    #expect(screen.table.tableFooterView === footer)
  }

  @Test func `what a footer of the program recognizes isn't taken for a tap`() async throws {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    let screen = TableScreen(world)
    await world.settle()
    let custom = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 56))
    let inner = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 56))
    custom.addSubview(inner)
    screen.controller.binding?.drawing.footer = { _ in custom }
    let footer = try #require(screen.footer)
    footer.layoutIfNeeded()
    let point = CGPoint(x: 50, y: 20)
    #expect(footer.hitTest(point, with: nil) === footer)
    custom.addGestureRecognizer(UITapGestureRecognizer())
    #expect(footer.hitTest(point, with: nil) === inner)
  }

  // MARK: - Swipes

  @Test func `a row that can't be deleted is swiped, and isn't offered for deletion`() async {
    let world = ListWorld(Shelf(3))
    world.edits = nil
    world.swipes = [RowAction.Swipe("loud", title: "Loud")]
    let screen = TableScreen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    let row = IndexPath(row: 1, section: 0)
    #expect(screen.table.swipe(row, leading: true)?.actions.map(\.title) == ["Loud"])
    #expect(screen.table.swipe(row, leading: false)?.actions.isEmpty == true)
    screen.table.isEditing = true
    screen.table.confirmEditing(row)
    #expect(world.actions.isEmpty)
    screen.table.isEditing = false
    world.edits = .delete
    screen.table.swipe(row, leading: false)?.actions.first?.choose()
    #expect(world.actions == [.delete])
  }

  // MARK: - Layout

  @Test func `a view controller of the program reports layout`() async {
    let world = ListWorld(Shelf(0))
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let binding = ListTableBinding(world.controller, in: table)
    world.controller.appeared()
    await world.settle()
    table.frame.size = CGSize(width: 600, height: 200)
    binding.didLayOut()
    let placeholder = table.subviews.first { $0 is PlaceholderView }
    #expect(placeholder?.frame == CGRect(x: 0, y: 0, width: 600, height: 200))
  }
}
