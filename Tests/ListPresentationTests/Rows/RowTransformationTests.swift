import Testing

@testable import ListModel
@testable import ListPresentation

/// Each part of a plan on its own. Lists are written as their items; `-` is an evicted row.
struct RowTransformationTests {
  private func transformation(
    _ rows: [Leaf?], _ facts: ListFacts = ListFacts(),
    _ configure: (inout RowPlan<Leaf, String>) -> Void = { _ in }
  ) -> RowTransformation<Leaf, String> {
    var plan = RowPlan<Leaf, String>(
      filtered: false, separated: false, headed: false, footed: false)
    configure(&plan)
    return RowTransformation(plan, of: ListSnapshot(rows), facts)
  }

  private func leaves(_ ids: some Sequence<Int>, group: Int = 0) -> [Leaf] {
    ids.map { Leaf(id: $0, group: group) }
  }

  @Test func `rows change as their items do`() {
    var rows = transformation(leaves(1...4))
    #expect(rows.texts == ["1", "2", "3", "4"])
    let change = ListChange(
      removed: [0..<1], inserted: [2..<3], moved: [.init(from: 3, to: 0)], updated: [1..<2])
    let after = [Leaf(id: 4), Leaf(id: 2, text: 1), Leaf(id: 5), Leaf(id: 3)]
    #expect(rows.apply(change, to: ListSnapshot(after), ListFacts()) == change)
    #expect(rows.texts == ["4", "2.1", "5", "3"])
  }

  @Test(arguments: [
    (false, true, ListChange(removed: [1..<2]), ["1", "3"]),
    (true, false, ListChange(inserted: [1..<2]), ["1", "2", "3"]),
    (false, false, ListChange(updated: [1..<2]), ["1", "2", "3"]),
    (true, true, ListChange(), ["1", "3"]),
  ])
  func `an update that changes visibility removes or inserts the row`(
    isHidden: Bool, isHiddenAfter: Bool, expected: ListChange, texts: [String]
  ) {
    var list = leaves(1...3)
    list[1].isHidden = isHidden
    var rows = transformation(list) { $0.filter = { !$0.isHidden } }
    list[1].isHidden = isHiddenAfter
    let change = rows.apply(ListChange(updated: [1..<2]), to: ListSnapshot(list), ListFacts())
    #expect(change == expected)
    #expect(rows.texts == texts)
  }

  @Test func `a row that passes only hidden rows does not move`() {
    let (shown, hidden) = (leaves(1...2), Leaf(id: 3, isHidden: true))
    var rows = transformation([hidden] + shown) { $0.filter = { !$0.isHidden } }
    let change = rows.apply(
      ListChange(moved: [.init(from: 1, to: 0)]), to: ListSnapshot([shown[0], hidden, shown[1]]),
      ListFacts())
    #expect(change.isEmpty)
    #expect(rows.texts == ["1", "2"])
  }

  @Test func `a separator is between shown neighbors, also across pages`() {
    var list = leaves(1...4) + leaves(5...6, group: 1)
    list[3].isHidden = true
    var rows = transformation(list, .separated)
    #expect(rows.texts == ["1", "2", "3", "0|1", "5", "6"])

    // A page of the next group, and one before the first.
    list += leaves(7...8, group: 2)
    let behind = rows.apply(ListChange(inserted: [6..<8]), to: ListSnapshot(list), ListFacts())
    #expect(behind == ListChange(inserted: [6..<9]))
    #expect(rows.texts == ["1", "2", "3", "0|1", "5", "6", "1|2", "7", "8"])
    list.insert(Leaf(id: 0, group: 9), at: 0)
    let before = rows.apply(ListChange(inserted: [0..<1]), to: ListSnapshot(list), ListFacts())
    #expect(before == ListChange(inserted: [0..<2]))
    #expect(rows.texts.prefix(3) == ["0", "9|0", "1"])
  }

