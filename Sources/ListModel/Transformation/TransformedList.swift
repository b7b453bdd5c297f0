public import Observation

/// The rows a screen makes of a list: left out, mapped, set apart from each other, with something at
/// the ends. They change together with the list, and every change is told exactly.
///
/// ```swift
/// let shown = TransformedList(books, row: ScreenRow.book) {
///   $0.filter = { !$0.isHidden }
///   $0.separator = { above, below in above.year == below.year ? nil : .year(below.year) }
///   $0.footer = { $0.nextState == .loading ? .spinner : nil }
/// }
/// shown.onChange = { change, rows in table.apply(change, to: rows) }
/// ```
///
/// When the delegate of the list is told of something, ``rows`` are already those after it. The list is
/// not kept alive; when it is gone, the rows stay as they are. Nothing has to be done to end it but to let
/// go of it.
@MainActor public final class TransformedList<Item, Row>: Observable {
  /// Told of every change of ``rows``, and the rows right after it.
  public var onChange: ((ListChange, TransformedRows<Row>) -> Void)?

  private weak var model: ListModel<Item>?
  private var transformation: RowTransformation<Item, Row>
  private let registrar = ObservationRegistrar()

  /// The rows of a list.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - row: Makes the row of an item.
  ///   - configure: Adds to the plan.
  public init(
    _ model: ListModel<Item>, row: @escaping (Item) -> Row,
    configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) {
    var plan = RowPlan(row: row)
    configure(&plan)
    self.model = model
    transformation = RowTransformation(plan, of: model.rows, ListStanding(of: model))
    model.board.add(self)
  }

  /// The rows of a list whose items are rows already.
  public convenience init(
    _ model: ListModel<Item>, configure: (inout RowPlan<Item, Row>) -> Void = { _ in }
  ) where Item == Row {
    self.init(model, row: { $0 }, configure: configure)
  }

  /// The rows now. A copy stays as it is.
  public var rows: TransformedRows<Row> {
    registrar.access(self, keyPath: \.rows)
    return transformation.rows
  }

  /// How rows are made. Setting it makes all rows anew, and tells ``onChange`` before it returns; rows
  /// that come out equal count as unchanged.
  public var plan: RowPlan<Item, Row> {
    get { transformation.plan }
    set { change { $0.use(newValue) } }
  }

  /// Tells the list of rows that are on the screen, by their numbers in ``rows``. See
  /// ``ListModel/willShow(_:)``.
  public func willShow(_ rows: Range<Int>) {
    model?.willShow(transformation.rows.positions(of: rows))
  }

  /// The plan works on a copy, so that its closures may read ``rows``.
  private func change(_ transform: (inout RowTransformation<Item, Row>) -> ListChange) {
    var next = transformation
    let change = transform(&next)
    guard !change.isEmpty else {
      transformation = next
      return
    }
    registrar.withMutation(of: self, keyPath: \.rows) { transformation = next }
    onChange?(change, next.rows)
  }
}

extension TransformedList: ListFollower {
  /// The rows stay as they are.
  package func close() {}

  package func tell(_ step: ListStep<Item>) {
    guard let model else { return }
    let standing = ListStanding(of: model)
    let happened = if case .didChange(let change) = step.event { change } else { ListChange() }
    change { $0.apply(happened, to: step.rows, standing) }
  }
}
