#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The members of an object, found by name. Names are compared as strings, so that an "e" with a
/// combining accent equals "é".
///
/// Types mostly ask for the same members in the same order, so the member that a ``ReadOrder`` expects is tried first. If
/// it is another one, the search starts after the member that was found last. The first member with a name wins, so
/// what is found there must not be among the earlier names, which is mostly known without comparing them.
struct TapeMembers {
  /// The object's index on the tape; 0 before its members are read.
  private(set) var object = 0
  private var end = 0
  /// The name to compare first.
  private var upcoming = 0
  /// The next step of the order that is followed, if one is. Each name before `upcoming` is that of a step before it.
  private var step: UnsafePointer<ReadOrder.Step>?
  /// A set of the names before `upcoming`: each one sets one bit of 64, which others may set too. A name with other
  /// characters than ASCII sets all 64; the names in ASCII, at most 32, never do. Empty while an order
  /// is followed, whose names are in ASCII.
  private var earlier: UInt64 = 0
  /// The values by key, if a linear search would be slow or the keys differ from the names in the
  /// text.
  private var values: [String: Int]?
  /// What was read so far, if an order is learned from it.
  private(set) var reads: [ReadOrder.Read]?

  /// Begins to read an object.
  @inline(__always)
  mutating func open(
    _ object: Int, of decoder: TapeDecoder, for type: Unmanaged<DecodedType>?
  ) {
    let tape = decoder.tape
    let isSearched =
      tape.countHint(of: object) <= 32 && decoder.shared._withUnsafeGuaranteedRef { $0.hasDefaultKeys }
    // Before anything is changed, because a program's own strategy may use a decoder.
    values = isSearched ? nil : Self.values(object, decoder)
    self.object = object
    end = tape.end(of: object)
    upcoming = tape.first(in: object)
    step = nil
    guard isSearched, let type else { return }
    step = type._withUnsafeGuaranteedRef { $0.steps }
    if step == nil, type._withUnsafeGuaranteedRef({ $0.learnsOrders }) { reads = [] }
  }

  /// Returns the index of a member's value, or `nil`.
  @inline(__always)
  mutating func find(_ key: String, _ tape: JSONTape, _ type: Unmanaged<DecodedType>?) -> Int? {
    if let step, step.pointee.isRead(with: key), upcoming < end,
      step.pointee.name.matches(tape, upcoming)
    {
      return follow(step, tape)
    }
    return search(key, tape, type)
  }

  @inline(__always)
  private mutating func follow(_ step: UnsafePointer<ReadOrder.Step>, _ tape: JSONTape) -> Int {
    let value = upcoming &+ 1
    upcoming = tape.after(value)
    self.step = step + 1
    return value
  }

  @inline(never)
  private mutating func search(
    _ key: consuming String, _ tape: JSONTape, _ type: Unmanaged<DecodedType>?
  ) -> Int? {
    if let values { return values[key] }
    while let step {
      let isThere = upcoming < end && step.pointee.name.matches(tape, upcoming)
      if isThere, step.pointee.isRead(with: key) { return follow(step, tape) }
      guard step.pointee.isUnread else { break }
      if isThere { _ = follow(step, tape) } else { self.step = step + 1 }
    }
    let start = upcoming
    guard let value = key.withUTF8({ search($0, tape, type) }) else {
      if let step, step.pointee.isRead(with: key) { self.step = step + 1 }
      return nil
    }
    // An order has only reads that went forward.
    if upcoming > start, value > start { reads?.append(ReadOrder.Read(key: key, name: value &- 1)) }
    return value
  }

  private mutating func search(
    _ key: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ type: Unmanaged<DecodedType>?
  ) -> Int? {
    guard let name = name(key, in: upcoming, end, tape) else {
      return first(key, tape).map { $0 &+ 1 }
    }
    if let step { leaveOrder(step, tape, type) }
    while upcoming < name {
      earlier |= bit(upcoming, tape)
      upcoming = tape.after(upcoming &+ 1)
    }
    let bit = bit(name, tape)
    if earlier & bit != 0, let same = first(key, before: name, bit, tape) { return same &+ 1 }
    earlier |= bit
    upcoming = tape.after(name &+ 1)
    return name &+ 1
  }