  @Test func `removing the items between two groups removes their separators`() {
    var rows = transformation(
      leaves(1...2) + leaves(3...3, group: 1) + leaves(4...5), .separated)
    #expect(rows.texts == ["1", "2", "0|1", "3", "1|0", "4", "5"])
    let change = rows.apply(
      ListChange(removed: [2..<3]), to: ListSnapshot(leaves([1, 2, 4, 5])), ListFacts())
    #expect(change == ListChange(removed: [2..<5]))
  }

  @Test func `only changed separators are updated`() {
    let lower = leaves(4...4, group: 2)
    var rows = transformation(
      leaves(1...2) + leaves(3...3, group: 1) + lower, .separated)
    #expect(rows.texts == ["1", "2", "0|1", "3", "1|2", "4"])
    let updated = rows.apply(
      ListChange(removed: [2..<3]), to: ListSnapshot(leaves(1...2) + lower), ListFacts())
    #expect(updated == ListChange(removed: [2..<4], updated: [2..<3]))
    #expect(rows.texts == ["1", "2", "0|2", "4"])
    let same = rows.apply(
      ListChange(removed: [1..<2]), to: ListSnapshot(leaves(1...1) + lower), ListFacts())
    #expect(same == ListChange(removed: [1..<2]))
  }

  @Test func `evicted rows keep their place without separators, despite a filter`() {
    let list = leaves(1...2) + leaves(3...4, group: 1)
    var rows = transformation(list) {
      $0.filter = { $0.id != 2 }
      $0.separator = { "\($0.group)|\($1.group)" }
    }
    #expect(rows.texts == ["1", "0|1", "3", "1|1", "4"])
    let away = ListSnapshot([list[0], nil, nil, list[3]])
    let givenUp = rows.apply(ListChange(updated: [1..<3]), to: away, ListFacts())
    #expect(rows.texts == ["1", "page 1", "page 1", "4"])
    #expect(givenUp == ListChange(removed: [1..<2, 3..<4], inserted: [1..<2], updated: [2..<3]))
    let back = rows.apply(ListChange(updated: [1..<3]), to: ListSnapshot(list), ListFacts())
    #expect(rows.texts == ["1", "0|1", "3", "1|1", "4"])
    #expect(back == ListChange(removed: [1..<2], inserted: [1..<2, 3..<4], updated: [2..<3]))
  }

  @Test func `header and footer follow the state of the list`() {
    var facts = ListFacts()
    facts.nextState = .loading
    var rows = transformation([], facts) {
      $0.header = { $0.shownRows == 0 ? nil : "\($0.shownRows) rows" }
      $0.footer = { $0.nextState == .loading ? "loading" : $0.shownRows == 0 ? "nothing" : nil }
    }
    #expect(rows.texts == ["loading"])
    facts.nextState = .idle
    let list = ListSnapshot<Leaf>(leaves(1...2))
    let first = rows.apply(ListChange(inserted: [0..<2]), to: list, facts)
    #expect(first == ListChange(removed: [0..<1], inserted: [0..<3]))
    #expect(rows.texts == ["2 rows", "1", "2"])
    facts.nextState = .loading
    #expect(rows.apply(ListChange(), to: list, facts) == ListChange(inserted: [3..<4]))
    #expect(rows.apply(ListChange(), to: list, facts).isEmpty)
    let second = rows.apply(
      ListChange(inserted: [2..<3]), to: ListSnapshot(leaves(1...3)), facts)
    #expect(second == ListChange(inserted: [3..<4], updated: [0..<1]))
    #expect(rows.texts == ["3 rows", "1", "2", "3", "loading"])
    facts.nextState = .idle
    let last = rows.apply(ListChange(removed: [0..<3]), to: ListSnapshot([]), facts)
    #expect(rows.texts == ["nothing"])
    #expect(last == ListChange(removed: [0..<4], updated: [0..<1]))
  }

