/// The decoder that a type sees, for one value. It is the node of the value's children in coding
/// paths, too.
///
/// Most are used again for another value, because an allocation for each of them takes longer.
final class TapeDecoder: CodingPathNode, Decoder {
  let decoding: TapeDecoding
  /// Its index on the tape. Unchecked like the other properties, because nothing re-enters while
  /// they change.
  @exclusivity(unchecked) private(set) var value = 0
  @exclusivity(unchecked) private var members = TapeMembers()
  /// The number of elements of an array, once they are read. It takes a walk over the largest ones.
  @exclusivity(unchecked) private(set) var count: Int?

  /// The type that the decoder is lent to, and the next one that can be lent; see ``TapeDecoding/lend(_:for:at:key:)``.
  @exclusivity(unchecked) private var type: Unmanaged<DecodedType>?
  @exclusivity(unchecked) var next: Unmanaged<TapeDecoder>?
  /// The container that a lent decoder has made, owned by it, and the type of its keys.
  @exclusivity(unchecked) private var container: Unmanaged<LentContainer>?
  @exclusivity(unchecked) private var keys: ObjectIdentifier?

  init(_ decoding: TapeDecoding) {
    self.decoding = decoding
    super.init(parent: CodingPlace(), key: nil)
  }

  deinit { container?.release() }

  @inline(__always)
  func open(
    _ value: Int, _ place: consuming CodingPlace, _ key: consuming (any CodingKey)?,
    lentTo type: Unmanaged<DecodedType>?
  ) {
    self.value = value
    self.type = type
    place.enter()
    parent = place
    self.key = key
  }

  /// Whether nobody else has the container.
  @inline(__always)
  var hasItsContainer: Bool {
    container?._withUnsafeGuaranteedRef { $0.isUnshared } ?? true
  }

  /// Leaves the decoder to those who still have it or its container.
  @inline(never)
  func leave() {
    type = nil
    guard let container else { return }
    self.container = nil
    keys = nil
    container.takeUnretainedValue().setOwner(self)
    container.release()
  }

  /// Forgets the value.
  @inline(__always)
  func close() {
    if members.reads != nil { type?.takeUnretainedValue().learn(members, decoding.tape) }
    members.close()
    parent = CodingPlace()
    key = nil
    count = nil
  }

  /// The place of the value.
  var place: CodingPlace { CodingPlace(self, -1, parent.depth) }
  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { decoding.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard decoding.tape.tag(value) == JSONTape.Tag.object else {
      throw decoding.refusal([String: Any].self, at: value, wanting: .object, codingPath)
    }
    if members.object == 0 {
      members.open(value, of: decoding, for: self.type) { place }
    }
    if keys == ObjectIdentifier(type), let container {
      return container._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: LentContainerOf<KeyedDecodingContainer<Key>>.self).lend()
      }
    }
    return makeContainer(type)
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    guard let lender = self.type, lender._withUnsafeGuaranteedRef({ $0.isFrequent }),
      container == nil,
      LentContainer.areUnderstood
    else { return KeyedDecodingContainer(KeyedTape(self, owner: self)) }
    let made = KeyedDecodingContainer(KeyedTape<Key>(self, owner: nil))
    container = .passRetained(LentContainerOf(made))
    keys = ObjectIdentifier(type)
    return made
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard decoding.tape.tag(value) == JSONTape.Tag.array else {
      throw decoding.refusal([Any].self, at: value, wanting: .array, codingPath)
    }
    if count == nil { count = decoding.tape.count(of: value) }
    return UnkeyedTape(self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Returns the index of a member's value, or `nil`.
  @inline(never)
  func find(_ key: String) -> Int? { members.find(key, decoding.tape, type) }

  /// All keys in the order of the text, without repeated ones.
  var names: [String] { members.object == 0 ? [] : members.keys(decoding.tape) }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { decoding.isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoding.decode(type, at: value, place: { place }, key: { nil })
  }

  func decode(_: Bool.Type) throws -> Bool {
    try decoding.checked(Bool.self, decoding.bool(at: value), wanting: .bool, at: value) { place }
  }

  func decode(_: String.Type) throws -> String {
    try decoding.checked(String.self, decoding.string(at: value), wanting: .string, at: value) { place }
  }

  func decode(_: Double.Type) throws -> Double {
    try decoding.checked(Double.self, decoding.double(at: value), wanting: .number, at: value) { place }
  }

  func decode(_: Float.Type) throws -> Float {
    try decoding.checked(Float.self, decoding.float(at: value), wanting: .number, at: value) { place }
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    try decoding.checked(T.self, decoding.integer(T.self, at: value), wanting: .number, at: value) { place }
  }

  func decode(_: Int.Type) throws -> Int { try integer() }
  func decode(_: Int8.Type) throws -> Int8 { try integer() }
  func decode(_: Int16.Type) throws -> Int16 { try integer() }
  func decode(_: Int32.Type) throws -> Int32 { try integer() }
  func decode(_: Int64.Type) throws -> Int64 { try integer() }
  func decode(_: Int128.Type) throws -> Int128 { try integer() }
  func decode(_: UInt.Type) throws -> UInt { try integer() }
  func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_: UInt128.Type) throws -> UInt128 { try integer() }
}
