import QuireTesting

@testable import ListModel
@testable import ListPresentation
@testable import ListReading

/// An item of these tests: its id, text, group and visibility.
struct Leaf: Hashable {
  var id: Int
  var text = 0
  var group = 0
  var isHidden = false
}

extension RowPlan<Leaf, String> {
  /// Rows such as `7`, or `7.2` for other content, with the requested extras.
  init(
    filtered: Bool, separated: Bool, headed: Bool, footed: Bool, divided: Bool = false
  ) {
    self.init { $0.text == 0 ? "\($0.id)" : "\($0.id).\($0.text)" }
    if filtered { filter = { !$0.isHidden } }
    if separated { separator = { $0.group == $1.group ? nil : "\($0.group)|\($1.group)" } }
    if headed { header = { $0.shownRows == 0 ? nil : "\($0.shownRows) rows" } }
    if footed { footer = { $0.nextState == .idle ? nil : "\($0.nextState) below \($0.shownRows)" } }
    if divided { section = { SectionLabel($0.group, header: "\($0.text)") } }
    mergesSections = false
  }
}

extension ListSnapshot {
  /// Creates rows in pages that end where the kind of row changes, and after four rows.
  init(_ rows: [Item?]) {
    var tree = PageTree<Item>()
    var start = 0
    while start < rows.count {
      let isLoaded = rows[start] != nil
      let limit = Swift.min(rows.count, (start / 4 + 1) * 4)
      let end = (start..<limit).first { (rows[$0] != nil) != isLoaded } ?? limit
      let items = rows[start..<end].compactMap(\.self)
      tree.insert(
        StoredPage(
          id: PageID(order: start), key: nil,
          content: isLoaded ? .items(items) : .evicted(count: end - start), ids: nil))
      start = end
    }
    self.init(tree)
  }

  var allRows: [ListRow<Item>] { (0..<count).compactMap { row(at: $0) } }
}

extension ListRow<String> {
  var text: String {
    switch self {
    case .item(let text): text
    case .notLoaded, .gap: placeholder
    }
  }
}

extension ListRow {
  /// The text of a row without an item.
  fileprivate var placeholder: String {
    switch self {
    case .item: ""
    case .notLoaded(let page): "page \(page.order)"
    case .gap(let gap): "gap \(gap.id.order)"
    }
  }
}

extension PlannedRows<String> {
  var texts: [String] { (0..<count).compactMap { row(at: $0)?.text } }
}

extension ListSections<String> {
  var texts: [[String]] { sections.map { $0.rows.map(\.text) } }
}

/// A list and the rows made from it, both after random steps.
struct TransformedWorld {
  /// The rows; `nil` for an evicted one.
  private var leaves: [Leaf?] = []
  private var list = ListSnapshot<Leaf>()
  private var facts = ListFacts()
  private var plan: RowPlan<Leaf, String>
  private var arrangement: RowArrangement<Leaf, String>
  /// The same with items as rows, which aren't stored twice if the plan does nothing.
  private var items: RowArrangement<Leaf, Leaf>
  private var lastID = 0
  /// The first failure.
  private(set) var problem: String?

  init(features: UInt64) {
    plan = Self.plan(features)
    arrangement = RowArrangement(plan, of: list, facts)
    items = RowArrangement(Self.itemPlan(features), of: list, facts)
  }

  private static func plan(_ features: UInt64) -> RowPlan<Leaf, String> {
    RowPlan(
      filtered: features & 1 != 0, separated: features & 2 != 0, headed: features & 4 != 0,
      footed: features & 8 != 0, divided: features & 16 != 0)
  }

  private static func itemPlan(_ features: UInt64) -> RowPlan<Leaf, Leaf> {
    var plan = RowPlan<Leaf, Leaf>()
    if features & 1 != 0 { plan.filter = { !$0.isHidden } }
    plan.mergesSections = false
    if features & 16 != 0 { plan.section = { SectionLabel($0.group, header: "\($0.text)") } }
    return plan
  }

  /// Performs the step of a number.
  mutating func step(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (old, oldItems) = (arrangement.sections, items.sections)
    let change: ListChange
    let itemChange: ListChange
    var cause = ListChange()
    if Int.random(in: 0..<10, using: &random) == 0 {
      let features = UInt64.random(in: 0..<32, using: &random)
      plan = Self.plan(features)
      change = arrangement.use(plan)
      itemChange = items.use(Self.itemPlan(features))
    } else {
      facts.nextState = Bool.random(using: &random) ? .idle : .loading
      cause = rearrange(by: &random)
      change = arrangement.apply(cause, to: list, facts)
      itemChange = items.apply(cause, to: list, facts)
    }
    check(change, of: old.texts.flatMap(\.self), caused: cause)
    checkSections(old, arrangement.sections, change)
    checkSections(oldItems, items.sections, itemChange)
    checkGroups()
  }

