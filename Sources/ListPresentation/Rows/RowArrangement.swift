internal import ListModel

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
