/// The name of a kind of cells: a class of a table view, a template of a page, a way to draw a line.
///
/// ```swift
/// extension CellKind { static let photo: CellKind = "photo" }
/// ```
public struct CellKind: RawRepresentable, Hashable, Sendable {
  /// The name.
  public var rawValue: String

  /// Creates a kind with a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The kind of items that nothing else applies to.
  public static let standard: CellKind = "standard"
  /// The kind of a gap; see `ListGap`.
  public static let gap: CellKind = "gap"
}

extension CellKind: ExpressibleByStringLiteral {
  /// Creates a kind with a name.
  public init(stringLiteral value: String) { rawValue = value }
}

extension CellKind: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// The kinds of cells of a list, and the items that each kind shows.
///
/// ```swift
/// var kinds = CellKinds<any FeedEntry>()
/// kinds.add("photo", for: Photo.self) { $0.height = { photo, width in width / photo.aspect } }
/// kinds.add("text", for: Post.self)
/// ```
///
/// A cell is described in two places. The item itself (``CellItem``) takes precedence, and the rules here fill
/// in the rest. If ``asksItems`` is `false`, only the rules count.
///
/// The kind of an item is the first of: its own kind, the result of ``choose``, the kind added for its exact
/// type, the kind added last for a class or protocol it conforms to, and ``standard``.
public struct CellKinds<Item>: Sendable {
  private struct Entry: Sendable {
    var kind: CellKind
    var type: ObjectIdentifier
    var includes: @Sendable (Item) -> Bool
    var rules: CellKinds<Item>.Rules
  }

  private var entries: [Entry] = []
  private var standardRules: CellKinds<Item>.Rules?
  /// The kind of items that nothing else applies to.
  public var standard = CellKind.standard
  /// Whether items describe their own cells. Turn it off in a list that shows them differently.
  public var asksItems = true
  /// Chooses the kind of an item; `nil` or an empty name leaves it to its type. Also called off the main
  /// actor.
  public var choose: (@Sendable (Item) -> CellKind?)?

  /// Creates kinds with only the standard kind.
  public init() {}

  /// Creates kinds with one set of rules for all items.
  ///
  /// ```swift
  /// let screen = ListController(books, kinds: CellKinds { $0.content = { RowContent($0.title) } })
  /// ```
  public init(_ rules: (inout CellKinds<Item>.Rules) -> Void) { addStandard(rules) }

  /// Adds a kind for items of a type.
  public mutating func add<Member>(
    _ kind: CellKind, for type: Member.Type,
    _ rules: (inout CellKinds<Member>.Rules) -> Void = { _ in }
  ) {
    var made = CellKinds<Member>.Rules()
    rules(&made)
    entries.append(
      Entry(
        kind: kind, type: ObjectIdentifier(type), includes: { $0 is Member },
        rules: made.widened(to: Item.self)))
  }

  /// Sets the rules for items that no other kind applies to.
  package mutating func addStandard(_ rules: (inout CellKinds<Item>.Rules) -> Void) {
    var made = CellKinds<Item>.Rules()
    rules(&made)
    standardRules = made
  }

  /// Returns the kind of an item.
  public func kind(of item: Item) -> CellKind {
    if let kind = own(item)?.cellKind, !kind.rawValue.isEmpty { return kind }
    if let kind = choose?(item), !kind.rawValue.isEmpty { return kind }
    return entry(of: item)?.kind ?? standard
  }

  /// Returns the item as one that describes its own cell, if it does and may.
  func own(_ item: Item) -> (any CellItem)? { asksItems ? item as? any CellItem : nil }

  /// Returns the content of an item's row.
  @MainActor func content(of item: Item) -> RowContent? {
    own(item)?.rowContent ?? rules(of: kind(of: item), for: item)?.content?(item)
  }

  /// Returns the rules of a kind for an item; those of the item's own type if several types share the kind.
  func rules(of kind: CellKind, for item: Item) -> CellKinds<Item>.Rules? {
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

extension CellKinds {
  /// Rules for items of one kind that don't describe their own cells: closures, each of them optional.
  ///
  /// ```swift
  /// kinds.add("photo", for: Photo.self) {
  ///   $0.height = { photo, width in width / photo.aspect }
  ///   $0.configure(PhotoCell.self) { cell, photo, _ in cell.show(photo) }
  ///   $0.select = { photo, _ in open(photo) }
  /// }
  /// ```
  public struct Rules: Sendable {
    /// Returns the height of a row in a view of a given width; `nil` for the standard height. Also called off the
    /// main actor.
    public var height: (@Sendable (Item, _ width: Double) -> Double?)?
    /// Returns the content of a row.
    public var content: (@MainActor @Sendable (Item) -> RowContent?)?
    /// Handles the selection of a row, unless the delegate of the controller has.
    public var select: (@MainActor @Sendable (Item, RowPosition) -> Void)?
    /// Handles the deselection of a row, unless the delegate of the controller has.
    public var deselect: (@MainActor @Sendable (Item, RowPosition) -> Void)?
    /// Configures a cell, and returns whether it has the right type.
    var fill: (@MainActor @Sendable (Any, Item, RowPosition) -> Bool)?

    /// Creates an empty set of rules.
    init() {}

    /// Configures cells of a type. The view decides when this happens.
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
}

extension CellKinds.Rules {
  /// Returns the rules as rules for a wider type, which don't apply to its other items.
  func widened<All>(to: All.Type) -> CellKinds<All>.Rules {
    var rules = CellKinds<All>.Rules()
    if let height {
      rules.height = { item, width in (item as? Item).flatMap { height($0, width) } }
    }
    if let content { rules.content = { item in (item as? Item).flatMap { content($0) } } }
    if let select {
      rules.select = { item, position in (item as? Item).map { select($0, position) } }
    }
    if let deselect {
      rules.deselect = { item, position in (item as? Item).map { deselect($0, position) } }
    }
    if let fill {
      rules.fill = { cell, item, position in
        (item as? Item).map { fill(cell, $0, position) } ?? false
      }
    }
    return rules
  }
}
