import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Actions on rows, and their handlers.
@MainActor struct RowActionTests {
  /// A delegate that uses items.
  private final class ItemDelegate: ListControllerDelegate {
    var calls: [String] = []
    var isDealing = true

    private func note(_ text: String) -> Bool {
      calls.append(text)
      return isDealing
    }

    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      guard let item else { return false }
      return switch action {
      case .move(let new): note("move \(item) to \(new)")
      case .swipe(let id): note("\(id) \(item)")
      default: note("\(action) \(item)")
      }
    }
    func editing(of item: Row?, at position: RowPosition) -> RowAction? {
      item?.id == 0 ? .delete : .insert
    }
    func canMove(_ item: Row?, at position: RowPosition) -> Bool { item?.id == 0 }
    func swipeActions(
      for item: Row?, at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> [RowAction.Swipe] {
      guard let item, edge == .trailing else { return [] }
      return [RowAction.Swipe("star", title: "Star \(item)")]
    }
  }

  /// A delegate that uses positions.
  private final class PositionDelegate: ListControllerDelegate {
    typealias Item = Row
    var calls: [String] = []

    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      switch action {
      case .move(let new): calls.append("move \(position) \(new)")
      case .swipe(let id): calls.append("\(id) \(position)")
      default: calls.append("\(action) \(position)")
      }
      return true
    }
    func editing(of item: Row?, at position: RowPosition) -> RowAction? { .delete }
    func canMove(_ item: Row?, at position: RowPosition) -> Bool { true }
    func swipeActions(
      for item: Row?, at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> [RowAction.Swipe] {
      [RowAction.Swipe("star", title: "Star")]
    }
  }

  private final class NoDelegate: ListControllerDelegate {
    typealias Item = Row
  }

  private let first = RowPosition(row: 0)
  private let second = RowPosition(row: 1)

  private func everything(_ controller: ListController<Row>, at position: RowPosition) -> [RowAction
    .Reply]
  {
    [
      controller.select(position), controller.deselect(position),
      controller.act(.delete, at: position), controller.act(.insert, at: position),
      controller.move(from: position, to: second), controller.act(.swipe("star"), at: position),
      controller.act(.show, at: position), controller.act(.hide, at: position),
    ]
  }

  private func loaded(
    _ count: Int = 3, kinds: CellKinds<Row> = CellKinds(),
    _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
  ) async -> ScreenBench {
    let bench = ScreenBench(rows: (0..<count).map { Row(id: $0) }, kinds: kinds, configure)
    _ = await bench.model.refresh().outcome
    return bench
  }

