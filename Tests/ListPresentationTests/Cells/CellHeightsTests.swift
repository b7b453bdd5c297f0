import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListPresentation

/// An item that may have its own height.
struct Card: Identifiable, CellItem, Sendable, Decodable {
  var id = 0
  var height: Double?
  var rowVersion = 0
  var cellKind: CellKind? { "card" }
  func rowHeight(in width: Double) -> Double? { height }
}

/// Heights of rows.
struct CellHeightsTests {
  /// The heights of item and rule, and the resulting one.
  struct Asked: Sendable {
    var item: Double?
    var rule: Double?
    var asksItems = true
    var expected: Double
    var refused: Set<HeightRefusal.Source> = []
  }

  static let table: [Asked] = [
    Asked(expected: 44),
    Asked(rule: 10, expected: 10),
    Asked(item: 20, rule: 10, expected: 20),
    Asked(item: 20, expected: 20),
    Asked(item: 0, rule: 20, expected: 0),
    Asked(item: 20, rule: 30, asksItems: false, expected: 30),
    Asked(item: .nan, rule: 20, expected: 20, refused: [.item]),
    Asked(item: .infinity, rule: -1, expected: 44, refused: [.item, .rule]),
    Asked(item: 20, rule: -0.5, asksItems: false, expected: 44, refused: [.rule]),
  ]

  /// Creates heights with a rule for cards.
  private func heights(
    identity: ItemIdentity<Card> = .id, width: Double = 0,
    _ height: @escaping @Sendable (Card, Double) -> Double?
  ) -> CellKinds<Card>.Heights {
    var kinds = CellKinds<Card>()
    kinds.add("card", for: Card.self) { $0.height = height }
    return CellKinds.Heights(kinds, identity: identity, width: width)
  }

  @Test(arguments: table)
  func `a height comes from the item, else the rule, else the default`(asked: Asked) {
    var kinds = CellKinds<Card>()
    kinds.add("card", for: Card.self) { $0.height = { _, _ in asked.rule } }
    kinds.asksItems = asked.asksItems
    let heights = CellKinds.Heights(kinds, identity: .id)
    #expect(heights.height(of: Card(height: asked.item)) == asked.expected)
    #expect(Set(heights.refusals.map(\.source)) == asked.refused)
  }

  @Test func `the default height is 44, and 0 without an item`() {
    let heights = CellKinds<Card>.Heights(identity: .id)
    #expect(heights.height(of: Card()) == 44)
    #expect(heights.height(of: nil) == 0)
    #expect(CellKinds<Card>.Heights(identity: .id, standard: 60).height(of: Card()) == 60)
    #expect(CellKinds<Card>.Heights(identity: .id, standard: .nan).standard == 44)
  }

  @Test func `a view decides about rows that the program gives no height`() async {
    let heights = CellKinds<Card>.Heights(identity: .id)
    #expect(heights.givenHeight(of: Card()) == nil && heights.givenHeight(of: nil) == nil)
    #expect(heights.givenHeight(of: Card(id: 1, height: 30)) == 30)
    let given = CellKinds<Card>.Heights(identity: .id, standard: 60)
    #expect(given.givenHeight(of: Card()) == 60 && given.givenHeight(of: nil) == 60)
  }

