import Quire
import QuireTesting
import Testing

/// What a screen shows around its rows, and what a user does with it.
@MainActor @Suite struct ScreenTests {
  /// The three kinds of screens.
  enum Kind: CaseIterable {
    case table, collection, swiftUI

    @MainActor func screen(_ world: ListWorld) -> any TestScreen {
      switch self {
      case .table: TableScreen(world)
      case .collection: CollectionScreen(world)
      case .swiftUI: SwiftUIScreen(world)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `XY-01 a list that is attached shows its placeholder without code`(kind: Kind) async {
    let world = ListWorld(Shelf(0))
    let screen = kind.screen(world)
    #expect(world.controller.placeholder?.reason == .loadingFirst)
    #expect(screen.difference() == nil)
    await world.settle()
    #expect(world.controller.placeholder?.reason == .empty)
    #expect(screen.difference() == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a failed first load shows a placeholder whose tap retries`(kind: Kind) async {
    let world = ListWorld(Shelf(7))
    world.shelf.failOnce()
    let screen = kind.screen(world)
    await world.settle()
    #expect(world.controller.placeholder != nil && screen.difference() == nil)
    screen.tapPlaceholder()
    await world.settle()
    #expect(world.texts.joined().count >= 5 && screen.difference() == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a failed page shows in the footer, whose tap retries`(kind: Kind) async {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    let screen = kind.screen(world)
    await world.settle()
    world.shelf.failOnce()
    world.controller.loadMore()
    await world.settle()
    guard case .failed = world.controller.footer else {
      Issue.record("the footer is \(world.controller.footer)")
      return
    }
    #expect(screen.difference() == nil)
    screen.tapFooter()
    await world.settle()
    #expect(world.texts.joined().count == 10 && screen.difference() == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a swipe action and a deletion reach the delegate`(kind: Kind) async {
    let world = ListWorld(Shelf(4))
    world.swipes = [RowAction.Swipe("loud", title: "Loud")]
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    screen.swipe(RowPosition(row: 1))
    await world.model.eventsDelivered()
    #expect(world.texts == [["0", "1!", "2", "3"]] && screen.difference() == nil)
    screen.delete(RowPosition(row: 0))
    await world.model.eventsDelivered()
    #expect(world.texts == [["1!", "2", "3"]] && screen.difference() == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a section that vanishes while one of its rows is dragged traps nothing`(kind: Kind) async {
    let world = ListWorld(Shelf(5)) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
    }
    let screen = kind.screen(world)
    await world.settle()
    #expect(world.texts.count == 2 && screen.difference() == nil)
    await screen.move(RowPosition(section: 1, row: 0), to: RowPosition(section: 0, row: 0)) {
      _ = try? world.model.edit(.remove(4))
      await world.model.eventsDelivered()
    }
    await world.model.eventsDelivered()
    #expect(world.texts == [["0", "1", "2", "3"]] && screen.difference() == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a pull refreshes, and the control ends with it`(kind: Kind) async {
    let world = ListWorld(Shelf(3))
    let screen = kind.screen(world)
    await world.settle()
    let pull = Task { await screen.pull() }
    await pull.value
    await world.settle()
    #expect(world.controller.header == .idle && screen.difference() == nil)
  }

  @Test(arguments: [Kind.table, .collection])
  func `of two screens of one list, the one that appears is up to date`(kind: Kind) async {
    let world = ListWorld(Shelf(12))
    let first = kind.screen(world)
    await world.settle()
    let second = kind.screen(world)
    world.controller.loadMore()
    await world.settle()
    #expect(second.difference() == nil)
    first.appear()
    #expect(first.difference() == nil)
  }

  @Test func `rows of the program are shown once for each id`() async {
    let list = LocalList([Row(id: 1), Row(id: 1, text: "!"), Row(id: 2)])
    let table = ProgramTable(list)
    #expect(table.counts == [2] && list.repeatedIDs == [1])
    list.append(Row(id: 3))
    await list.eventsDelivered()
    #expect(table.counts == [3])
    table.detach()
    #expect(table.counts.isEmpty)
  }
}