  @Test func `every row event has its item`() async {
    let bench = await loaded()
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    #expect(
      everything(bench.controller, at: first)
        == Array(repeating: .handled(by: "delegate"), count: 8))
    #expect(
      delegate.calls == [
        "select 0", "deselect 0", "delete 0", "insert 0", "move 0 to 0/1", "star 0", "show 0",
        "hide 0",
      ])
    #expect(bench.controller.editing(at: first) == .delete)
    #expect(bench.controller.editing(at: second) == .insert)
    #expect(bench.controller.canMove(first) && !bench.controller.canMove(second))
    #expect(bench.controller.swipeActions(at: first, on: .trailing).map(\.title) == ["Star 0"])
    #expect(bench.controller.swipeActions(at: first, on: .leading).isEmpty)
  }

  @Test func `a delegate can use positions`() async {
    let bench = await loaded()
    let delegate = PositionDelegate()
    bench.controller.delegate = delegate
    #expect(
      everything(bench.controller, at: first)
        == Array(repeating: .handled(by: "delegate"), count: 8))
    #expect(
      delegate.calls == [
        "select 0/0", "deselect 0/0", "delete 0/0", "insert 0/0", "move 0/0 0/1", "star 0/0",
        "show 0/0", "hide 0/0",
      ])
    #expect(bench.controller.editing(at: first) == .delete)
    #expect(bench.controller.canMove(first))
    #expect(bench.controller.swipeActions(at: first, on: .leading).map(\.id) == ["star"])
  }

  @Test func `an event of an evicted row has no item`() async {
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
    #expect(delegate.calls.first == "select \(position)")
    #expect(bench.controller.editing(at: position) == .delete)
    #expect(bench.controller.canMove(position))
    #expect(bench.controller.swipeActions(at: position, on: .leading).map(\.id) == ["star"])
    #expect(bench.controller.kind(at: position) == .standard)
    #expect(bench.controller.height(at: position) == 44)
    let items = ItemDelegate()
    bench.controller.delegate = items
    #expect(bench.controller.select(position) == .unhandled && items.calls.isEmpty)
  }

  @Test func `a delegate without methods handles nothing`() async {
    let bench = await loaded()
    let delegate = NoDelegate()
    bench.controller.delegate = delegate
    var unhandled: [(action: RowAction, item: Row?, position: RowPosition)] = []
    bench.controller.onUnhandled = { unhandled.append(($0, $1, $2)) }
    #expect(everything(bench.controller, at: first) == Array(repeating: .unhandled, count: 8))
    // Rows that become visible need no handler, but user actions do.
    #expect(
      unhandled.map(\.action) == [.select, .delete, .insert, .move(to: second), .swipe("star")])
    #expect(unhandled.allSatisfy { $0.item == Row(id: 0) && $0.position == first })
    #expect(bench.controller.editing(at: first) == nil)
    #expect(!bench.controller.canMove(first))
    #expect(bench.controller.swipeActions(at: first, on: .leading).isEmpty)
  }

  @Test func `an action on a missing row notifies nothing`() async {
    let bench = await loaded()
    let delegate = PositionDelegate()
    bench.controller.delegate = delegate
    bench.controller.onUnhandled = { _, _, _ in Issue.record("notified of a missing row") }
    let nowhere = RowPosition(section: 4, row: 2)
    #expect(everything(bench.controller, at: nowhere) == Array(repeating: .noRow, count: 8))
    #expect(bench.controller.move(from: first, to: RowPosition(row: 9)) == .noRow)
    #expect(delegate.calls.isEmpty)
    #expect(bench.controller.editing(at: nowhere) == .none && !bench.controller.canMove(nowhere))
  }

  @Test func `a row is deselected after every selection, or never`() async {
    let bench = await loaded()
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    bench.view.calls = []
    bench.controller.select(first)
    delegate.isDealing = false
    bench.controller.select(second)
    #expect(bench.view.calls == ["deselect 0/0", "deselect 0/1"])
    bench.controller.select(RowPosition(row: 99))
    bench.controller.settings.deselectsAfterSelection = false
    bench.view.calls = []
    bench.controller.select(first)
    #expect(bench.view.calls.isEmpty)
  }

  @Test func `handlers are tried in order, and unhandled actions are reported`() async {
    let bench = await loaded()
    var tried: [String] = []
    for name in ["a", "b", "c"] {
      bench.controller.actions.add(name) { action, _, _ in
        tried.append(name)
        return action == .custom(name)
      }
    }
    var unhandled: [RowAction] = []
    bench.controller.onUnhandled = { action, _, _ in unhandled.append(action) }
    #expect(bench.controller.act(.custom("b"), at: first) == .handled(by: "b"))
    #expect(tried == ["a", "b"])
    #expect(bench.controller.act(.custom("x"), at: first) == .unhandled)
    #expect(unhandled == [.custom("x")])
    bench.controller.actions.remove("b")
    #expect(bench.controller.act(.custom("b"), at: first) == .unhandled)
  }

  private final class Interactor {
    var items: [Row?] = []
    func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
      items.append(item)
      return true
    }
  }

  @Test func `an object in a handler is not kept alive`() async {
    let bench = await loaded()
    var interactor: Interactor? = Interactor()
    weak let gone = interactor
    bench.controller.actions.add("interactor") { [weak interactor] action, item, position in
      interactor?.handle(action, on: item, at: position) ?? false
    }
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
    #expect(delegate?.calls == [])
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

  /// An item that handles its own selection.
  private final class Link: Identifiable, Decodable {
    let id: Int
    let opens: Bool
  }

  @Test func `each item type can have its own selection handler`() async {
    let transport = MockTransport { _ in
      .json(#"[{"id":0,"opens":true},{"id":1,"opens":false}]"#)
    }
    let model = ListModel<Link>(
      Server("https://test", transport: transport), "/links", paging: .single)
    let controller = ListController(model)
    controller.actions.add("number", for: Int.self) { _, _, _ in true }
    controller.actions.add("item", for: Link.self) { action, link, _ in
      action == .select && link.opens
    }
    controller.actions.add("kind") { action, _, _ in action == .select }
    _ = await model.refresh().outcome
    #expect(controller.select(first) == .handled(by: "item"))
    #expect(controller.select(second) == .handled(by: "kind"))
    #expect(controller.act(.delete, at: first) == .unhandled)
  }

  @Test func `the first handler of a selection ends the chain`() async {
    var selected: [Int] = []
    let bench = await loaded()
    bench.controller.actions.add("row", for: Row.self) { action, row, _ in
      guard action == .select else { return false }
      selected.append(row.id)
      return row.id == 0
    }
    let delegate = ItemDelegate()
    bench.controller.delegate = delegate
    #expect(bench.controller.select(first) == .handled(by: "delegate") && selected.isEmpty)
    delegate.isDealing = false
    bench.controller.actions.add("late") { _, _, _ in true }
    #expect(bench.controller.select(first) == .handled(by: "row") && selected == [0])
    #expect(bench.controller.act(.delete, at: first) == .handled(by: "late"))
    #expect(bench.controller.select(second) == .handled(by: "late") && selected == [0, 1])
  }

  @Test func `unhandled actions are reported, whatever the cell rules`() async {
    var kinds = CellKinds<Row>()
    kinds.add("row", for: Row.self) { $0.height = { _, _ in 80 } }
    let bench = await loaded(kinds: kinds)
    var unhandled: [RowAction] = []
    bench.controller.onUnhandled = { action, _, _ in unhandled.append(action) }
    #expect(bench.controller.select(first) == .unhandled && unhandled == [.select])
    #expect(bench.controller.height(at: first) == 80)
  }
}
