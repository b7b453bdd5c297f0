import Foundation
import Quire
import Testing
import UIKit

@testable import QuireUIUnderTest

/// Rows of tables and collection views: what they report, where they are moved, and how high they are.
@MainActor @Suite struct RowTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `rows that are reloaded are hidden first`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(4)) { $0.replacesRows = true }
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.difference() == nil && world.shows == [0: 1, 1: 1, 2: 1, 3: 1])
    _ = try? world.model.edit(.remove(1))
    await world.model.eventsDelivered()
    #expect(screen.difference() == nil && world.shows == [0: 1, 1: 0, 2: 1, 3: 1])
    screen.detach()
    #expect(world.shows.values.allSatisfy { $0 == 0 })
  }

  /// Moves rows where they are dropped, as a program does.
  private final class Mover: ListControllerDelegate {
    let model: ListModel<Row>
    weak var controller: ListController<Row>?
    init(_ world: ListWorld) {
      model = world.model
      controller = world.controller
    }
    func canMove(_ item: Row?, at position: RowPosition) -> Bool { true }
    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      guard case .move(let place) = action, let item, let other = controller?.item(at: place) else {
        return false
      }
      let target = RowID(other.id)
      let isDown = place.row > position.row
      return (try? model.edit(.move(RowID(item.id), to: isDown ? .after(target) : .before(target))))
        != nil
    }
  }

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `a row stays where it was dropped, with its cell`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(4))
    let mover = Mover(world)
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    world.controller.delegate = mover
    let before = screen.cell(at: RowPosition(row: 0))
    await screen.move(RowPosition(row: 0), to: RowPosition(row: 2)) {}
    await world.model.eventsDelivered()
    #expect(world.texts == [["1", "2", "0", "3"]] && screen.difference() == nil)
    #expect(before != nil && screen.cell(at: RowPosition(row: 2)) === before)
  }

  @Test(arguments: ScreenTests.Kind.allCases)
  func `a move that the program reports is shown`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(4))
    let mover = Mover(world)
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.difference() == nil)
    world.controller.delegate = mover
    world.controller.move(from: RowPosition(row: 0), to: RowPosition(row: 2))
    await world.model.eventsDelivered()
    #expect(world.texts == [["1", "2", "0", "3"]] && screen.difference() == nil)
  }

  @Test(arguments: [ScreenTests.Kind.table, .collection])
  func `a move that nothing handles is taken back after the drop`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(5)) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
    }
    let screen = kind.screen(world)
    await world.settle()
    #expect(world.texts == [["0", "1", "2", "3"], ["4"]] && screen.difference() == nil)
    await screen.move(RowPosition(section: 0, row: 0), to: RowPosition(section: 1, row: 1)) {}
    #expect(screen.difference() == nil)
  }

  // MARK: - Heights

  private func rows(_ kinds: CellKinds<Row>) -> (UITableView, ListTableBinding) {
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let list = ListController(LocalList([Row(id: 1), Row(id: 2)]), kinds: kinds)
    return (table, ListTableBinding(list, in: table))
  }

  @Test func `rows have the height of their content where the program gives none`() {
    let (table, binding) = rows(CellKinds { $0.height = { row, _ in row.id == 1 ? 70 : nil } })
    let heights = (0..<2).map {
      binding.tableView(table, heightForRowAt: IndexPath(row: $0, section: 0))
    }
    #expect(heights == [70, UITableView.automaticDimension])
  }

  @Test func `items of a flow layout have the size that the program has set`() {
    let layout = UICollectionViewFlowLayout()
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    let kinds = CellKinds<Row> { $0.content = { RowContent("\($0)", subtitle: $0.id == 2 ? "two" : nil) } }
    let binding = ListCollectionBinding(
      ListController(LocalList([Row(id: 1), Row(id: 2)]), kinds: kinds), in: view)
    func size(_ row: Int) -> CGSize {
      binding.collectionView(
        view, layout: layout, sizeForItemAt: IndexPath(item: row, section: 0))
    }
    #expect(size(0) == CGSize(width: 320, height: 44) && size(1).height == 60)
    UIFontMetrics.textSize = 2
    #expect(size(0).height == 88)
    UIFontMetrics.textSize = 1
    layout.itemSize = CGSize(width: 100, height: 120)
    #expect(size(0) == CGSize(width: 100, height: 120))
    binding.size = { _, _ in CGSize(width: 80, height: 80) }
    #expect(size(0) == CGSize(width: 80, height: 80))
  }
}
