/// The members of an object, found by name.
///
/// Types mostly ask for their members in the order of the text, so a search starts after the member
/// that was found last. The first member with a name wins, so what is found there must not be among
/// the earlier names, which is mostly known without comparing them.
struct TapeMembers {
  private let tape: JSONTape
  private let object: Int
  /// The values by key, if a linear search would be slow or the keys differ from the names in the
  /// text.
  private let values: [String: Int]?
  /// The name to compare first.
  private var upcoming: Int
  /// A set of the names before it: each one sets one bit of 64, which others may set too.
  private var earlier: UInt64 = 0

  init(_ decoding: TapeDecoding, _ object: Int, _ place: () -> CodingPlace) {
    tape = decoding.tape
    self.object = object
    upcoming = tape.first(in: object)
    let isSearched = tape.countHint(of: object) <= 32 && decoding.hasDefaultKeys
    values = isSearched ? nil : Self.values(decoding, object, place)
  }

  /// Returns the index of a member's value, or `nil`.
  mutating func find(_ key: consuming String) -> Int? {
    if let values { return values[key] }
    if let found = key.withUTF8({ search($0) }) { return found }
    return key.utf8.allSatisfy { $0 < 0x80 } ? nil : searchEquivalent(key)
  }

  private mutating func search(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    let first = tape.first(in: object)
    guard let name = name(key, in: upcoming, tape.end(of: object)) else {
      return name(key, in: first, upcoming).map { $0 &+ 1 }
    }
    while upcoming < name {
      earlier |= bit(upcoming)
      upcoming = tape.after(upcoming &+ 1)
    }
    let bit = bit(name)
    if earlier & bit != 0, let same = self.name(key, in: first, name) { return same &+ 1 }
    earlier |= bit
    upcoming = tape.after(name &+ 1)
    return name &+ 1
  }

  /// Returns the first of the names from `start` to `end` that equals the key.
  @inline(__always)
  private func name(_ key: UnsafeBufferPointer<UInt8>, in start: Int, _ end: Int) -> Int? {
    var name = start
    while name < end {
      if Self.areEqual(tape.utf8(name), key) { return name }
      name = tape.after(name &+ 1)
    }
    return nil
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

  /// Returns the bit of a name, which depends on its length and its first eight bytes.
  @inline(__always)
  private func bit(_ name: Int) -> UInt64 {
    let bytes = tape.utf8(name)
    let mixed = (tape.prefix(bytes) ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
    return 1 &<< (mixed &>> 58)
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
    if let values { return values.sorted { $0.value < $1.value }.map(\.key) }
    var keys: [String] = []
    keys.reserveCapacity(tape.countHint(of: object))
    var known: Set<String> = []
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      let key = tape.string(name)
      if known.insert(key).inserted { keys.append(key) }
      name = tape.after(name + 1)
    }
    return keys
  }
}
