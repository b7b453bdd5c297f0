/// All that was wrong with one document, told briefly however often it happened.
public struct MappingReport: Sendable, Hashable {
  /// One kind of trouble with one field.
  public struct Group: Sendable, Hashable {
    /// What is wrong.
    public let kind: MappingIssue.Kind
    /// What became of the values.
    public let effect: MappingIssue.Effect
    /// The type and property, such as `Book.price`, or the type alone.
    public let target: String
    /// How often it happened.
    public let count: Int
    /// How many items of the type were read, with trouble or without. Elements of their lists are
    /// not counted here, so there may be more issues than items.
    public let total: Int
    /// The first few. There is at least one.
    public let samples: [MappingIssue]
    /// Whether it happens at most once in an item. Elements may be left out any number of times.
    let isPerItem: Bool
  }

  /// The kinds of trouble, in the order they were first met.
  public internal(set) var groups: [Group]
  /// What the text was read in spite of.
  public internal(set) var repairs: [JSONDocument.Repair]

  /// How many elements of the list itself were left out.
  public internal(set) var droppedItems = 0

  /// Nothing was wrong.
  public init() {
    groups = []
    repairs = []
  }

  init(_ run: borrowing MappingRun) {
    let counts = run.ledger.isEmpty ? [:] : run.counts
    self.init(run.ledger, of: run.document) { $0.plan.flatMap { counts[$0] } }
  }

  /// A report of a list.
  init(_ run: borrowing MappingRun, list: MappingRun.Place, kept: Int?) {
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

  /// Whether the document was just as expected.
  public var isClean: Bool { groups.isEmpty && repairs.isEmpty }

  /// How many issues with this effect there are.
  public func count(_ effect: MappingIssue.Effect) -> Int {
    groups.reduce(0) { $0 + ($1.effect == effect ? $1.count : 0) }
  }
}

extension MappingReport: CustomStringConvertible {
  /// One line for each kind of trouble; empty where there was none.
  public var description: String {
    (groups.map(\.description) + repairs.map(\.description)).joined(separator: "\n")
  }
}

extension MappingReport.Group: CustomStringConvertible {
  /// The issue, or how many times it happened and the first one.
  public var description: String {
    guard let first = samples.first else { return "" }
    if count == 1 { return "\(first)" }
    return isPerItem ? "\(count) of \(total) times: \(first)" : "\(count) times: \(first)"
  }
}

extension MappingIssue: CustomStringConvertible {
  /// One line: `$['list'][3]['price']: Book.price expects Decimal, found string "n/a" (kept)`.
  public var description: String {
    let whom = target.isEmpty ? "" : " \(target)"
    return "\(path):\(whom) expects \(expected), found \(found) (\(effect.rawValue))"
      + (hint.map { "; \($0)" } ?? "")
  }
}

extension JSONDocument.Repair: CustomStringConvertible {
  /// One line with the place, such as `byte 0: a byte order mark was skipped`.
  public var description: String {
    let what =
      switch kind {
      case .byteOrderMark: "a byte order mark was skipped"
      case .bigNumber: "a number beyond 64 bits was kept as text"
      case .loneSurrogate: "half a character was replaced by U+FFFD"
      }
    return "byte \(offset): \(what)"
  }
}

/// Counts issues as they come and keeps the first few of each kind.
struct IssueLedger {
  /// What makes two issues the same.
  struct Key: Hashable {
    var plan: ObjectIdentifier?
    var field: ObjectIdentifier?
    /// The coding path without positions, for a type that decodes itself.
    var keys: [String] = []

    /// Whether it happens at most once in an item: not where elements of a field are left out.
    var isPerItem: Bool { field == nil || effect != .dropped || kind == .missing }
    let kind: MappingIssue.Kind
    let effect: MappingIssue.Effect
  }

  struct Entry {
    let key: Key
    var count: Int
    var samples: [MappingIssue]
  }

  let samples: Int
  private(set) var entries: [Entry] = []
  private var positions: [Key: Int] = [:]

  init(samples: Int) { self.samples = max(1, samples) }

  var isEmpty: Bool { entries.isEmpty }

  /// Counts one more. Answers whether it is to be described.
  mutating func count(_ key: Key) -> Bool {
    if let position = positions[key] {
      entries[position].count += 1
      return entries[position].samples.count < samples
    }
    positions[key] = entries.count
    entries.append(Entry(key: key, count: 1, samples: []))
    return true
  }

  mutating func add(_ issue: MappingIssue, to key: Key) {
    guard let position = positions[key] else { return }
    entries[position].samples.append(issue)
  }
}
