/// The kinds of cells of a list, and which items are shown by which.
///
/// ```swift
/// var kinds = CellKinds<any FeedEntry>()
/// kinds.add("photo", for: Photo.self) { $0.height = { photo, width in width / photo.aspect } }
/// kinds.add("text", for: Post.self)
/// ```
///
/// The kind of an item is what ``provider`` says, else the item itself (``CellItem``), else that of its
/// exact type, else one that was added for a class or protocol it belongs to, the last one added first,
/// else ``standard``.
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
  /// Goes before all others; `nil` or an empty name leaves it to them. Also called off the main actor.
  public var provider: (@Sendable (Item) -> CellKind?)?

  /// No kinds but the standard one.
  public init() {}

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

  /// Shows items as a type says.
  public mutating func add<Member>(_ definition: some CellDefinition<Member>) {
    add(definition.kind, for: Member.self) { rules in
      rules.height = { definition.height(of: $0, in: $1) }
      rules.content = { definition.content(of: $0) }
      rules.select = { definition.select($0, at: $1) }
      rules.fill = { definition.configure($0, with: $1, at: $2) }
    }
  }

  /// The kind of an item.
  public func kind(of item: Item) -> CellKind {
    if let kind = provider?(item), !kind.rawValue.isEmpty { return kind }
    if let kind = (item as? any CellItem)?.cellKind, !kind.rawValue.isEmpty { return kind }
    return entry(of: item)?.kind ?? standard
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
