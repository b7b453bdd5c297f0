/// The decoder that a type sees, for one value. It is the node of the value's children in coding
/// paths, too.
///
/// Most are used again for another value, because an allocation for each of them takes longer.
final class TapeDecoder: CodingPathNode, Decoder {
  let decoding: TapeDecoding
  /// Its index on the tape. Unchecked like the other properties, because nothing re-enters while
  /// they change.
  @exclusivity(unchecked) private(set) var value = 0
  /// The members of an object, once they are read.
  @exclusivity(unchecked) private(set) var members: TapeMembers?

  /// The number of elements of an array, once they are read. It takes a walk over the largest ones.
  @exclusivity(unchecked) private(set) var count: Int?

  init(_ decoding: TapeDecoding) {
    self.decoding = decoding
    super.init(parent: CodingPlace(), key: nil)
  }

  @inline(__always)
  func open(_ value: Int, _ place: CodingPlace, _ key: consuming (any CodingKey)?) {
    self.value = value
    parent = place
    self.key = key
  }

  /// Forgets the value.
  @inline(__always)
  func close() {
    parent = CodingPlace()
    key = nil
    members = nil
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
    if members == nil { members = TapeMembers(decoding, value) { place } }
    return decoding.container(self, keyedBy: type)
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
  func find(_ key: String) -> Int? { members?.find(key) }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { decoding.isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoding.decode(type, at: value, place: { place }, key: { nil })
  }

  func decode(_: Bool.Type) throws -> Bool {
    try decoding.checked(Bool.self, .bool, decoding.bool(at: value), value) { place }
  }

  func decode(_: String.Type) throws -> String {
    try decoding.checked(String.self, .string, decoding.string(at: value), value) { place }
  }

  func decode(_: Double.Type) throws -> Double {
    try decoding.checked(Double.self, .number, decoding.double(at: value), value) { place }
  }

  func decode(_: Float.Type) throws -> Float {
    try decoding.checked(Float.self, .number, decoding.float(at: value), value) { place }
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    try decoding.checked(T.self, .number, decoding.integer(T.self, at: value), value) { place }
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
