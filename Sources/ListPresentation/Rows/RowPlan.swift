internal import ListModel

/// A plan that makes the rows of a screen from the rows of a list: which items are shown, the row of each, what
/// is inserted between and around them, and where sections start. Every part has a default.
///
/// The closures return rows of one type; use an enum if they differ. ``row``, ``filter`` and ``separator`` are
/// called only when their arguments are new or have changed, so they must depend on nothing else. ``section``
/// is called again for all rows when the list changes anywhere but at its end.
public struct RowPlan<Item, Row> {
  /// Makes the row of an item.
  public var row: (Item) -> Row {
    didSet { unchanged = nil }
  }
  /// Whether an item has a row. Rows of evicted pages are always shown, because their items are unknown.
  public var filter: ((Item) -> Bool)?
  /// Makes the separator between the rows of two items, or `nil`. It belongs to the lower row, and is made for
  /// adjacent shown items, also of different pages. Rows of evicted pages have no separators.
  public var separator: ((_ above: Item, _ below: Item) -> Row?)?
  /// Makes the row above all others, or `nil`.
  public var header: ((ListFacts) -> Row?)?
  /// Makes the row below all others, or `nil`.
  public var footer: ((ListFacts) -> Row?)?
  /// The section of an item. If `nil`, there is one section without titles.
  ///
  /// All rows with one label are in one section, in the place of its first row, unless ``mergesSections`` is `false`.
  public var section: ((Item) -> SectionLabel)?
  /// Whether all rows with one label are in one section, so that a row that is appended to the list may appear further
  /// up. Otherwise a section starts wherever an item has another label than the item above, and the order of the list is
  /// kept. The default is `true`.
  public var mergesSections = true

  /// Returns the rows of the list unchanged, if the rows are the items.
  private(set) var unchanged: ((ListSnapshot<Item>) -> ListSnapshot<Row>)?

  /// Creates a plan with a row for each item, and nothing else.
  public init(row: @escaping (Item) -> Row) { self.row = row }

  /// Whether the rows are those of the list, so that none has to be stored.
  var isPlain: Bool { unchanged != nil && filter == nil && separator == nil && !hasEnds }

  /// Whether there may be rows above and below those of the list.
  var hasEnds: Bool { header != nil || footer != nil }
}

extension RowPlan where Item == Row {
  /// Creates a plan whose rows are the items.
  public init() {
    self.init { $0 }
    unchanged = { $0 }
  }
}

/// The rows of a list as a ``RowPlan`` arranges them, in sections. A plain value: the change of the list goes
/// in, and the change of all rows comes out.
struct RowArrangement<Item, Row> {
  private(set) var plan: RowPlan<Item, Row>
  private var list: ListSnapshot<Item>
  private var facts: ListFacts
  /// The rows made by the plan; `nil` if they are those of the list, which aren't stored twice.
  private var planned: RowTransformation<Item, Row>?
  private var runs = SectionRuns<Item, Row>()

  /// Arranges the rows of a list.
  init(_ plan: RowPlan<Item, Row>, of list: ListSnapshot<Item>, _ facts: ListFacts) {
    self.plan = plan
    self.list = list
    self.facts = facts
    if !plan.isPlain { planned = RowTransformation(plan, of: list, facts) }
    divide()
  }

  /// The current sections.
  var sections: ListSections<Row> {
    if let planned {
      return runs.sections(of: .planned(planned.rows), offset: planned.rows.offset)
    }
    return plan.unchanged.map { runs.sections(of: .list($0(list)), offset: 0) } ?? ListSections()
  }

  /// Whether the rows are exactly those of the list.
  var isPlain: Bool { planned == nil }

  /// Applies a step of the list, which may have left its rows unchanged.
  ///
  /// - Returns: The change of all rows.
  mutating func apply(
    _ change: ListChange, to list: ListSnapshot<Item>, _ facts: ListFacts
  ) -> ListChange {
    if plan.section != nil { runs.follow(change, to: list, from: planned?.rows.entries) }
    self.list = list
    self.facts = facts
    let result = planned?.apply(change, to: list, facts)
    divide()
    return result ?? change
  }

  /// Applies another plan, or the same one again. Rows that come out equal count as unchanged.
  mutating func use(_ plan: RowPlan<Item, Row>) -> ListChange {
    var change = ListChange()
    if !isPlain || !plan.isPlain {
      var next = planned ?? RowTransformation(self.plan, of: list, facts)
      change = next.use(plan)
      planned = plan.isPlain ? nil : next
    }
    self.plan = plan
    runs = SectionRuns()
    divide()
    return change
  }

  private mutating func divide() {
    runs.extend(to: list, planned?.rows.entries, label: plan.section, merging: plan.mergesSections)
  }
}
