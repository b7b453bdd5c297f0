/// Where a value is in the value around it. It holds no counted reference, so it is valid only while the value is decoded:
/// the decoder around it is lent meanwhile, and the key is an argument of a call that hasn't returned.
struct CodingPlace {
  /// The decoder of the value around it, or `nil` for the outermost value.
  var parent: Unmanaged<TapeDecoder>?
  /// The position in an array, or -1.
  private var position = -1
  /// The address of a member's key, and its type.
  private var key: UnsafeRawPointer?
  private var keyType: any CodingKey.Type = TapeKey.self

  /// The most values that may be nested while decoding. The server controls the nesting, and a
  /// thread may have only 512 KB of stack.
  static var maximumDepth: Int { 192 }

  /// The place of the outermost value.
  init() {}

  /// The place of the decoder's own value.
  @inline(__always)
  init(in parent: TapeDecoder) { self.parent = .passUnretained(parent) }

  @inline(__always)
  init(element position: Int, of parent: TapeDecoder) {
    self.parent = .passUnretained(parent)
    self.position = position
  }

  /// The place of a member, whose key is not copied.
  @inline(__always)
  init<Key: CodingKey>(member key: UnsafePointer<Key>, of parent: TapeDecoder) {
    self.parent = .passUnretained(parent)
    self.key = UnsafeRawPointer(key)
    keyType = Key.self
  }

  /// The number of values being decoded around this place. Each takes some of the stack.
  @inline(__always)
  var depth: Int { parent?._withUnsafeGuaranteedRef { $0.depth } ?? 0 }

  /// The last key of the path; `nil` if the place is that of the decoder's own value.
  var lastKey: (any CodingKey)? {
    if position >= 0 { return TapeKey(index: position) }
    return key.map { Self.key(at: $0, keyType) }
  }

  private static func key<Key: CodingKey>(at address: UnsafeRawPointer, _ type: Key.Type) -> any CodingKey {
    address.assumingMemoryBound(to: type).pointee
  }

  /// The keys from the outermost value down to here.
  var path: [any CodingKey] {
    let outer = parent?.takeUnretainedValue().codingPath ?? []
    return lastKey.map { outer + [$0] } ?? outer
  }
}

/// A general coding key.
struct TapeKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Creates the key as the standard library does: digits are a number too, unless a key strategy
  /// is set.
  init(dictionaryKey key: String, isPlain: Bool) {
    stringValue = key
    intValue = isPlain ? nil : Int(key)
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