  /// Changes the rows at random, and returns the change.
  private mutating func rearrange(by random: inout SeededGenerator) -> ListChange {
    func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func some(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
    var (removals, moves, updates, insertions) = (0, 0, 0, 0)
    var isAppending = false
    switch some(6) {
    case 0: break
    case 1, 2: (isAppending, insertions) = (true, some(6))
    case 3: insertions = some(3)
    case 4: updates = 30
    case 5: moves = 25
    default: (removals, moves, updates, insertions) = (some(80), some(20), some(30), some(4))
    }
    var rows: [(leaf: Leaf?, from: Int?, isMoved: Bool)] = []
    var lifted: [(leaf: Leaf?, from: Int?, isMoved: Bool)] = []
    for (position, leaf) in leaves.enumerated() where !happens(removals) {
      if happens(moves) {
        lifted.append((leaf, position, true))
      } else {
        rows.append((leaf, position, false))
      }
    }
    for _ in 0..<insertions { lifted.append((newLeaf(by: &random), nil, false)) }
    for row in lifted { rows.insert(row, at: isAppending ? rows.count : some(rows.count)) }

    let before = list.allRows
    var change = ListChange()
    var updated: Set<Int> = []
    for at in rows.indices where rows[at].from != nil && happens(updates) {
      updated.insert(at)
      rows[at].leaf = rows[at].leaf.map { leaf in
        var leaf = leaf
        leaf.text = some(2)
        leaf.group = some(2)
        leaf.isHidden = happens(30)
        return leaf
      }
      if happens(20) { rows[at].leaf = rows[at].leaf == nil ? newLeaf(by: &random) : nil }
    }
    leaves = rows.map(\.leaf)
    list = ListSnapshot(leaves)
    for (at, row) in list.allRows.enumerated() {
      guard let from = rows[at].from else {
        change.inserted.extend(with: at)
        continue
      }
      if rows[at].isMoved { change.moved.append(ListChange.Move(from: from, to: at)) }
      if updated.contains(at) || before[from] != row { change.updated.extend(with: at) }
    }
    let kept = Set(rows.compactMap(\.from))
    change.removed = [Range<Int>](before.indices.filter { !kept.contains($0) })
    return change
  }

  private mutating func newLeaf(by random: inout SeededGenerator) -> Leaf? {
    lastID += 1
    guard Int.random(in: 0..<10, using: &random) > 0 else { return nil }
    return Leaf(
      id: lastID, group: .random(in: 0...2, using: &random),
      isHidden: Int.random(in: 0..<10, using: &random) < 3)
  }

  // MARK: - Invariants

  private mutating func check(
    _ change: ListChange, of before: [String], caused cause: ListChange
  ) {
    let after = arrangement.sections.texts.flatMap(\.self)
    let expected = expectedRows
    if after != expected { return problem = "\(after) is not \(expected) after \(cause)" }
    guard let applied = change.applied(to: before, new: { after[$0] }), applied == after else {
      return problem = "\(change) does not lead from \(before) to \(after)"
    }
    let insertedIDs = Set(change.inserted.joined().compactMap { Self.id(after[$0]) })
    let removedIDs = Set(change.removed.joined().compactMap { Self.id(before[$0]) })
    if !insertedIDs.isDisjoint(with: removedIDs) {
      return problem = "\(change) of \(before) takes rows out that it puts back"
    }
    let movedIDs = Set(cause.moved.compactMap { list.row(at: $0.to)?.item?.id })
    for move in change.moved {
      if let id = Self.id(after[move.to]), !movedIDs.contains(id) {
        return problem = "\(change) moves \(id), which did not move in \(cause)"
      }
    }
    let updatedIDs = Set(cause.updated.joined().compactMap { list.row(at: $0)?.item?.id })
    for position in change.updated.joined() {
      if let id = Self.id(after[position]), !updatedIDs.contains(id),
        before.contains(after[position])
      {
        return problem = "\(change) updates \(id), which is as it was"
      }
    }
  }

  /// Checks that the change of the sections leads from those before to those after.
  private mutating func checkSections<Row: Equatable>(
    _ old: ListSections<Row>, _ new: ListSections<Row>, _ change: ListChange
  ) {
    guard
      let made = SectionsChange(from: old, to: new, by: change, identity: ItemIdentity<Row>.none)
    else { return problem = "\(change) can't be expressed for sections" }
    let (before, after) = (old.sections.map { Array($0.rows) }, new.sections.map { Array($0.rows) })
    let applied = made.applied(
      to: before, newRow: { after[$0.section][$0.row] }, newSection: { after[$0] })
    if applied != after {
      problem = "\(made), made of \(change), does not lead from \(before) to \(after)"
    }
  }

  /// Checks that each section has the items of one group, and that the next one has another.
  private mutating func checkGroups() {
    guard plan.section != nil else { return }
    let groups = items.sections.sections.map { Set($0.items.map(\.group)) }
    if groups.contains(where: { $0.count > 1 }) { problem = "\(groups) share sections" }
    let isWhole = leaves.allSatisfy { $0 != nil }
    if isWhole, zip(groups, groups.dropFirst()).contains(where: ==) {
      problem = "\(groups) are apart"
    }
    let shown = items.sections.sections.flatMap(\.items)
    let expected = list.items.filter { plan.filter?($0) != false }
    if shown != expected { problem = "\(shown) is not \(expected)" }
  }

  /// Returns the item of a row; `nil` for other rows.
  private static func id(_ text: String) -> Int? {
    text.contains("|") ? nil : text.split(separator: ".").first.flatMap { Int($0) }
  }

  /// Returns the rows, made from the list alone.
  private var expectedRows: [String] {
    var texts: [String] = []
    var above: Leaf?
    var count = 0
    for row in list.allRows {
      switch row {
      case .notLoaded, .gap:
        texts.append(row.placeholder)
        above = nil
      case .item(let leaf):
        if plan.filter?(leaf) == false { continue }
        if let above, let text = plan.separator?(above, leaf) { texts.append(text) }
        texts.append(plan.row(leaf))
        above = leaf
      }
      count += 1
    }
    var facts = facts
    facts.shownRows = count
    let ends = (plan.header?(facts), plan.footer?(facts))
    return [ends.0, ends.1].enumerated().reduce(into: texts) { rows, end in
      if let text = end.element { rows.insert(text, at: end.offset == 0 ? 0 : rows.count) }
    }
  }
}
