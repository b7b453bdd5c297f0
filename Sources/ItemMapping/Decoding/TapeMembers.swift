/// The members of an object, found by name. Names are compared as strings, so that an "e" with a
/// combining accent equals "é".
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
  /// A set of the names before it: each one sets one bit of 64, which others may set too. A name with other characters
  /// than ASCII sets all 64; the names in ASCII, at most 32, never do.
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
    return key.withUTF8 { search($0) }
  }

  private mutating func search(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let name = name(key, in: upcoming, tape.end(of: object)) else {
      return first(key).map { $0 &+ 1 }
    }
    while upcoming < name {
      earlier |= bit(upcoming)
      upcoming = tape.after(upcoming &+ 1)
    }
    let bit = bit(name)
    if earlier & bit != 0, let same = first(key, before: name, bit) { return same &+ 1 }
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

  /// Returns the first name before `found` that equals the key. `found` has the bytes of the key, and `bit` is its bit.
  private func first(
    _ key: UnsafeBufferPointer<UInt8>, before found: Int, _ bit: UInt64
  ) -> Int? {
    let same = name(key, in: tape.first(in: object), found)
    // The key and all names before it are in ASCII.
    if earlier | bit != .max { return same }
    return equivalent(key, before: same ?? found) ?? same
  }

  /// Returns the first name that equals a key whose bytes are not among the upcoming names.
  private func first(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    let same = name(key, in: tape.first(in: object), upcoming)
    if same != nil, earlier != .max { return same }
    return equivalent(key, before: same ?? tape.end(of: object)) ?? same
  }

  /// Whether text with this byte equals no text with other bytes in its place. That is so for all of ASCII but the three
  /// characters that Unicode has twice: K as the sign for Kelvin, and the semicolon and the grave accent as Greek ones.
  private static func hasNoEquivalent(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "K") && byte != UInt8(ascii: ";")
      && byte != UInt8(ascii: "`")
  }

  /// Finds a name that equals the key but has other bytes. One of the two is not in ASCII.
  @inline(never)
  private func equivalent(_ key: UnsafeBufferPointer<UInt8>, before end: Int) -> Int? {
    var isASCII = true
    var isAlone = true
    for byte in key {
      isASCII = isASCII && byte < 0x80
      isAlone = isAlone && Self.hasNoEquivalent(byte)
    }
    if isAlone { return nil }
    var name = isASCII && earlier != .max ? upcoming : tape.first(in: object)
    while name < end {
      if !isASCII || !tape.isASCII(name), tape.string(name) == String(decoding: key, as: UTF8.self)
      {
        return name
      }
      name = tape.after(name &+ 1)
    }
    return nil
  }

  /// Returns the bit of a name, which depends on its length and its first eight bytes; all bits if it
  /// is not in ASCII.
  @inline(__always)
  private func bit(_ name: Int) -> UInt64 {
    let bytes = tape.utf8(name)
    let prefix = tape.prefix(bytes)
    if (prefix | JSONTape.union(bytes, from: 8)) & JSONTape.notASCII != 0 { return .max }
    let mixed = (prefix ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
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
