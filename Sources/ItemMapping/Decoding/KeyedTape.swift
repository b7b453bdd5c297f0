/// An object as `Decodable` types see it: members by coding key.
struct KeyedTape<Key: CodingKey>: WrappedTape {
  private let decoder: TapeDecoder
  private var decoding: TapeDecoding { decoder.decoding }

  init(_ decoder: TapeDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { (decoder.members?.keys ?? []).compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoding.isNull(try find(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decode(type, key, at: find(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = present(key) else { return nil }
    return try decode(type, key, at: value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoding.decoder(at: find(key), decoder.place, key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoding.decoder(at: find(key), decoder.place, key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try fork(TapeKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try fork(key) }
}

/// What a ``KeyedWrapper`` makes a container from: `KeyedTape` for any type of keys.
protocol WrappedTape: KeyedDecodingContainerProtocol {
  init(_ decoder: TapeDecoder)
}

/// Makes containers for one type of keys. The runtime takes longer to find a generic type than to
/// decode a number, so it is found once.
final class KeyedWrapper<Key: CodingKey> {
  let container: (TapeDecoder) -> KeyedDecodingContainer<Key>

  init<Tape: WrappedTape>(_ type: Tape.Type) where Tape.Key == Key {
    container = { KeyedDecodingContainer(Tape($0)) }
  }
}

extension KeyedTape {
  @inline(__always)
  private func find(_ key: Key) throws -> Int {
    // The name is read first, so that the decoder needn't be retained meanwhile.
    let name = key.stringValue
    guard let value = decoder.find(name) else { throw missing(key) }
    return value
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "the object has no member “\(key.stringValue)”; make the property"
          + " optional if it may be missing"))
  }

  /// Returns the value of a member that exists and isn't `null`.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    let name = key.stringValue
    guard let value = decoder.find(name), decoding.tape.tag(value) != JSONTape.Tag.null else {
      return nil
    }
    return value
  }

  private func decode<T: Decodable>(_ type: T.Type, _ key: Key, at value: Int) throws -> T {
    try decoding.decode(type, at: value, place: { decoder.place }, key: { key })
  }

  /// Returns a decoder for a member, or for `null` if it is missing.
  private func fork(_ key: some CodingKey) throws -> TapeDecoder {
    try decoding.decoder(at: decoder.find(key.stringValue) ?? 0, decoder.place, key)
  }

  @inline(never)
  private func refusal(
    _ type: any Any.Type, _ kind: JSONView.Kind, _ value: Int, _ key: Key
  ) -> DecodingError {
    decoding.refusal(type, at: value, wanting: kind, decoder.place.adding(key).path)
  }

  @inline(__always)
  private func checked<T>(_ result: T?, _ kind: JSONView.Kind, _ value: Int, _ key: Key) throws -> T
  {
    guard let result else { throw refusal(T.self, kind, value, key) }
    return result
  }

  @inline(__always)
  private func bool(_ value: Int, _ key: Key) throws -> Bool {
    try checked(decoding.bool(at: value), .bool, value, key)
  }

  @inline(__always)
  private func string(_ value: Int, _ key: Key) throws -> String {
    try checked(decoding.string(at: value), .string, value, key)
  }

  @inline(__always)
  private func double(_ value: Int, _ key: Key) throws -> Double {
    try checked(decoding.double(at: value), .number, value, key)
  }

  @inline(__always)
  private func float(_ value: Int, _ key: Key) throws -> Float {
    try checked(decoding.float(at: value), .number, value, key)
  }

  @inline(__always)
  private func integer<T: FixedWidthInteger>(_ value: Int, _ key: Key) throws -> T {
    try checked(decoding.integer(T.self, at: value), .number, value, key)
  }
}

// The protocol requires a function for each type.
extension KeyedTape {
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try bool(find(key), key) }
  func decode(_: String.Type, forKey key: Key) throws -> String { try string(find(key), key) }
  func decode(_: Double.Type, forKey key: Key) throws -> Double { try double(find(key), key) }
  func decode(_: Float.Type, forKey key: Key) throws -> Float { try float(find(key), key) }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(find(key), key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(find(key), key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(find(key), key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(find(key), key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(find(key), key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(find(key), key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(find(key), key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(find(key), key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(find(key), key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(find(key), key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(find(key), key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(find(key), key) }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let value = present(key) else { return nil }
    return try bool(value, key)
  }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    guard let value = present(key) else { return nil }
    return try string(value, key)
  }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
    guard let value = present(key) else { return nil }
    return try double(value, key)
  }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? {
    guard let value = present(key) else { return nil }
    return try float(value, key)
  }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
    guard let value = present(key) else { return nil }
    return try integer(value, key)
  }
}
