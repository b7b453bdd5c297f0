import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

/// What is done to rows, and who deals with it.
@MainActor struct RowActionTests {
  /// A delegate that only knows items.
  private final class ItemDelegate: ListControllerDelegate {
    var told: [String] = []
    var isDealing = true

    private func note(_ text: String) -> Bool {
      told.append(text)
      return isDealing
    }

    func didSelect(_ item: Row, at position: RowPosition) -> Bool { note("select \(item)") }
    func didDeselect(_ item: Row, at position: RowPosition) -> Bool { note("deselect \(item)") }
    func editing(of item: Row, at position: RowPosition) -> RowEditing {
      item.id == 0 ? .delete : .insert
    }
    func commit(_ editing: RowEditing, of item: Row, at position: RowPosition) -> Bool {
      note("\(editing) \(item)")
    }
    func canMove(_ item: Row, at position: RowPosition) -> Bool { item.id == 0 }
    func move(_ item: Row, from old: RowPosition, to new: RowPosition) -> Bool {
      note("move \(item) to \(new)")
    }
    func swipeActions(
      for item: Row, at position: RowPosition, on edge: SwipeAction.Edge
    ) -> [SwipeAction] {
      edge == .leading ? [] : [SwipeAction("star", title: "Star \(item)")]
    }
    func perform(_ action: SwipeAction.ID, on item: Row, at position: RowPosition) -> Bool {
      note("\(action) \(item)")
    }
    func willShow(_ item: Row, at position: RowPosition) -> Bool { note("show \(item)") }
    func didHide(_ item: Row, at position: RowPosition) -> Bool { note("hide \(item)") }
  }

  /// A delegate that only knows positions.
  private final class PositionDelegate: ListControllerDelegate {
    typealias Item = Row
    var told: [String] = []

    private func note(_ text: String) -> Bool {
      told.append(text)
      return true
    }

    func didSelectRow(at position: RowPosition) -> Bool { note("select \(position)") }
    func didDeselectRow(at position: RowPosition) -> Bool { note("deselect \(position)") }
    func editingOfRow(at position: RowPosition) -> RowEditing { .delete }
    func commitRow(_ editing: RowEditing, at position: RowPosition) -> Bool {
      note("\(editing) \(position)")
    }
    func canMoveRow(at position: RowPosition) -> Bool { true }
    func moveRow(from old: RowPosition, to new: RowPosition) -> Bool { note("move \(old) \(new)") }
    func swipeActionsForRow(
      at position: RowPosition, on edge: SwipeAction.Edge
    ) -> [SwipeAction] {
      [SwipeAction("star", title: "Star")]
    }
    func performOnRow(_ action: SwipeAction.ID, at position: RowPosition) -> Bool {
      note("\(action) \(position)")
    }
    func willShowRow(at position: RowPosition) -> Bool { note("show \(position)") }
    func didHideRow(at position: RowPosition) -> Bool { note("hide \(position)") }
  }

  private final class NoDelegate: ListControllerDelegate {
    typealias Item = Row
  }

  private let first = RowPosition(row: 0)
  private let second = RowPosition(row: 1)

  private func everything(_ controller: ListController<Row>, at position: RowPosition) -> [RowReply]
  {
    [
      controller.select(position), controller.deselect(position),
      controller.commit(.delete, at: position), controller.commit(.insert, at: position),
      controller.move(from: position, to: second), controller.act(.swipe("star"), at: position),
      controller.act(.show, at: position), controller.act(.hide, at: position),
    ]
  }

  private func loaded(
    _ count: Int = 3, kinds: CellKinds<Row> = CellKinds(),
    _ configure: (inout ListControllerSettings<Row>) -> Void = { _ in }
  ) async -> ScreenBench {
    let bench = ScreenBench(rows: (0..<count).map { Row(id: $0) }, kinds: kinds, configure)
    _ = await bench.model.refresh().outcome
    return bench
  }

