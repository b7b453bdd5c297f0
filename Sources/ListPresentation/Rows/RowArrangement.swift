internal import ListModel

/// The rows of a list as a ``RowPlan`` arranges them, in sections. A plain value: what happened to the list
/// goes in, and what happened to all rows, counted through, comes out.
struct RowArrangement<Item, Row> {
  private(set) var plan: RowPlan<Item, Row>
  private var list: ListSnapshot<Item>
  private var facts: ListFacts
  /// What the plan made; `nil` where the rows are those of the list, which are not kept a second time.
  private var planned: RowTransformation<Item, Row>?
  private var runs = SectionRuns<Item, Row>()

  /// The rows of a list.
  init(_ plan: RowPlan<Item, Row>, of list: ListSnapshot<Item>, _ facts: ListFacts) {
    self.plan = plan
    self.list = list
    self.facts = facts
    if !plan.isPlain { planned = RowTransformation(plan, of: list, facts) }
    divide()
  }

  /// The sections now.
  var sections: ListSections<Row> {
    if let planned {
      return runs.sections(of: .planned(planned.rows), offset: planned.rows.offset)
    }
    return plan.unchanged.map { runs.sections(of: .list($0(list)), offset: 0) } ?? ListSections()
  }

  /// Whether the rows are those of the list, one for one.
  var isPlain: Bool { planned == nil }

  /// Follows a step of the list, perhaps one that left its rows alone.
  ///
  /// - Returns: What happened to all rows.
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

  /// Carries another plan out from now on, or the same one again. Rows that come out equal count as
  /// unchanged.
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
    runs.extend(to: list, planned?.rows.entries, label: plan.section)
  }
}
