import Quire
import Testing
import UIKit

@testable import QuireUIUnderTest

/// What is above the rows: the refresh control, a header of the program, and the failure of a refresh.
@MainActor @Suite struct TopTests {
  @Test(arguments: ScreenTests.Kind.allCases)
  func `a refresh that fails above rows says so, and a tap tries again`(
    kind: ScreenTests.Kind
  ) async {
    let world = ListWorld(Shelf(4)) { $0.placeholders.texts.refreshFailed = "Noch einmal?" }
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.difference() == nil && screen.failureText == nil)
    world.shelf.failOnce()
    world.controller.refresh()
    await world.settle()
    #expect(screen.difference() == nil && screen.failureText == "Noch einmal?")
    screen.tapFailure()
    #expect(world.controller.header == .loading && screen.failureText == nil)
    await world.settle()
    #expect(screen.difference() == nil && screen.failureText == nil)
  }

  @Test func `the failure of a refresh covers no row`() async throws {
    let world = ListWorld(Shelf(12))
    let screen = TableScreen(world)
    await world.settle()
    world.shelf.failOnce()
    world.controller.refresh(silently: true)
    await world.settle()
    screen.controller.lay()
    let table = screen.table
    let failure = try #require(screen.failure)
    #expect(table.contentInset.top == failure.frame.height && failure.frame.height >= 44)
    #expect(table.contentOffset.y == -failure.frame.height && failure.frame.maxY == 0)
    // It stays at the top of what is visible, above the rows that scroll below it.
    table.drag(to: 100)
    #expect(failure.frame.maxY == 100 + failure.frame.height && table.subviews.last === failure)

    let custom = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 80))
    screen.controller.binding?.drawing.refreshFailure = { _ in custom }
    #expect(custom.superview === failure && table.contentInset.top == 80)
    screen.detach()
    #expect(table.contentInset.top == 0 && failure.superview == nil)
  }

  @Test func `a program may show no failure`() async {
    let world = ListWorld(Shelf(4)) { $0.placeholders.texts.refreshFailed = "" }
    let screen = TableScreen(world)
    await world.settle()
    world.shelf.failOnce()
    world.controller.refresh()
    await world.settle()
    #expect(screen.failure == nil && screen.table.contentInset.top == 0)
  }

  @Test func `a refresh that the program starts shows the control`() async throws {
    let world = ListWorld(Shelf(12))
    let screen = TableScreen(world)
    await world.settle()
    let table = screen.table
    table.contentInset.top = 20
    table.contentOffset.y = -20
    world.controller.refresh()
    let control = try #require(table.refreshControl)
    #expect(control.isRefreshing && table.contentOffset.y == -20 - control.frame.height)
    await world.settle()
    // Rows that are scrolled stay where they are.
    table.contentOffset.y = 50
    world.controller.refresh()
    #expect(control.isRefreshing && table.contentOffset.y == 50)
    await world.settle()
  }

  @Test func `a header of the program stays open while a refresh runs`() async {
    let world = ListWorld(Shelf(12))
    let screen = TableScreen(world)
    await world.settle()
    let table = screen.table
    var states: [RefreshHeader.State] = []
    screen.controller.binding?.drawing.header = { states.append($0) }
    screen.controller.binding?.drawing.headerHeight = 70
    table.drag(to: -80)
    #expect(states.last == .loading && table.contentInset.top == 70)
    #expect(table.contentOffset.y == -70)
    await world.settle()
    #expect(states.last == .idle && table.contentInset.top == 0 && table.contentOffset.y == 0)
  }
}
