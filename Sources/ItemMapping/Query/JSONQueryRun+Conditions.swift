extension JSONQueryRun {
  mutating func holds(
    _ condition: JSONQuery.Condition, _ current: Int
  ) throws(Exhausted) -> Bool {
    try spend()
    switch condition {
    case .any(let choices):
      for choice in choices where try holds(choice, current) { return true }
      return false
    case .all(let parts):
      for part in parts where try !holds(part, current) { return false }
      return true
    case .not(let inner): return try !holds(inner, current)
    case .exists(let inner): return try !nodes(inner, current).isEmpty
    case .compare(let left, let comparison, let right):
      return try compare(try value(left, current), comparison, try value(right, current))
    case .matches(let text, let pattern, let ready, let isSearch):
      return try matches(text, pattern, ready: ready, isSearch: isSearch, at: current)
    }
  }

  private mutating func nodes(
    _ inner: JSONQuery.Inner, _ current: Int
  ) throws(Exhausted) -> [Int] {
    try nodes(inner.segments, from: inner.isRelative ? current : root)
  }

  private mutating func value(
    _ operand: JSONQuery.Operand, _ current: Int
  ) throws(Exhausted) -> JSONQueryValue {
    switch operand {
    case .literal(let value): return value
    case .query(let inner), .value(let inner):
      let nodes = try nodes(inner, current)
      return nodes.count == 1 ? try value(at: nodes[0]) : .nothing
    case .count(let inner): return .integer(Int128(try nodes(inner, current).count))
    case .length(let operand):
      switch try value(operand, current) {
      case .string(let bytes):
        try spend(bytes.count / 8)
        return .integer(Int128(bytes.count { $0 & 0xC0 != 0x80 }))
      case .container(let index): return .integer(Int128(tape.count(of: index)))
      default: return .nothing
      }
    }
  }

  private mutating func value(at index: Int) throws(Exhausted) -> JSONQueryValue {
    switch tape.tag(index) {
    case JSONTape.Tag.null: return .null
    case JSONTape.Tag.yes: return .bool(true)
    case JSONTape.Tag.no: return .bool(false)
    case JSONTape.Tag.int: return .integer(Int128(tape.int(index)))
    case JSONTape.Tag.uint: return .integer(Int128(tape.uint(index)))
    case JSONTape.Tag.double: return .double(tape.double(index))
    case JSONTape.Tag.string:
      let bytes = tape.utf8(index)
      try spend(bytes.count / 8)
      return .string(Array(bytes))
    case JSONTape.Tag.bigNumber:
      let digits = document.numberText(index)
      try spend(digits.count)
      return Self.number(digits)
    default: return .container(index)
    }
  }

  private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> JSONQueryValue {
    let text = String(decoding: digits, as: UTF8.self)
    return Int128(text).map { .integer($0) } ?? Double(text).map { .double($0) } ?? .nothing
  }

  private mutating func matches(
    _ text: JSONQuery.Operand, _ pattern: JSONQuery.Operand, ready: JSONQuery.Pattern,
    isSearch: Bool, at current: Int
  ) throws(Exhausted) -> Bool {
    guard case .string(let text) = try value(text, current) else { return false }
    let expression: IRegexp
    switch ready {
    case .ready(let known): expression = known
    case .invalid: return false
    case .later:
      guard case .string(let bytes) = try value(pattern, current),
        let made = try regularExpression(bytes)
      else { return false }
      expression = made
    }
    return try text.withUnsafeBufferPointer { text throws(Exhausted) in
      try expression.matches(text, isSearch: isSearch) { steps throws(Exhausted) in
        try spend(steps)
      }
    }
  }

  /// Compiles a pattern, and charges the cost to the budget: a pattern may come from the document.
  private mutating func regularExpression(_ pattern: [UInt8]) throws(Exhausted) -> IRegexp? {
    try spend(IRegexp.cost(ofReading: pattern.count))
    var steps = 0
    let expression = IRegexp(String(decoding: pattern, as: UTF8.self), steps: &steps)
    try spend(steps)
    return expression
  }
}

extension JSONQueryRun {
  mutating func compare(
    _ left: JSONQueryValue, _ comparison: JSONQuery.Comparison, _ right: JSONQueryValue
  ) throws(Exhausted) -> Bool {
    switch comparison {
    case .equal: try areEqual(left, right)
    case .notEqual: try !areEqual(left, right)
    case .less: Self.isLess(left, right)
    case .greater: Self.isLess(right, left)
    case .lessOrEqual: if Self.isLess(left, right) { true } else { try areEqual(left, right) }
    case .greaterOrEqual: if Self.isLess(right, left) { true } else { try areEqual(left, right) }
    }
  }

  private static func isLess(_ left: JSONQueryValue, _ right: JSONQueryValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer(let left), .double(let right)): Double(left) < right
    case (.double(let left), .integer(let right)): left < Double(right)
    case (.double(let left), .double(let right)): left < right
    case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }

  /// Documents may be deeply nested, so the containers left to compare are kept in a list and use
  /// no stack.
  private mutating func areEqual(
    _ left: JSONQueryValue, _ right: JSONQueryValue
  ) throws(Exhausted) -> Bool {
    var open: [(Int, Int)] = []
    guard agree(left, right, &open) else { return false }
    while let (left, right) = open.popLast() {
      guard
        tape.tag(left) == JSONTape.Tag.array
          ? try haveSameElements(left, right, &open) : try haveSameMembers(left, right, &open)
      else { return false }
    }
    return true
  }

  /// Returns whether two values are equal, leaving the contents of containers for later.
  private func agree(
    _ left: JSONQueryValue, _ right: JSONQueryValue, _ open: inout [(Int, Int)]
  ) -> Bool {
    switch (left, right) {
    case (.integer(let left), .double(let right)): return Double(left) == right
    case (.double(let left), .integer(let right)): return left == Double(right)
    case (.container(let left), .container(let right)):
      open.append((left, right))
      return tape.tag(left) == tape.tag(right)
    default: return left == right
    }
  }

  /// Objects are equal in any order of their members.
  private mutating func haveSameMembers(
    _ left: Int, _ right: Int, _ open: inout [(Int, Int)]
  ) throws(Exhausted) -> Bool {
    let members = try members(of: left)
    let others = try self.members(of: right)
    guard members.count == others.count else { return false }
    for (name, index) in members {
      guard let other = others[name], agree(try value(at: index), try value(at: other), &open)
      else { return false }
    }
    return true
  }

  private mutating func haveSameElements(
    _ left: Int, _ right: Int, _ open: inout [(Int, Int)]
  ) throws(Exhausted) -> Bool {
    let (end, otherEnd) = (tape.end(of: left), tape.end(of: right))
    var (index, other) = (tape.first(in: left), tape.first(in: right))
    while index < end, other < otherEnd {
      try spend()
      guard agree(try value(at: index), try value(at: other), &open) else { return false }
      index = tape.after(index)
      other = tape.after(other)
    }
    return index == end && other == otherEnd
  }

  /// Returns the members by the bytes of their names. The first member with a name wins.
  private mutating func members(of object: Int) throws(Exhausted) -> [[UInt8]: Int] {
    var members: [[UInt8]: Int] = [:]
    let end = tape.end(of: object)
    var name = tape.first(in: object)
    while name < end {
      let bytes = Array(tape.utf8(name))
      try spend(1 + bytes.count / 8)
      if members[bytes] == nil { members[bytes] = name + 1 }
      name = tape.after(name + 1)
    }
    return members
  }
}