  /// Continues without an order, because the object or the type deviates from it.
  @inline(never)
  private mutating func leaveOrder(
    _ step: UnsafePointer<ReadOrder.Step>, _ tape: JSONTape, _ type: Unmanaged<DecodedType>?
  ) {
    self.step = nil
    if let type = type?.takeUnretainedValue(), type.learnsOrders {
      reads = type.order(with: step)?.reads(before: upcoming, of: object, tape)
    }
    var name = tape.first(in: object)
    while name < upcoming {
      earlier |= bit(name, tape)
      name = tape.after(name &+ 1)
    }
  }

  /// Forgets the object.
  @inline(__always)
  mutating func close() {
    object = 0
    earlier = 0
    if values != nil { values = nil }
    if reads != nil { reads = nil }
  }

  /// Returns the first of the names from `start` to `end` that equals the key.
  @inline(__always)
  private func name(
    _ key: UnsafeBufferPointer<UInt8>, in start: Int, _ end: Int, _ tape: JSONTape
  ) -> Int? {
    var name = start
    while name < end {
      if Self.areEqual(tape.utf8(name), key) { return name }
      name = tape.after(name &+ 1)
    }
    return nil
  }

  /// Returns the first name before `found` that equals the key. `found` has the bytes of the key, and `bit` is its bit.
  private func first(
    _ key: UnsafeBufferPointer<UInt8>, before found: Int, _ bit: UInt64, _ tape: JSONTape
  ) -> Int? {
    let same = name(key, in: tape.first(in: object), found, tape)
    // The key and all names before it are in ASCII.
    if earlier | bit != .max { return same }
    return equivalent(key, before: same ?? found, tape) ?? same
  }

  /// Returns the first name that equals a key whose bytes are not among the upcoming names.
  private func first(_ key: UnsafeBufferPointer<UInt8>, _ tape: JSONTape) -> Int? {
    let same = name(key, in: tape.first(in: object), upcoming, tape)
    if same != nil, earlier != .max { return same }
    return equivalent(key, before: same ?? end, tape) ?? same
  }

  /// Whether text with this byte equals no text with other bytes in its place. That is so for all of ASCII but the three
  /// characters that Unicode has twice: K as the sign for Kelvin, and the semicolon and the grave accent as Greek ones.
  private static func hasNoEquivalent(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "K") && byte != UInt8(ascii: ";")
      && byte != UInt8(ascii: "`")
  }

  /// Finds a name that equals the key but has other bytes. One of the two is not in ASCII.
  @inline(never)
  private func equivalent(
    _ key: UnsafeBufferPointer<UInt8>, before end: Int, _ tape: JSONTape
  ) -> Int? {
    var isASCII = true
    var isAlone = true
    for byte in key {
      isASCII = isASCII && byte < 0x80
      isAlone = isAlone && Self.hasNoEquivalent(byte)
    }
    if isAlone { return nil }
    var name = isASCII && earlier != .max ? upcoming : tape.first(in: object)
    while name < end {
      if !isASCII || !tape.isASCII(name), tape.string(name) == String(decoding: key, as: UTF8.self) {
        return name
      }
      name = tape.after(name &+ 1)
    }
    return nil
  }

  /// Returns the bit of a name, which depends on its length and its first eight bytes; all bits if it
  /// is not in ASCII.
  @inline(__always)
  private func bit(_ name: Int, _ tape: JSONTape) -> UInt64 {
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

  @inline(never)
  private static func values(_ object: Int, _ decoder: TapeDecoder) -> [String: Int] {
    let decoding = decoder.decoding
    let tape = decoding.tape
    var values: [String: Int] = [:]
    values.reserveCapacity(tape.countHint(of: object))
    var customPath: [any CodingKey]?
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      var key = tape.string(name)
      switch decoding.options.keyStrategy {
      case .convertFromSnakeCase: key = decoding.camelCase(key)
      case .custom(let convert):
        let path = customPath ?? decoder.codingPath
        customPath = path
        key = convert(path + [TapeKey(stringValue: key)]).stringValue
      default: break
      }
      if values[key] == nil { values[key] = name + 1 }
      name = tape.after(name + 1)
    }
    return values
  }

  /// All keys in the order of the text, without repeated ones.
  func keys(_ tape: JSONTape) -> [String] {
    if let values { return values.sorted { $0.value < $1.value }.map(\.key) }
    var keys: [String] = []
    keys.reserveCapacity(tape.countHint(of: object))
    var known: Set<String> = []
    var name = tape.first(in: object)
    while name < end {
      let key = tape.string(name)
      if known.insert(key).inserted { keys.append(key) }
      name = tape.after(name + 1)
    }
    return keys
  }
}
