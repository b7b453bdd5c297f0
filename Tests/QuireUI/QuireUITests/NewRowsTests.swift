import Foundation
import Quire
import QuireTesting
import SwiftUI
import Testing
import UIKit

@testable import QuireUIUnderTest

/// How many rows are new above the list, and what happens when they are shown.
@MainActor @Suite struct NewRowsTests {
  @Test(arguments: ScreenTests.Kind.allCases)
  func `new rows are counted over the list, and a tap shows them`(kind: ScreenTests.Kind) async throws {
    let world = ListWorld(Shelf(12)) { $0.placeholders.texts.newRows = { "\($0.count) neue" } }
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.newRowsText == nil)
    world.shelf.insert(100, 101, 102)
    try await world.model.checkForNewRows()
    #expect(screen.newRowsText == "3 neue" && world.texts.joined().first == "0")
    screen.tapNewRows()
    await world.refreshed()
    #expect(screen.difference() == nil && screen.newRowsText == nil && world.texts.joined().first == "100")
  }

  @Test func `the row in sight keeps its place to the pixel`() async throws {
    let world = ListWorld(Shelf(20)) { $0.refresh.prefetchDistance = 0 }
    let screen = TableScreen(world)
    await world.settle()
    for _ in 0..<2 {
      world.controller.loadMore()
      await world.settle()
    }
    screen.controller.lay()
    let table = screen.table
    table.drag(to: 133)
    let path = try #require(table.indexPathsForVisibleRows?.first)
    let (text, offset) = (screen.text(at: path), table.contentOffset.y)
    let place = table.rectForRow(at: path).minY - offset
    world.shelf.insert(100, 101, 102)
    try await world.model.checkForNewRows()
    // The number covers the rows, and moves nothing.
    screen.controller.lay()
    let banner = try #require(screen.newRows)
    #expect(table.contentOffset.y == offset && table.contentInset.top == 0 && screen.text(at: path) == text)
    #expect(banner.frame.minY == offset && banner.frame.midX == 160 && table.subviews.last === banner)
    table.drag(to: 140)
    #expect(banner.frame.minY == 140)
    table.drag(to: 133)
    screen.tapNewRows()
    await world.refreshed()
    let now = IndexPath(row: path.row + 3, section: path.section)
    #expect(text != nil && screen.text(at: now) == text && screen.difference() == nil)
    #expect(table.rectForRow(at: now).minY - table.contentOffset.y == place && table.contentOffset.y > offset)
    #expect(screen.newRows == nil)
  }

  @Test func `a program draws the number itself, or not at all`() async throws {
    let world = ListWorld(Shelf(12)) { $0.placeholders.texts.newRows = { _ in "" } }
    let screen = TableScreen(world)
    await world.settle()
    world.shelf.insert(100)
    try await world.model.checkForNewRows()
    #expect(screen.newRows == nil)
    let custom = UIView(frame: CGRect(x: 0, y: 0, width: 120, height: 30))
    screen.controller.binding?.drawing.newRows = { _ in custom }
    let banner = try #require(screen.newRows)
    #expect(custom.superview === banner && banner.frame.size == custom.frame.size)
    screen.detach()
    #expect(banner.superview == nil)
  }

  @Test(arguments: [true, false])
  func `an app in the background sends no probe, and one when it is back`(isSwiftUI: Bool) async {
    let (shelf, clock) = (Shelf(12), ManualClock())
    let transport = MockTransport { _ in shelf.respond(to: 0) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport) { $0.time = clock.timeSource }, "/rows", items: "rows",
      paging: .single
    ) { $0.probe = .seconds(60) }
    let list = ListController(model)
    let screen = RowsTable(list)
    let host = SwiftUI.Host { QuireList(list) { Text("\($0)") } }
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))
    if isSwiftUI { host.evaluate().all("list")[0].onAppear?() } else { screen.appear(in: window) }
    _ = await model.refresh().outcome
    shelf.insert(100)
    let requests = transport.requests.count
    NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
    clock.advance(by: .seconds(600))
    await model.eventsDelivered()
    #expect(transport.requests.count == requests)
    NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
    while model.newRows == nil { await Task.yield() }
    #expect(transport.requests.count == requests + 1 && list.newRows == NewRows(count: 1))
  }
}
