/// All that was wrong with one document, told briefly however often it happened.
public struct MappingReport: Sendable, Hashable {
  /// One kind of trouble with one field.
  public struct Group: Sendable, Hashable {
    /// How often it happened.
    public internal(set) var count: Int
    /// How many items of the type were read, with trouble or without.
    public internal(set) var total: Int
    /// The first few. There is at least one.
    public internal(set) var samples: [MappingIssue]
  }

  /// The kinds of trouble, in the order they were first met.
  public internal(set) var groups: [Group]
  /// What the text was read in spite of.
  public internal(set) var repairs: [JSONRepair]

  /// Nothing was wrong.
  public init() {
    groups = []
    repairs = []
  }

  init(_ run: borrowing MappingRun) {
    let counts = run.ledger.isEmpty ? [:] : run.counts
    self.init(run.ledger, of: run.document) { $0.plan.flatMap { counts[$0] } }
  }

  init(
    _ ledger: IssueLedger, of document: JSONDocument, total: (IssueLedger.Key) -> Int?
  ) {
    groups = ledger.entries.map { entry in
      Group(count: entry.count, total: total(entry.key) ?? entry.count, samples: entry.samples)
    }
    repairs = document.repairs
  }

  /// Whether the document was just as expected.
  public var isClean: Bool { groups.isEmpty && repairs.isEmpty }

  /// How many elements and items were left out.
  public var droppedCount: Int { count(.dropped) }

  /// How many values were converted, such as numbers written as strings.
  public var convertedCount: Int { count(.used) }

  /// How many issues with this effect there are.
  public func count(_ effect: MappingIssue.Effect) -> Int {
    groups.reduce(0) { $0 + ($1.samples.first?.effect == effect ? $1.count : 0) }
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
    return count == 1 ? "\(first)" : "\(count) of \(max(total, count)) times: \(first)"
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

extension JSONRepair: CustomStringConvertible {
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
