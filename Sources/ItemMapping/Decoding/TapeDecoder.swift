/// The decoder that a type sees, for one value. It is the node of the value's children in coding
/// paths, too.
///
/// Most are used again for another value, because an allocation for each of them takes longer.
final class TapeDecoder: Decoder {
  let decoding: TapeDecoding
  /// The same, for code that doesn't count its references.
  let shared: Unmanaged<TapeDecoding>
  let tape: JSONTape
  /// Its index on the tape.
  private(set) var value = 0
  /// Unchecked, because nothing re-enters while they change.
  @exclusivity(unchecked) private var members = TapeMembers()
  /// The number of elements of an array once they are counted, which takes a walk over the largest ones.
  private var counted = -1

  /// The type that the decoder is lent to, and the next one that can be lent; see ``DecodedType/lend(_:at:)``.
  private var type: Unmanaged<DecodedType>?
  var next: Unmanaged<TapeDecoder>?

  /// The place of the value, as long as the decoder is lent.
  private var place = CodingPlace()
  /// The number of values being decoded around this one, and this one.
  private(set) var depth = 0
  /// What ``place`` refers to, if the decoder isn't lent.
  private var kept: (parent: TapeDecoder?, key: (any CodingKey)?)?

  init(_ decoding: TapeDecoding) {
    self.decoding = decoding
    shared = .passUnretained(decoding)
    tape = decoding.tape
  }

  /// Creates a decoder that isn't lent.
  convenience init(
    _ decoding: TapeDecoding, value: Int, depth: Int, in parent: TapeDecoder?, _ key: (any CodingKey)?
  ) {
    self.init(decoding)
    self.value = value
    self.depth = depth
    kept = (parent, key)
  }

  @inline(__always)
  func open(_ value: Int, at place: CodingPlace, depth: Int, lentTo type: Unmanaged<DecodedType>) {
    self.value = value
    self.place = place
    self.depth = depth
    self.type = type
  }

  /// Leaves the decoder to those who still have it or its container.
  @inline(never)
  func leave() {
    type = nil
    kept = (place.parent?.takeUnretainedValue(), place.lastKey)
    place = CodingPlace()
  }

  /// Forgets the value. Returns whether the decoder can be lent again.
  @inline(__always)
  func close() -> Bool {
    if members.reads != nil { type?.takeUnretainedValue().learn(members, tape) }
    members.close()
    counted = -1
    return shared._withUnsafeGuaranteedRef { $0.reuses }
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var decoder = self
    while true {
      if let key = decoder.lastKey { path.append(key) }
      guard let parent = decoder.parent else { break }
      decoder = parent
    }
    return path.reversed()
  }

  private var parent: TapeDecoder? { kept.map(\.parent) ?? place.parent?.takeUnretainedValue() }
  private var lastKey: (any CodingKey)? { kept.map(\.key) ?? place.lastKey }

  var userInfo: [CodingUserInfoKey: Any] { decoding.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard tape.tag(value) == JSONTape.Tag.object else {
      throw decoding.refusal([String: Any].self, at: value, wanting: .object, codingPath)
    }
    if members.object == 0 { members.open(value, of: self, for: self.type) }
    guard let lender = self.type,
      let containers = lender._withUnsafeGuaranteedRef({ $0.containers(for: ObjectIdentifier(type)) })
    else { return firstContainer(type) }
    // Not downcast as a reference, which would be counted.
    return Unmanaged<ContainerMakerOf<Key, KeyedTape<Key>>>.fromOpaque(containers.toOpaque())
      ._withUnsafeGuaranteedRef { $0.container(of: self) }
  }

  @inline(never)
  private func firstContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    self.type?.takeUnretainedValue().learn(keys: type)
    return KeyedDecodingContainer(KeyedTape(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard tape.tag(value) == JSONTape.Tag.array else {
      throw decoding.refusal([Any].self, at: value, wanting: .array, codingPath)
    }
    return UnkeyedTape(self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// The number of elements of the array.
  var count: Int {
    if counted < 0 { counted = tape.count(of: value) }
    return counted
  }

  /// Returns the index of a member's value, or `nil`.
  @inline(never)
  func find(_ key: String) -> Int? { members.find(key, tape, type) }

  @inline(__always)
  func reader<T: Decodable>(of type: T.Type) -> Unmanaged<TypeReader<T>> {
    shared._withUnsafeGuaranteedRef { $0.reader(of: type) }
  }

  /// Decodes a member. The address of its key is used until this returns.
  @inline(__always)
  func decode<T: Decodable, Key: CodingKey>(
    _ type: T.Type, at value: Int, for key: UnsafePointer<Key>
  ) throws -> T {
    try reader(of: type)._withUnsafeGuaranteedRef {
      try $0.read(value, at: CodingPlace(member: key, of: self))
    }
  }

  /// Returns a decoder for a member that isn't lent.
  func nested<Key: CodingKey>(_ key: Key, at value: Int) throws -> TapeDecoder {
    try withUnsafePointer(to: key) { try decoding.decoder(at: value, CodingPlace(member: $0, of: self)) }
  }

  /// All keys in the order of the text, without repeated ones.
  var names: [String] { members.object == 0 ? [] : members.keys(tape) }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tape.isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try reader(of: type)._withUnsafeGuaranteedRef { try $0.read(value, at: CodingPlace(in: self)) }
  }

  func decode(_: Bool.Type) throws -> Bool { try scalar() }
  func decode(_: String.Type) throws -> String { try scalar() }
  func decode(_: Double.Type) throws -> Double { try scalar() }
  func decode(_: Float.Type) throws -> Float { try scalar() }
  func decode(_: Int.Type) throws -> Int { try scalar() }
  func decode(_: Int8.Type) throws -> Int8 { try scalar() }
  func decode(_: Int16.Type) throws -> Int16 { try scalar() }
  func decode(_: Int32.Type) throws -> Int32 { try scalar() }
  func decode(_: Int64.Type) throws -> Int64 { try scalar() }
  func decode(_: Int128.Type) throws -> Int128 { try scalar() }
  func decode(_: UInt.Type) throws -> UInt { try scalar() }
  func decode(_: UInt8.Type) throws -> UInt8 { try scalar() }
  func decode(_: UInt16.Type) throws -> UInt16 { try scalar() }
  func decode(_: UInt32.Type) throws -> UInt32 { try scalar() }
  func decode(_: UInt64.Type) throws -> UInt64 { try scalar() }
  func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

  @inline(__always)
  private func scalar<T: TapeScalar>() throws -> T {
    try shared._withUnsafeGuaranteedRef { try $0.scalar(T.self, at: value) { codingPath } }
  }
}
