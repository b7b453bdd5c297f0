public import ListModel
internal import ListReading
public import Observation

/// The rows that a screen makes from a ``ListModel`` or a ``LocalList``, without a view: filtered, mapped, with
/// separators, sections, header and footer. They change together with the list, and every change is reported
/// exactly.
///
/// ```swift
/// let shown = TransformedList(books, row: ScreenRow.book) {
///   $0.filter = { !$0.isHidden }
///   $0.separator = { above, below in above.year == below.year ? nil : .year(below.year) }
///   $0.footer = { $0.nextState == .loading ? .spinner : nil }
/// }
/// shown.onChange = { change, sections in table.apply(change, to: sections) }
/// ```
///
/// When the delegate of the list is notified, ``sections`` already include the change. The list is not kept
/// alive; when it is released, the rows stay as they are. To end it, release it. A ``ListController`` arranges
/// the rows of a screen by the same plan.
@MainActor public final class TransformedList<Item, Row>: Observable {
  /// Called with every change of ``sections``, and the sections after it.
  public var onChange: ((SectionsChange, ListSections<Row>) -> Void)?

  private weak var list: (any RowSource<Item>)?
  private var keeper: FactKeeper
  private var arrangement: RowArrangement<Item, Row>
  private var shown: ListSections<Row>
  private let registrar = ObservationRegistrar()

  /// Creates the rows of a list.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - row: Makes the row of an item.
  ///   - configure: Changes the plan.
  public convenience init(
    _ model: ListModel<Item>, row: @escaping (Item) -> Row,
    configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) {
    var plan = RowPlan(row: row)
    configure(&plan)
    self.init(model, plan)
  }

  /// Creates the rows of a list whose items are rows already.
  public convenience init(
    _ model: ListModel<Item>, configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) where Item == Row {
    var plan = RowPlan<Item, Row>()
    configure(&plan)
    self.init(model, plan)
  }

  /// Creates the rows of a list that the program has itself.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - row: Makes the row of an item.
  ///   - configure: Changes the plan.
  public convenience init(
    _ list: LocalList<Item>, row: @escaping (Item) -> Row,
    configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) {
    var plan = RowPlan(row: row)
    configure(&plan)
    self.init(list, plan)
  }

  /// Creates the rows of a list that the program has itself, whose items are rows already.
  public convenience init(
    _ list: LocalList<Item>, configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) where Item == Row {
    var plan = RowPlan<Item, Row>()
    configure(&plan)
    self.init(list, plan)
  }

  private init(_ list: any RowSource<Item>, _ plan: RowPlan<Item, Row>) {
    self.list = list
    let rows = list.deliveredRows
    keeper = FactKeeper(
      ListFacts(of: list, shownRows: 0, isFiltered: !rows.isEmpty),
      endedEmpty: list.hasLoaded && rows.isEmpty)
    arrangement = RowArrangement(plan, of: rows, keeper.facts)
    shown = arrangement.sections
    list.follow(self)
  }

  /// The current rows. A copy doesn't change.
  public var sections: ListSections<Row> {
    registrar.access(self, keyPath: \.sections)
    return shown
  }

  /// The plan that makes the rows. Setting it makes all rows again, and calls ``onChange`` before it returns;
  /// rows that come out equal count as unchanged.
  public var plan: RowPlan<Item, Row> {
    get { arrangement.plan }
    set { change { $0.use(newValue) } }
  }

  /// Reports the visible rows to the list. See ``ListModel/rowsWillAppear(_:)``.
  public func rowsWillAppear(_ rows: ClosedRange<RowPosition>) {
    guard let positions = shown.listPositions(of: rows) else { return }
    list?.rowsWillAppear(positions, prefetches: true)
  }

  /// Changes a copy of the arrangement, so that the closures of the plan may read ``sections``.
  private func change(_ transform: (inout RowArrangement<Item, Row>) -> ListChange) {
    var next = arrangement
    let rows = transform(&next)
    let sections = next.sections
    let change =
      SectionsChange(from: shown, to: sections, by: rows, identity: .none)
      ?? SectionsChange(replacing: shown, with: sections)
    arrangement = next
    guard !change.isEmpty else { return }
    registrar.withMutation(of: self, keyPath: \.sections) { shown = sections }
    onChange?(change, sections)
  }
}

extension TransformedList: ListObserver {
  /// Does nothing: the rows stay as they are.
  package func close() {}

  package func notify(_ step: ListEvents<Item>.Step) {
    guard let list else { return }
    keeper.look(
      ListFacts(
        of: list, shownRows: shown.rowCount, isFiltered: !list.deliveredRows.isEmpty))
    keeper.take(step.event)
    let facts = keeper.facts
    switch step.event {
    case .didChange(let happened): change { $0.apply(happened, to: step.rows, facts) }
    default:
      if arrangement.plan.hasEnds { change { $0.apply(ListChange(), to: step.rows, facts) } }
    }
  }
}