  @Test func `setting another plan changes only what differs`() {
    var list = leaves(1...3)
    list[1].isHidden = true
    var rows = transformation(list)
    var plan = rows.plan
    plan.filter = { !$0.isHidden }
    plan.footer = { "\($0.shownRows) rows" }
    #expect(rows.use(plan) == ListChange(removed: [1..<2], inserted: [2..<3]))
    #expect(rows.texts == ["1", "3", "2 rows"])
    plan.row = { $0.id == 1 ? "first" : "\($0.id)" }
    #expect(rows.use(plan) == ListChange(updated: [0..<1]))
  }

  @Test func `an update is reported even if the rows can't be compared`() {
    var rows = transformation(leaves(1...3), .separated)
    let change = ListChange(updated: [1..<2])
    #expect(rows.apply(change, to: ListSnapshot(leaves(1...3)), ListFacts()) == change)
  }

  @Test func `a change that doesn't fit replaces all rows`() {
    var rows = transformation(leaves(1...3))
    let list = ListSnapshot<Leaf>(leaves(7...8))
    for change in [ListChange(), ListChange(updated: [5..<6]), ListChange(removed: [0..<2])] {
      let old = rows.texts
      let applied = rows.apply(change, to: list, ListFacts())
      #expect(applied.applied(to: old) { rows.texts[$0] } == ["7", "8"])
      #expect(rows.texts == ["7", "8"])
      rows = transformation(leaves(1...3))
    }
  }

  @Test func `a page after 100,000 rows makes only its own rows`() {
    var asked = 0
    var rows = transformation(leaves(0..<100_000)) {
      $0.row = { leaf in
        asked += 1
        return "\(leaf.id)"
      }
      $0.filter = { _ in
        asked += 1
        return true
      }
      $0.separator = { _, _ in
        asked += 1
        return nil
      }
    }
    asked = 0
    let (old, list) = (rows.rows, ListSnapshot<Leaf>(leaves(0..<100_020)))
    let change = rows.apply(ListChange(inserted: [100_000..<100_020]), to: list, ListFacts())
    #expect(change == ListChange(inserted: [100_000..<100_020]))
    #expect(asked == 60)
    #expect((old.count, rows.rows.count) == (100_000, 100_020))

    asked = 0
    _ = rows.apply(ListChange(updated: [50_000..<50_001]), to: list, ListFacts())
    #expect(asked == 4, "one item, and the separators on both sides")
  }

  @Test(arguments: [
    (0..<1, 0..<1), (1..<2, 0..<3), (2..<3, 2..<4), (3..<4, 3..<4), (4..<5, 4..<6), (5..<6, 5..<6),
    (0..<6, 0..<6),
  ])
  func `visible rows cover their items and adjacent hidden ones`(
    seen: Range<Int>, positions: Range<Int>
  ) {
    var list = leaves(0...2) + leaves(3...5, group: 1)
    for hidden in [0, 2, 5] { list[hidden].isHidden = true }
    let rows = transformation(list) {
      $0.filter = { !$0.isHidden }
      $0.separator = { $0.group == $1.group ? nil : "\($0.group)|\($1.group)" }
      $0.header = { _ in "top" }
      $0.footer = { _ in "bottom" }
    }
    #expect(rows.texts == ["top", "1", "0|1", "3", "4", "bottom"])
    #expect(rows.rows.positions(of: seen) == positions)
  }

  private func transformation(
    _ rows: [Leaf?], _ plan: RowPlan<Leaf, String>
  ) -> RowTransformation<Leaf, String> {
    RowTransformation(plan, of: ListSnapshot(rows), ListFacts())
  }
}

extension RowPlan<Leaf, String> {
  fileprivate static var separated: RowPlan {
    RowPlan(filtered: true, separated: true, headed: false, footed: false)
  }
}

extension RowTransformation<Leaf, String> {
  fileprivate var texts: [String] { rows.texts }
}
