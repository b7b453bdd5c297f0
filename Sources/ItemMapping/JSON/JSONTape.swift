/// The parser's own form of a document, read in place.
///
/// Each value starts with one word: a tag in the top byte, a payload below. A number takes a second
/// word with its bits. A container's payload has the index of the word after its end, so skipping
/// it is one load. In an object, names and values alternate.
///
/// The cursor is as fast as pointers: an index must come from the tape (``root``, ``first(in:)``,
/// ``after(_:)``), and the ``JSONDocument`` must outlive it. A walk ends at ``end(of:)``, which is
/// checked against the length of the tape, so no word beyond it is read.
struct JSONTape {
  /// The tags, as the parser writes them; ``bigNumber`` is added by this package.
  enum Tag {
    static var object: UInt8 { 0x7B }
    static var array: UInt8 { 0x5B }
    static var string: UInt8 { 0x22 }
    static var int: UInt8 { 0x6C }
    /// An integer above the largest `Int64`.
    static var uint: UInt8 { 0x75 }
    static var double: UInt8 { 0x64 }
    static var yes: UInt8 { 0x74 }
    static var no: UInt8 { 0x66 }
    static var null: UInt8 { 0x6E }
    /// A number beyond 64 bits or beyond `Double`: one word, whose payload is the offset of its
    /// digits in the text.
    static var bigNumber: UInt8 { 0x4E }
  }

  /// The index of the outermost value.
  static var root: Int { 1 }

  let words: UnsafeMutablePointer<UInt64>
  /// The number of words, including the first and the last one, which are not part of a value.
  let count: Int
  let strings: UnsafePointer<UInt8>

