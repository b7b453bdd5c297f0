extension JSONAny: Hashable {
  /// Returns whether two values are equivalent.
  public static func == (a: JSONAny, b: JSONAny) -> Bool {
    var comparison = JSONComparison()
    return comparison.agree(a, b) && comparison.agreeOnContents()
  }

  /// Hashes the meaning of the value, so that `1` and `1.0` have the same hash.
  public func hash(into hasher: inout Hasher) {
    var hashing = JSONHashing(hasher)
    hashing.add(self)
    hashing.addContents()
    hasher = hashing.hasher
  }

  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}

extension JSONAny.Object: Hashable {
  /// Returns whether both have the same names with equal values, in any order.
  public static func == (a: JSONAny.Object, b: JSONAny.Object) -> Bool {
    JSONAny.object(a) == JSONAny.object(b)
  }

  /// Hashes the members independently of their order.
  public func hash(into hasher: inout Hasher) { JSONAny.object(self).hash(into: &hasher) }
}

/// A comparison of two values in progress. Open containers are kept in a list, so depth uses no
/// stack.
private struct JSONComparison {
  private enum Open {
    case arrays([JSONAny], [JSONAny], next: Int)
    case objects(JSONAny.Object, JSONAny.Object, next: Int)
  }

  private var open: [Open] = []

  /// Returns whether two values are equal, leaving the contents of containers for later.
  mutating func agree(_ a: JSONAny, _ b: JSONAny) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): UInt64(exactly: a) == b
    case (.double(let a), .double(let b)): a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Int(exactly: b) == a
    case (.uint(let a), .double(let b)), (.double(let b), .uint(let a)): UInt64(exactly: b) == a
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): enter(.arrays(a, b, next: 0), a.count, b.count)
    case (.object(let a), .object(let b)): enter(.objects(a, b, next: 0), a.count, b.count)
    default: false
    }
  }

  private mutating func enter(_ containers: Open, _ count: Int, _ other: Int) -> Bool {
    if count > 0, count == other { open.append(containers) }
    return count == other
  }

  /// Returns whether the contents of all open containers are equal.
  mutating func agreeOnContents() -> Bool {
    while let containers = open.popLast() {
      let agree =
        switch containers {
        case .arrays(let a, let b, let next): agree(a, b, from: next)
        case .objects(let a, let b, let next): agree(a, b, from: next)
        }
      if !agree { return false }
    }
    return true
  }

  /// Compares elements up to the next container, whose contents are compared before the rest.
  private mutating func agree(_ a: [JSONAny], _ b: [JSONAny], from start: Int) -> Bool {
    for next in start..<a.count {
      let isContainer = a[next].isContainer
      if isContainer { open.append(.arrays(a, b, next: next + 1)) }
      guard agree(a[next], b[next]) else { return false }
      if isContainer { break }
    }
    return true
  }

  private mutating func agree(_ a: JSONAny.Object, _ b: JSONAny.Object, from start: Int) -> Bool {
    for next in start..<a.count {
      let (name, value) = a[next]
      let isContainer = value.isContainer
      if isContainer { open.append(.objects(a, b, next: next + 1)) }
      guard let other = b[name], agree(value, other) else { return false }
      if isContainer { break }
    }
    return true
  }
}

/// The hashing of a value in progress, with open containers in a list as well.
private struct JSONHashing {
  private enum Open {
    case array([JSONAny], next: Int)
    /// Order must not affect the hash, so each member has a hasher of its own. Their results are
    /// summed, and the outer hasher combines the sum.
    case object(JSONAny.Object, next: Int, sum: Int, outer: Hasher)
  }

  private var open: [Open] = []
  private(set) var hasher: Hasher

  init(_ hasher: Hasher) { self.hasher = hasher }

  mutating func add(_ value: JSONAny) {
    hasher.combine(value.kind)
    switch value {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(Double(value))
    case .uint(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let value): hasher.combine(value)
    case .array(let elements):
      hasher.combine(elements.count)
      open.append(.array(elements, next: 0))
    case .object(let object): open.append(.object(object, next: 0, sum: 0, outer: hasher))
    }
  }

  /// Adds the contents of all open containers.
  mutating func addContents() {
    while let container = open.popLast() {
      switch container {
      case .array(let elements, let next): add(elements, from: next)
      case .object(let object, let next, let sum, let outer):
        add(object, from: next, sum: next == 0 ? 0 : sum &+ hasher.finalize(), outer)
      }
    }
  }

  /// Adds elements up to the next container, whose contents are added before the rest.
  private mutating func add(_ elements: [JSONAny], from start: Int) {
    for next in start..<elements.count {
      let isContainer = elements[next].isContainer
      if isContainer { open.append(.array(elements, next: next + 1)) }
      add(elements[next])
      if isContainer { break }
    }
  }

  private mutating func add(_ object: JSONAny.Object, from start: Int, sum: Int, _ outer: Hasher) {
    var sum = sum
    for next in start..<object.count {
      let value = object[next].value
      if value.isContainer { open.append(.object(object, next: next + 1, sum: sum, outer: outer)) }
      hasher = Hasher()
      object.hashName(at: next, into: &hasher)
      add(value)
      if value.isContainer { return }
      sum &+= hasher.finalize()
    }
    hasher = outer
    hasher.combine(sum)
  }
}
