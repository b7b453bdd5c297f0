import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

/// Rows that somebody moves by hand, and rows that go because somebody did something to them.
@MainActor struct RowMoveTests {
  private let first = RowPosition(row: 0)
  private let second = RowPosition(row: 1)

  private func loaded() async -> ScreenBench {
    let bench = ScreenBench(count: 3)
    _ = await bench.model.refresh().outcome
    return bench
  }

  /// Deals with every move and makes none.
  private final class Willing: ListControllerDelegate {
    var moves: [RowPosition] = []
    func handle(_ event: RowEvent<Row>) -> Bool {
      if case .move(let new) = event.action { moves.append(new) }
      return true
    }
  }

  @Test func `a move that nobody makes is taken back in the view`() async {
    let bench = await loaded()
    bench.view.told = []
    bench.controller.move(from: first, to: second)
    #expect(bench.view.told == ["all"])
  }

  @Test func `a row can be moved behind the last one of another section, not of its own`() async {
    let bench = ScreenBench(rows: (0..<3).map { Row(id: $0, group: $0 / 2) }) {
      $0.rows.section = { SectionLabel($0.group) }
    }
    _ = await bench.model.refresh().outcome
    let delegate = Willing()
    bench.controller.delegate = delegate
    #expect(bench.controller.move(from: first, to: RowPosition(row: 2)) == .noRow)
    #expect(delegate.moves.isEmpty && bench.view.told.last == "all")
    let behind = RowPosition(section: 1, row: 1)
    #expect(bench.controller.move(from: first, to: behind) == .handled(by: "delegate"))
  }

  /// Rows of the program's own above those of the list.
  private final class Pins: ListController<Row>, ListControllerDelegate {
    var pinned = [Row(id: -1), Row(id: -2)]

    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      ListSections([
        ListSection("pinned", items: pinned), ListSection("list", rows: SectionRows(rows)),
      ])
    }

    func handle(_ event: RowEvent<Row>) -> Bool {
      let item = pinned.remove(at: event.position.row)
      if case .move(let new) = event.action { pinned.insert(item, at: new.row) }
      updateSections()
      return true
    }
  }

  @Test func `a row of the program's own that was moved by hand is not moved again`() async {
    let bench = ScreenBench(count: 2)
    let pins = Pins(bench.model)
    pins.delegate = pins
    let view = RecordingListView()
    view.controller = pins
    pins.attach(view)
    pins.move(from: first, to: second)
    #expect(view.told == ["all", "all"] && view.rows == [["-2", "-1"], []])
    _ = await bench.model.refresh().outcome
    #expect(view.told.last == "section 1: inserted 0…1" && view.mismatches.isEmpty)
  }

  @Test func `the mark goes from the row that was selected, though that takes it away`() async {
    let bench = ScreenBench(count: 2)
    let pins = Pins(bench.model)
    pins.delegate = pins
    let view = RecordingListView()
    view.controller = pins
    pins.attach(view)
    #expect(pins.select(first) == .handled(by: "delegate"))
    #expect(view.told == ["all", "deselect 0/0", "section 0: removed 0"])
  }

  private final class Mover: ListControllerDelegate {
    let model: ListModel<Row>
    init(_ model: ListModel<Row>) { self.model = model }
    func handle(_ event: RowEvent<Row>) -> Bool {
      guard let item = event.item else { return false }
      if case .move = event.action {
        return (try? model.edit(.move(RowID(item.id), to: .end))) != nil
      }
      return (try? model.edit(.remove(RowID(item.id)))) != nil
    }
  }

  @Test func `what was moved by hand is not moved again, and a delete is told exactly`() async {
    let bench = await loaded()
    let mover = Mover(bench.model)
    bench.controller.delegate = mover
    bench.view.told = []
    bench.controller.move(from: first, to: RowPosition(row: 2))
    bench.controller.commit(.delete, at: second)
    for await step in bench.model.events {
      if case .didChange(let change) = step.event, !change.removed.isEmpty { break }
    }
    #expect(bench.view.told == ["all", "section 0: removed 0"])
    #expect(bench.view.rows == [["2", "0"]])
    #expect(bench.view.mismatches.isEmpty)
  }
}
