/// The issues found in one document, grouped so that the report stays short however often they
/// occurred.
public struct MappingReport: Sendable, Hashable {
  /// The issues of one kind with one field.
  public struct Group: Sendable, Hashable {
    /// The kind of mismatch.
    public let kind: MappingReport.Issue.Kind
    /// What the mapper did with the values.
    public let effect: MappingReport.Issue.Effect
    /// The type and property, such as `Book.price`, or the type alone.
    public let target: String
    /// The number of issues.
    public let count: Int
    /// The number of items of the type that were read, with or without issues. List elements of a
    /// field are not counted, so there may be more issues than items.
    public let total: Int
    /// The first issues of the group, at least one.
    public let samples: [MappingReport.Issue]
    /// Whether the issue can occur only once per item. Dropped elements can occur any number of
    /// times.
    let isPerItem: Bool
  }

  /// The groups, in the order of their first issue.
  public internal(set) var groups: [Group]
  /// The faults in the text that the parser repaired.
  public internal(set) var repairs: [JSONDocument.Repair]

  /// The number of dropped elements of the list itself.
  public internal(set) var droppedItems = 0

  /// Creates a report without issues.
  public init() {
    groups = []
    repairs = []
  }

  init(_ run: borrowing ItemMapper.Run) {
    let counts = run.ledger.isEmpty ? [:] : run.counts
    self.init(run.ledger, of: run.document) { $0.plan.flatMap { counts[$0] } }
  }

  /// Creates the report of a list.
  init(_ run: borrowing ItemMapper.Run, list: ItemMapper.Run.Place, kept: Int?) {
    self.init(run)
    let document = run.document
    let count = withExtendedLifetime(document) { document.tape.count(of: run.index(of: list)) }
    droppedItems = count - (kept ?? 0)
  }

  init(
    _ ledger: IssueLedger, of document: JSONDocument, total: (IssueLedger.Key) -> Int?
  ) {
    groups = ledger.entries.map { entry in
      Group(
        kind: entry.key.kind, effect: entry.key.effect, target: entry.samples.first?.target ?? "",
        count: entry.count, total: total(entry.key) ?? entry.count, samples: entry.samples,
        isPerItem: total(entry.key).map { entry.key.isPerItem && entry.count <= $0 } ?? false)
    }
    repairs = document.repairs
  }

  /// Whether the document has no issues and no repairs.
  public var isClean: Bool { groups.isEmpty && repairs.isEmpty }

  /// Why the first dropped value was dropped; `nil` if none was.
  package var firstDropped: String? {
    groups.first { $0.effect == .dropped }?.samples.first?.description
  }

  /// Returns the number of issues with this effect.
  public func count(_ effect: MappingReport.Issue.Effect) -> Int {
    groups.reduce(0) { $0 + ($1.effect == effect ? $1.count : 0) }
  }
}

extension MappingReport: CustomStringConvertible {
  /// One line for each group and repair; empty when the report is clean.
  public var description: String {
    (groups.map(\.description) + repairs.map(\.description)).joined(separator: "\n")
  }
}

extension MappingReport.Group: CustomStringConvertible {
  /// The issue, or the number of issues and the first one.
  public var description: String {
    guard let first = samples.first else { return "" }
    if count == 1 { return "\(first)" }
    return isPerItem ? "\(count) of \(total) times: \(first)" : "\(count) times: \(first)"
  }
}

extension MappingReport.Issue.Effect {
  fileprivate var text: String {
    switch self {
    case .used: "converted"
    case .kept: "property unchanged"
    case .defaulted: "default used"
    case .dropped: "dropped"
    }
  }
}

extension MappingReport.Issue: CustomStringConvertible {
  /// One line: `$['list'][3]['price']: Book.price expects Decimal, found string "n/a" (property unchanged)`.
  public var description: String {
    let whom = target.isEmpty ? "" : " \(target)"
    return "\(path):\(whom) expects \(expected), found \(found) (\(effect.text))"
      + (hint.map { "; \($0)" } ?? "")
  }
}

extension JSONDocument.Repair: CustomStringConvertible {
  /// One line with the offset, such as `byte 0: a byte order mark was skipped`.
  public var description: String {
    let what =
      switch kind {
      case .byteOrderMark: "a byte order mark was skipped"
      case .bigNumber: "a number beyond 64 bits was kept as text"
      case .loneSurrogate: "a lone surrogate was replaced by U+FFFD"
      }
    return "byte \(offset): \(what)"
  }
}

/// Counts issues and keeps the first few of each kind.
struct IssueLedger {
  /// The properties that issues of one group share.
  struct Key: Hashable {
    var plan: ObjectIdentifier?
    var field: ObjectIdentifier?
    /// The coding path without positions, for a `Decodable` type.
    var keys: [String] = []

    /// Whether the issue can occur only once per item, which excludes dropped elements of a field.
    var isPerItem: Bool { field == nil || effect != .dropped || kind == .missing }
    let kind: MappingReport.Issue.Kind
    let effect: MappingReport.Issue.Effect
  }

  struct Entry {
    let key: Key
    var count: Int
    var samples: [MappingReport.Issue]
  }

  let samples: Int
  private(set) var entries: [Entry] = []
  private var positions: [Key: Int] = [:]

  init(samples: Int) { self.samples = max(1, samples) }

  var isEmpty: Bool { entries.isEmpty }

  /// Counts an issue and returns whether to keep a description of it.
  mutating func count(_ key: Key) -> Bool {
    if let position = positions[key] {
      entries[position].count += 1
      return entries[position].samples.count < samples
    }
    positions[key] = entries.count
    entries.append(Entry(key: key, count: 1, samples: []))
    return true
  }

  mutating func add(_ issue: MappingReport.Issue, to key: Key) {
    guard let position = positions[key] else { return }
    entries[position].samples.append(issue)
  }
}
