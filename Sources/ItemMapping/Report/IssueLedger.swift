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