  @Test func `everything done to a row comes with its item`() async {
    let bench = await loaded()
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    #expect(
      everything(bench.controller, at: first)
        == Array(repeating: .handled(by: "delegate"), count: 8))
    #expect(
      delegate.told == [
        "select 0", "deselect 0", "delete 0", "insert 0", "move 0 to 0/1", "star 0", "show 0",
        "hide 0",
      ])
    #expect(bench.controller.editing(at: first) == .delete)
    #expect(bench.controller.editing(at: second) == .insert)
    #expect(bench.controller.canMove(first) && !bench.controller.canMove(second))
    #expect(bench.controller.swipeActions(at: first, on: .trailing).map(\.title) == ["Star 0"])
    #expect(bench.controller.swipeActions(at: first, on: .leading).isEmpty)
  }

  @Test func `who writes only the form with positions is told all the same`() async {
    let bench = await loaded()
    let delegate = PositionDelegate()
    bench.controller.delegate = delegate
    #expect(
      everything(bench.controller, at: first)
        == Array(repeating: .handled(by: "delegate"), count: 8))
    #expect(
      delegate.told == [
        "select 0/0", "deselect 0/0", "delete 0/0", "insert 0/0", "move 0/0 0/1", "star 0/0",
        "show 0/0", "hide 0/0",
      ])
    #expect(bench.controller.editing(at: first) == .delete)
    #expect(bench.controller.canMove(first))
    #expect(bench.controller.swipeActions(at: first, on: .leading).map(\.id) == ["star"])
  }

  @Test func `a row that is not in memory has the form with positions`() async {
    let bench = ScreenBench(
      rows: (0..<12).map { Row(id: $0) }, { $0.refresh.pullsUp = false },
      model: { $0.window = .rows(3) })
    await bench.model.loadAll()
    let delegate = PositionDelegate()
    bench.controller.delegate = delegate
    let givenUp = (0..<12).first { bench.controller.item(at: RowPosition(row: $0)) == nil }
    guard let givenUp else {
      Issue.record("all rows are in memory")
      return
    }
    let position = RowPosition(row: givenUp)
    #expect(
      everything(bench.controller, at: position)
        == Array(repeating: .handled(by: "delegate"), count: 8))
    #expect(delegate.told.first == "select \(position)")
    #expect(bench.controller.kind(at: position) == .standard)
    #expect(bench.controller.height(at: position) == 44)
    let items = ItemDelegate()
    bench.controller.delegate = items
    #expect(bench.controller.select(position) == .unhandled && items.told.isEmpty)
  }

  @Test func `a delegate that writes nothing leaves everything to others`() async {
    let bench = await loaded()
    let delegate = NoDelegate()
    bench.controller.delegate = delegate
    var unhandled: [RowEvent<Row>] = []
    bench.controller.onUnhandled = { unhandled.append($0) }
    #expect(everything(bench.controller, at: first) == Array(repeating: .unhandled, count: 8))
    // Nobody has to care for what came into sight, but for what somebody did.
    #expect(
      unhandled.map(\.action) == [.select, .delete, .insert, .move(to: second), .swipe("star")])
    #expect(unhandled.allSatisfy { $0.item == Row(id: 0) && $0.position == first })
    #expect(bench.controller.editing(at: first) == .none)
    #expect(bench.controller.commit(.none, at: first) == .unhandled)
    #expect(!bench.controller.canMove(first))
    #expect(bench.controller.swipeActions(at: first, on: .leading).isEmpty)
  }

  @Test func `a row that is not there has no reply, and nobody is told`() async {
    let bench = await loaded()
    let delegate = PositionDelegate()
    bench.controller.delegate = delegate
    bench.controller.onUnhandled = { _ in Issue.record("told of a row that is not there") }
    let nowhere = RowPosition(section: 4, row: 2)
    #expect(everything(bench.controller, at: nowhere) == Array(repeating: .noRow, count: 8))
    #expect(bench.controller.move(from: first, to: RowPosition(row: 9)) == .noRow)
    #expect(delegate.told.isEmpty)
    #expect(bench.controller.editing(at: nowhere) == .none && !bench.controller.canMove(nowhere))
  }

  @Test func `the mark goes after every selection, or after none`() async {
    let bench = await loaded()
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    bench.view.told = []
    bench.controller.select(first)
    delegate.isDealing = false
    bench.controller.select(second)
    #expect(bench.view.told == ["deselect 0/0", "deselect 0/1"])
    bench.controller.select(RowPosition(row: 99))
    bench.controller.settings.deselectsAfterSelection = false
    bench.view.told = []
    bench.controller.select(first)
    #expect(bench.view.told.isEmpty)
  }

  @Test func `handlers are tried in order, and the end of the chain says so`() async {
    let bench = await loaded()
    var tried: [String] = []
    for name in ["a", "b", "c"] {
      bench.controller.actions.add(name) { event in
        tried.append(name)
        return event.action == .custom(name)
      }
    }
    var unhandled: [RowAction] = []
    bench.controller.onUnhandled = { unhandled.append($0.action) }
    #expect(bench.controller.act(.custom("b"), at: first) == .handled(by: "b"))
    #expect(tried == ["a", "b"])
    #expect(bench.controller.act(.custom("x"), at: first) == .unhandled)
    #expect(unhandled == [.custom("x")])
    bench.controller.actions.remove("b")
    #expect(bench.controller.act(.custom("b"), at: first) == .unhandled)
  }

  private final class Interactor: RowActionHandler {
    var items: [Row?] = []
    func handle(_ event: RowEvent<Row>) -> Bool {
      items.append(event.item)
      return true
    }
  }

  @Test func `an object that deals with actions is not kept alive`() async {
    let bench = await loaded()
    var interactor: Interactor? = Interactor()
    weak let gone = interactor
    if let interactor { bench.controller.actions.add("interactor", interactor) }
    #expect(bench.controller.act(.custom("star"), at: first) == .handled(by: "interactor"))
    #expect(interactor?.items == [Row(id: 0)])
    interactor = nil
    #expect(gone == nil)
    #expect(bench.controller.act(.custom("star"), at: first) == .unhandled)
  }

  @Test func `delegate and view are not kept alive`() async {
    let bench = await loaded()
    var delegate: ItemDelegate? = ItemDelegate()
    bench.controller.delegate = delegate
    #expect(delegate?.told == [])
    delegate = nil
    #expect(bench.controller.delegate == nil)
    do {
      let view = RecordingListView()
      bench.controller.attach(view)
      #expect(bench.controller.view != nil)
      #expect(view.refreshing == 0)
    }
    #expect(bench.controller.view == nil)
    #expect(bench.controller.select(first) == .unhandled)
  }

  /// An item that deals with its selection.
  private final class Link: Identifiable, Decodable, CellItem {
    let id: Int
    let opens: Bool
    func rowSelected(at position: RowPosition) -> Bool { opens }
  }

  @Test func `an item may deal with its selection before its kind does`() async {
    let transport = MockTransport { _ in
      .json(#"[{"id":0,"opens":true},{"id":1,"opens":false}]"#)
    }
    let model = ListModel<Link>(
      Server("https://test", transport: transport), "/links", paging: .single)
    var kinds = CellKinds<Link>()
    kinds.add("link", for: Link.self) { $0.select = { _, _ in true } }
    let controller = ListController(model, kinds: kinds)
    _ = await model.refresh().outcome
    #expect(controller.select(first) == .handled(by: "item"))
    #expect(controller.select(second) == .handled(by: "kind"))
  }

  @Test func `provider, item, kind: the first that deals with a selection is the last`() async {
    var kinds = CellKinds<Row>()
    var selected: [Int] = []
    kinds.addStandard {
      $0.select = { row, _ in
        selected.append(row.id)
        return row.id == 0
      }
    }
    let bench = await loaded(kinds: kinds)
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    #expect(bench.controller.select(first) == .handled(by: "delegate") && selected.isEmpty)
    delegate.isDealing = false
    bench.controller.actions.add("late") { _ in true }
    #expect(bench.controller.select(first) == .handled(by: "kind") && selected == [0])
    #expect(bench.controller.act(.delete, at: first) == .handled(by: "late"))
    #expect(bench.controller.select(second) == .handled(by: "late") && selected == [0, 1])
  }

  /// Rows as a type that says nothing of selections.
  private struct Rows: CellDefinition {
    let kind: CellKind = "row"
    func height(of row: Row, in width: Double) -> Double? { 80 }
  }

  @Test func `a kind that says nothing of a selection leaves it to others`() async {
    var kinds = CellKinds<Row>()
    kinds.add(Rows())
    let bench = await loaded(kinds: kinds)
    var unhandled: [RowAction] = []
    bench.controller.onUnhandled = { unhandled.append($0.action) }
    #expect(bench.controller.select(first) == .unhandled && unhandled == [.select])
    #expect(bench.controller.height(at: first) == 80)
  }
}
