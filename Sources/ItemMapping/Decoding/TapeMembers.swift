/// The members of an object, found by name.
///
/// Types mostly ask for their members in the order of the text, so a search starts after the member
/// that was found last. That finds the first member with a name only if no name is repeated, which
/// is checked beforehand.
struct TapeMembers {
  private let tape: JSONTape
  private let object: Int
  /// The values by key, if a linear search would be slow or the keys differ from the names in the
  /// text.
  private let values: [String: Int]
  private let isSearched: Bool
  private let isUnique: Bool
  /// The name to compare first.
  private var upcoming: Int

  init(_ decoding: TapeDecoding, _ object: Int, _ place: () -> CodingPlace) {
    tape = decoding.tape
    self.object = object
    upcoming = tape.first(in: object)
    if tape.countHint(of: object) <= 32, decoding.hasDefaultKeys {
      values = [:]
      isSearched = true
      isUnique = Self.hasUniqueNames(tape, object)
    } else {
      values = Self.values(decoding, object, place)
      isSearched = false
      isUnique = false
    }
  }

  /// Returns the index of a member's value, or `nil`.
  mutating func find(_ key: String) -> Int? {
    guard isSearched else { return values[key] }
    if let found = key.utf8.withContiguousStorageIfAvailable({ search($0) }) {
      if let found { return found }
    } else if let found = Array(key.utf8).withUnsafeBufferPointer({ search($0) }) {
      return found
    }
    return key.utf8.allSatisfy { $0 < 0x80 } ? nil : searchEquivalent(key)
  }

  private mutating func search(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    let first = tape.first(in: object)
    let end = tape.end(of: object)
    let start = isUnique ? upcoming : first
    var name = start
    while name < end {
      if Self.areEqual(tape.utf8(name), key) { return found(name) }
      name = tape.after(name &+ 1)
    }
    name = first
    while name < start {
      if Self.areEqual(tape.utf8(name), key) { return found(name) }
      name = tape.after(name &+ 1)
    }
    return nil
  }

  @inline(__always)
  private mutating func found(_ name: Int) -> Int {
    upcoming = tape.after(name &+ 1)
    return name &+ 1
  }

  /// Finds a name that equals the key but has other bytes, such as a letter with a combining accent.
  private func searchEquivalent(_ key: String) -> Int? {
    var name = tape.first(in: object)
    while name < tape.end(of: object) {
      if tape.string(name) == key { return name + 1 }
      name = tape.after(name + 1)
    }
    return nil
  }

  /// Compares word by word, with an overlap at the end.
  @inline(__always)
  private static func areEqual(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let count = a.count
    guard count == b.count, let a = UnsafeRawPointer(a.baseAddress),
      let b = UnsafeRawPointer(b.baseAddress)
    else { return count == 0 && b.isEmpty }
    @inline(__always) func differ<W: FixedWidthInteger>(_ type: W.Type, _ offset: Int) -> Bool {
      a.loadUnaligned(fromByteOffset: offset, as: type)
        != b.loadUnaligned(fromByteOffset: offset, as: type)
    }
    if count >= 8 {
      var offset = 0
      while offset &+ 8 < count {
        if differ(UInt64.self, offset) { return false }
        offset &+= 8
      }
      return !differ(UInt64.self, count &- 8)
    }
    if count >= 4 { return !differ(UInt32.self, 0) && !differ(UInt32.self, count &- 4) }
    for offset in 0..<count where differ(UInt8.self, offset) { return false }
    return true
  }

  /// Returns whether no name is repeated. Each name sets one bit of 64; only names with the same
  /// bit are compared.
  private static func hasUniqueNames(_ tape: JSONTape, _ object: Int) -> Bool {
    var seen: UInt64 = 0
    let first = tape.first(in: object)
    let end = tape.end(of: object)
    var name = first
    while name < end {
      let bytes = tape.utf8(name)
      let mixed = (tape.prefix(bytes) ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
      let bit = 1 &<< (mixed &>> 58)
      if seen & bit != 0 {
        var earlier = first
        while earlier < name {
          if areEqual(tape.utf8(earlier), bytes) { return false }
          earlier = tape.after(earlier &+ 1)
        }
      }
      seen |= bit
      name = tape.after(name &+ 1)
    }
    return true
  }

  private static func values(
    _ decoding: TapeDecoding, _ object: Int, _ place: () -> CodingPlace
  ) -> [String: Int] {
    let tape = decoding.tape
    var values: [String: Int] = [:]
    values.reserveCapacity(tape.countHint(of: object))
    var customPath: [any CodingKey]?
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      var key = tape.string(name)
      switch decoding.options.keyStrategy {
      case .useDefaultKeys: break
      case .convertFromSnakeCase: key = decoding.camelCase(key)
      case .custom(let convert):
        let path = customPath ?? place().path
        customPath = path
        key = convert(path + [TapeKey(stringValue: key)]).stringValue
      }
      if values[key] == nil { values[key] = name + 1 }
      name = tape.after(name + 1)
    }
    return values
  }

  /// All keys in the order of the text, without repeated ones.
  var keys: [String] {
    guard isSearched else { return values.sorted { $0.value < $1.value }.map(\.key) }
    var keys: [String] = []
    keys.reserveCapacity(tape.countHint(of: object))
    var known: Set<String> = []
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      let key = tape.string(name)
      if isUnique || known.insert(key).inserted { keys.append(key) }
      name = tape.after(name + 1)
    }
    return keys
  }
}