  @Test func `an invalid height is reported with its source and value`() {
    let heights = heights { _, _ in .nan }
    _ = heights.height(of: Card())
    #expect(
      heights.refusals.map(\.description) == [
        "invalid height nan from the rule of a row of kind “card”: "
          + "return a finite number that is at least 0, or nil for the default"
      ])
  }

  @Test func `a row is measured once, and again for another version or width`() {
    let heights = heights(width: 320) { $1 / 4 + Double($0.rowVersion) }
    for _ in 0..<3 { #expect(heights.height(of: Card(id: 1)) == 80) }
    #expect(heights.measured == 1)
    #expect(heights.height(of: Card(id: 1, rowVersion: 1)) == 81)
    #expect(heights.measured == 2)
    heights.width = 320
    heights.width = .nan
    heights.width = -1
    #expect(heights.height(of: Card(id: 1, rowVersion: 1)) == 81)
    #expect(heights.measured == 2)
    heights.width = 400
    #expect(heights.height(of: Card(id: 1, rowVersion: 1)) == 101)
    #expect(heights.measured == 3)
  }

  @Test func `invalidation measures one row, one kind or all again`() {
    let heights = CellKinds<Card>.Heights(identity: .id)
    func measured(_ invalidate: () -> Void) -> Int {
      for id in 0..<3 { _ = heights.height(of: Card(id: id)) }
      let before = heights.measured
      invalidate()
      for id in 0..<3 { _ = heights.height(of: Card(id: id)) }
      return heights.measured - before
    }
    #expect(measured {} == 0)
    #expect(measured { heights.invalidate(1 as RowID) } == 1)
    #expect(measured { heights.invalidate("other" as CellKind) } == 0)
    #expect(measured { heights.invalidate("card" as CellKind) } == 3)
    #expect(measured { heights.invalidateAll() } == 3)
  }

  @MainActor @Test func `a row with a version is measured once, with its page`() async {
    let version = Lock(1)
    let transport = MockTransport { _ in
      let version = version.withLock { $0 }
      return .json(#"[{"id": 0, "height": \#(version * 10), "rowVersion": \#(version)}]"#)
    }
    let heights = CellKinds<Card>.Heights(identity: .id)
    let model = ListModel<Card>(
      Server("https://test", transport: transport), "/cards", paging: .single
    ) { $0.measure(with: heights) }
    let controller = ListController(model, heights: heights)
    for count in 1...2 {
      version.withLock { $0 = count }
      _ = await model.refresh().outcome
      #expect(heights.measured == count)
      #expect(controller.height(at: RowPosition(row: 0)) == Double(count * 10))
      #expect(heights.measured == count)
    }
  }

  @MainActor @Test func `heights of rows that are no longer in memory are forgotten`() async {
    let heights = CellKinds<Row>.Heights(identity: .id)
    let transport = MockTransport { request in
      let first = (request.query["page"].flatMap { Int($0) } ?? 0) * 10
      return page((first..<first + 10).map { Row(id: $0) }, more: true)
    }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(size: 10, first: 0, endsBy: .hasNext("more"))
    ) {
      $0.window = .rows(30)
      $0.measure(with: heights)
    }
    let controller = ListController(model, heights: heights)
    await model.loadAll(upTo: 200)
    #expect(controller.sections.rowCount == 200 && heights.count <= 40)
    #expect(controller.height(at: RowPosition(row: 199)) == 44 && heights.count <= 40)
    _ = await model.loadPage(50).outcome
    #expect(heights.count == 10)
  }

  @Test func `a measurement that started before an invalidation is dropped`() {
    let holder = Lock<CellKinds<Card>.Heights?>(nil)
    let heights = heights { _, _ in
      holder.withLock { $0 }?.invalidateAll()
      return 10
    }
    holder.withLock { $0 = heights }
    #expect(heights.height(of: Card()) == 10)
    #expect(heights.height(of: Card()) == 10)
    #expect(heights.measured == 2)
    holder.withLock { $0 = nil }
  }

  @Test func `the same invalid height of many rows is reported once`() {
    let heights = heights { card, _ in -Double(card.id) }
    for id in 1...100 { #expect(heights.height(of: Card(id: id)) == 44) }
    #expect(heights.refusals.map(\.value) == ["-1.0"])
  }

  @Test func `items without identity are measured each time`() {
    let heights = CellKinds<Card>.Heights(identity: .none)
    _ = heights.height(of: Card())
    _ = heights.height(of: Card())
    #expect(heights.measured == 2)
  }

  @MainActor @Test func `rows are measured with their page, away from the main actor`() async {
    let isOnMain = Lock<[Bool]>([])
    let kinds = CellKinds<Row> {
      $0.height = { row, width in
        isOnMain.withLock { $0.append(isMainThread()) }
        return width + Double(row.id)
      }
    }
    let heights = CellKinds.Heights(kinds, identity: .id, width: 100)
    let transport = MockTransport { _ in page((0..<3).map { Row(id: $0) }, more: false) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: "rows", paging: .single
    ) {
      $0.measure(with: heights)
      $0.filter = { $0.id != 1 }
    }
    let controller = ListController(model, heights: heights)
    _ = await model.refresh().outcome
    #expect(isOnMain.withLock { $0 } == [false, false])
    #expect(controller.height(at: RowPosition(row: 0)) == 100)
    #expect(controller.height(at: RowPosition(row: 1)) == 102)
    #expect(controller.height(at: RowPosition(row: 2)) == 0)
    #expect(heights.measured == 2)
  }
}