  @inline(__always)
  func tag(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[index] &>> 56) }

  @inline(__always)
  func payload(_ index: Int) -> Int {
    Int(truncatingIfNeeded: words[index] & 0x00FF_FFFF_FFFF_FFFF)
  }

  /// Returns the index after a value: the next element, the next name, or the ``end(of:)`` of its
  /// container.
  @inline(__always)
  func after(_ index: Int) -> Int {
    switch tag(index) {
    case Tag.object, Tag.array: jump(over: index)
    case Tag.int, Tag.uint, Tag.double: index &+ 2
    default: index &+ 1
    }
  }

  /// Returns the first element or the first name of a container, or ``end(of:)`` if it is empty.
  @inline(__always)
  func first(in container: Int) -> Int { container &+ 1 }

  /// Returns the index of a container's closing word, where a walk stops.
  @inline(__always)
  func end(of container: Int) -> Int { jump(over: container) &- 1 }

  /// Returns the index after a container. A walk over its values reads at most one word past its
  /// closing word.
  @inline(__always)
  private func jump(over container: Int) -> Int {
    let next = Int(UInt32(truncatingIfNeeded: words[container]))
    precondition(container < next && next < count, "the tape of the JSON parser is malformed")
    return next
  }

  /// Returns the number of elements or members for reserving space. 16,777,215 means that many or
  /// more.
  @inline(__always)
  func countHint(of container: Int) -> Int { payload(container) &>> 32 }

  @inline(__always)
  func int(_ index: Int) -> Int64 { Int64(bitPattern: words[index &+ 1]) }

  @inline(__always)
  func uint(_ index: Int) -> UInt64 { words[index &+ 1] }

  @inline(__always)
  func double(_ index: Int) -> Double { Double(bitPattern: words[index &+ 1]) }

  /// Returns the bytes of a string or a name: valid UTF-8, without escapes.
  @inline(__always)
  func utf8(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let header = strings + payload(index)
    let count = UnsafeRawPointer(header).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: header + 4, count: Int(count))
  }

  /// Returns the first eight bytes of a string, padded with zeros.
  @inline(__always)
  func prefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    word(bytes) & Self.mask(bytes.count)
  }

  /// Returns the first eight bytes of a string and what follows it. At least eight bytes of the buffer are readable
  /// after every string.
  @inline(__always)
  func word(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    bytes.baseAddress.map { UnsafeRawPointer($0).loadUnaligned(as: UInt64.self) } ?? 0
  }

  /// Returns the bits of the first eight bytes that belong to a string of this length.
  @inline(__always)
  static func mask(_ count: Int) -> UInt64 {
    count >= 8 ? .max : (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
  }

  /// Returns a string or a name. The parser has validated its bytes, so the standard library needn't do so again.
  ///
  /// Not inlined, so that walks over members keep their registers.
  @inline(never)
  func string(_ index: Int) -> String {
    let bytes = utf8(index)
    assert(String(validating: bytes, as: UTF8.self) != nil, "the parser accepted invalid UTF-8")
    #if !OLD_SYSTEM
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return String(
          copying: UTF8Span(unchecked: bytes.span, isKnownASCII: Self.isLongASCII(bytes)))
      }
    #endif
    // Older systems of Apple validate again.
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether all bytes are ASCII; `false` for a string of up to 15 bytes, which is stored inline and keeps no such
  /// flag.
  @inline(__always)
  private static func isLongASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count > 15 && union(bytes, from: 0) & notASCII == 0
  }

  /// Whether all bytes of a string or a name are ASCII.
  @inline(__always)
  func isASCII(_ index: Int) -> Bool {
    let bytes = utf8(index)
    return (prefix(bytes) | Self.union(bytes, from: 8)) & Self.notASCII == 0
  }

  /// The bits that no bytes in ASCII have.
  static var notASCII: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns the union of the bits of all words of eight bytes from this place on, with an overlap at the end. Returns
  /// none if there are no bytes there. The string has at least eight bytes, or the place is 8 or more.
  @inline(__always)
  static func union(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
    guard bytes.count > start else { return 0 }
    assert(bytes.count >= 8)
    let bytes = UnsafeRawBufferPointer(bytes)
    let end = bytes.count &- 8
    var union = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    var place = start
    while place < end {
      union |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place &+= 8
    }
    return union
  }

  /// Returns the value of the first member with this name.
  func member(_ key: JSONKey, of object: Int) -> Int? {
    let end = end(of: object)
    var name = first(in: object)
    while name < end {
      if key.matches(self, name) { return name &+ 1 }
      name = after(name &+ 1)
    }
    return nil
  }

  /// Returns the element at a position; a negative one counts from the end.
  func element(_ position: Int, of array: Int) -> Int? {
    var left = position
    if left < 0 {
      left += count(of: array)
      if left < 0 { return nil }
    }
    let end = end(of: array)
    var index = first(in: array)
    while index < end {
      if left == 0 { return index }
      left &-= 1
      index = after(index)
    }
    return nil
  }

  /// Returns the number of elements of an array or members of an object.
  func count(of container: Int) -> Int {
    let hint = countHint(of: container)
    guard hint == 0xFF_FFFF else { return hint }
    let isObject = tag(container) == Tag.object
    let end = end(of: container)
    var index = first(in: container)
    var count = 0
    while index < end {
      index = after(isObject ? index &+ 1 : index)
      count &+= 1
    }
    return count
  }
}

/// A member's name, prepared for comparison with names on a tape.
struct JSONKey: Hashable {
  let utf8: [UInt8]
  /// The first eight bytes, padded with zeros.
  let prefix: UInt64

  init(_ name: some StringProtocol) {
    utf8 = Array(name.utf8)
    prefix = Self.prefix(of: utf8)
  }

  /// Returns the first eight bytes, padded with zeros, of a name anywhere in memory.
  static func prefix(of name: some Collection<UInt8>) -> UInt64 {
    var prefix: UInt64 = 0
    for (place, byte) in name.prefix(8).enumerated() {
      prefix |= UInt64(byte) &<< UInt64(place &* 8)
    }
    return prefix
  }

  /// Returns whether the name at this index of the tape equals this one, byte for byte.
  @inline(__always)
  func matches(_ tape: JSONTape, _ index: Int) -> Bool {
    let bytes = tape.utf8(index)
    guard bytes.count == utf8.count, tape.prefix(bytes) == prefix else { return false }
    return bytes.count <= 8 || utf8.withUnsafeBufferPointer { Self.haveEqualEnds($0, bytes) }
  }

  /// Returns whether two names of the same length, more than eight bytes, are equal after their
  /// first eight bytes. Most have at most sixteen, so comparing the last eight is enough.
  @inline(__always)
  static func haveEqualEnds(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let (a, b) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    let end = a.count &- 8
    guard
      a.loadUnaligned(fromByteOffset: end, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    else { return false }
    return end <= 8 || a[8..<end].elementsEqual(b[8..<end])
  }
}
