/// How items of one kind are shown, where they do not say it themselves: closures, of which each may be absent.
///
/// ```swift
/// kinds.add("photo", for: Photo.self) {
///   $0.height = { photo, width in width / photo.aspect }
///   $0.configure(PhotoCell.self) { cell, photo, _ in cell.show(photo) }
/// }
/// ```
public struct CellRules<Item>: Sendable {
  /// How high a row is in a view of that width; `nil` leaves it to the standard height. Also called off
  /// the main actor.
  public var height: (@Sendable (Item, _ width: Double) -> Double?)?
  /// What a row says.
  public var content: (@MainActor @Sendable (Item) -> RowContent?)?
  /// Fills a cell; says whether it was one of the right type.
  var fill: (@MainActor @Sendable (Any, Item, RowPosition) -> Bool)?

  /// No rules.
  public init() {}

  /// Fills cells of a type. When that is done is up to the view.
  public mutating func configure<Cell>(
    _ type: Cell.Type = Cell.self,
    _ body: @escaping @MainActor @Sendable (Cell, Item, RowPosition) -> Void
  ) {
    fill = { cell, item, position in
      guard let cell = cell as? Cell else { return false }
      body(cell, item, position)
      return true
    }
  }
}

extension CellRules {
  /// The rules for some items as rules for all, which have nothing to say of the others.
  func widened<All>(to: All.Type) -> CellRules<All> {
    var rules = CellRules<All>()
    if let height {
      rules.height = { item, width in (item as? Item).flatMap { height($0, width) } }
    }
    if let content { rules.content = { item in (item as? Item).flatMap { content($0) } } }
    if let fill {
      rules.fill = { cell, item, position in
        (item as? Item).map { fill(cell, $0, position) } ?? false
      }
    }
    return rules
  }
}
