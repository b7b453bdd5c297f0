import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Rows that are moved by hand, and rows that an action removes.
@MainActor struct RowMoveTests {
  private let first = RowPosition(row: 0)
  private let second = RowPosition(row: 1)

  private func loaded() async -> ScreenBench {
    let bench = ScreenBench(count: 3)
    _ = await bench.model.refresh().outcome
    return bench
  }

  /// Handles every move without moving anything.
  private final class Willing: ListControllerDelegate {
    var moves: [RowPosition] = []
    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      if case .move(let new) = action { moves.append(new) }
      return true
    }
  }

  @Test func `an unhandled move is reverted in the view`() async {
    let bench = await loaded()
    bench.view.calls = []
    bench.controller.move(from: first, to: second)
    #expect(bench.view.calls == ["all"])
  }

  @Test func `a row can move past the last row of another section only`() async {
    let bench = ScreenBench(rows: (0..<3).map { Row(id: $0, group: $0 / 2) }) {
      $0.rows.section = { SectionLabel($0.group) }
    }
    _ = await bench.model.refresh().outcome
    let delegate = Willing()
    bench.controller.delegate = delegate
    #expect(bench.controller.move(from: first, to: RowPosition(row: 2)) == .noRow)
    #expect(delegate.moves.isEmpty && bench.view.calls.last == "all")
    let after = RowPosition(section: 1, row: 1)
    #expect(bench.controller.move(from: first, to: after) == .handled(by: "delegate"))
  }

  /// Custom rows above those of the list.
  private final class Pins: ListController<Row>, ListControllerDelegate {
    var pinned = [Row(id: -1), Row(id: -2)]

    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      ListSections([
        ListSection("pinned", items: pinned), ListSection("list", rows: ListSection.Rows(rows)),
      ])
    }

    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      let item = pinned.remove(at: position.row)
      if case .move(let new) = action { pinned.insert(item, at: new.row) }
      updateSections()
      return true
    }
  }

  @Test func `a custom row moved by hand is not moved again`() async {
    let bench = ScreenBench(count: 2)
    let pins = Pins(bench.model)
    pins.delegate = pins
    let view = RecordingListView()
    view.controller = pins
    pins.attach(view)
    pins.move(from: first, to: second)
    #expect(view.calls == ["all", "moved", "all"] && view.rows == [["-2", "-1"], []])
    _ = await bench.model.refresh().outcome
    #expect(view.calls.last == "section 1: inserted 0…1" && view.mismatches.isEmpty)
  }

  @Test func `a row is deselected even if its selection removes it`() async {
    let bench = ScreenBench(count: 2)
    let pins = Pins(bench.model)
    pins.delegate = pins
    let view = RecordingListView()
    view.controller = pins
    pins.attach(view)
    #expect(pins.select(first) == .handled(by: "delegate"))
    #expect(view.calls == ["all", "deselect 0/0", "section 0: removed 0"])
  }

  private final class Mover: ListControllerDelegate {
    let model: ListModel<Row>
    init(_ model: ListModel<Row>) { self.model = model }
    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      guard let item else { return false }
      if case .move = action {
        return (try? model.edit(.move(RowID(item.id), to: .end))) != nil
      }
      return (try? model.edit(.remove(RowID(item.id)))) != nil
    }
  }

  @Test func `a row moved by hand isn't moved again; a delete is exact`() async {
    let bench = await loaded()
    let mover = Mover(bench.model)
    bench.controller.delegate = mover
    bench.view.calls = []
    bench.controller.move(from: first, to: RowPosition(row: 2))
    bench.controller.act(.delete, at: second)
    for await step in bench.model.events {
      if case .didChange(let change) = step.event, !change.removed.isEmpty { break }
    }
    #expect(bench.view.calls == ["moved", "all", "section 0: removed 0"])
    #expect(bench.view.rows == [["2", "0"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  /// Moves a row to another place than the one where the user dropped it.
  private final class Stubborn: ListControllerDelegate {
    let model: ListModel<Row>
    init(_ model: ListModel<Row>) { self.model = model }
    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      item.map { (try? model.edit(.move(RowID($0.id), to: .end))) != nil } ?? false
    }
  }

  @Test func `a row that the list moves to another place is put there with all rows`() async {
    let bench = await loaded()
    let stubborn = Stubborn(bench.model)
    bench.controller.delegate = stubborn
    bench.view.calls = []
    bench.controller.move(from: first, to: second)
    await bench.model.eventsDelivered()
    #expect(bench.view.calls == ["all"] && bench.view.rows == [["1", "2", "0"]])
  }
}
