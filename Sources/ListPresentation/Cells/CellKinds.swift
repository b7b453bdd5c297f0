/// Names a kind of cells: a class of a table view, a template of a page, a way to draw a line.
///
/// ```swift
/// extension CellKind { static let photo: CellKind = "photo" }
/// ```
public struct CellKind: RawRepresentable, Hashable, Sendable {
  /// The name.
  public var rawValue: String

  /// A kind with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// What items are shown by that nobody says anything of.
  public static let standard: CellKind = "standard"
}

extension CellKind: ExpressibleByStringLiteral {
  /// A kind with that name.
  public init(stringLiteral value: String) { rawValue = value }
}

extension CellKind: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// The kinds of cells of a list, and which items are shown by which.
///
/// ```swift
/// var kinds = CellKinds<any FeedEntry>()
/// kinds.add("photo", for: Photo.self) { $0.height = { photo, width in width / photo.aspect } }
/// kinds.add("text", for: Post.self)
/// ```
///
/// What is known of a cell comes from two places. The item's own word (``CellItem``) goes first, and where it says
/// nothing the rules here do; ``asksItems`` turned off, only the rules count, which may ask the item themselves.
///
/// The kind of an item is its own one, else what ``choose`` says, else that of its exact type, else one that
/// was added for a class or protocol it belongs to, the last one added first, else ``standard``.
public struct CellKinds<Item>: Sendable {
  private struct Entry: Sendable {
    var kind: CellKind
    var type: ObjectIdentifier
    var includes: @Sendable (Item) -> Bool
    var rules: CellRules<Item>
  }

  private var entries: [Entry] = []
  private var standardRules: CellRules<Item>?
  /// The kind of items that nobody says anything of.
  public var standard = CellKind.standard
  /// Whether items say how they are shown. Turn it off in a list that shows them in a way of its own.
  public var asksItems = true
  /// Chooses the kind of an item; `nil` or an empty name leaves it to its type. Also called off the main
  /// actor.
  public var choose: (@Sendable (Item) -> CellKind?)?

  /// No kinds but the standard one.
  public init() {}

  /// One way to show all items.
  ///
  /// ```swift
  /// let screen = ListController(books, kinds: CellKinds { $0.content = { RowContent($0.title) } })
  /// ```
  public init(_ rules: (inout CellRules<Item>) -> Void) { addStandard(rules) }

  /// Shows items of a type by a kind.
  public mutating func add<Member>(
    _ kind: CellKind, for type: Member.Type, _ rules: (inout CellRules<Member>) -> Void = { _ in }
  ) {
    var made = CellRules<Member>()
    rules(&made)
    entries.append(
      Entry(
        kind: kind, type: ObjectIdentifier(type), includes: { $0 is Member },
        rules: made.widened(to: Item.self)))
  }

  /// Says how all items are shown that nothing else is said of.
  public mutating func addStandard(_ rules: (inout CellRules<Item>) -> Void) {
    var made = CellRules<Item>()
    rules(&made)
    standardRules = made
  }

  /// The kind of an item.
  public func kind(of item: Item) -> CellKind {
    if let kind = own(item)?.cellKind, !kind.rawValue.isEmpty { return kind }
    if let kind = choose?(item), !kind.rawValue.isEmpty { return kind }
    return entry(of: item)?.kind ?? standard
  }

  /// The item that speaks for itself.
  func own(_ item: Item) -> (any CellItem)? { asksItems ? item as? any CellItem : nil }

  /// What the row of an item says.
  @MainActor func content(of item: Item) -> RowContent? {
    own(item)?.rowContent ?? rules(of: kind(of: item), for: item)?.content?(item)
  }

  /// The rules of a kind for an item; those of the item's own type where several types share the kind.
  func rules(of kind: CellKind, for item: Item) -> CellRules<Item>? {
    let entries = entries.filter { $0.kind == kind && $0.includes(item) }
    let type = ObjectIdentifier(Swift.type(of: item as Any))
    let rules = (entries.last { $0.type == type } ?? entries.last)?.rules
    return rules ?? (kind == standard ? standardRules : nil)
  }

  private func entry(of item: Item) -> Entry? {
    let type = ObjectIdentifier(Swift.type(of: item as Any))
    return entries.last { $0.type == type }
      ?? entries.last { $0.type != ObjectIdentifier(Item.self) && $0.includes(item) }
      ?? entries.last { $0.type == ObjectIdentifier(Item.self) }
  }
}

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
