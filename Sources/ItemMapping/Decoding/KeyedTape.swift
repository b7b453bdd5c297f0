/// An object as `Decodable` types see it: members by coding key.
struct KeyedTape<Key: CodingKey>: TapeContainer {
  private let decoder: TapeDecoder

  init(_ decoder: TapeDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoder.tape.isNull(try find(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let value = try find(key)
    var key = key
    return try decoder.decode(type, at: value, for: &key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = present(key) else { return nil }
    var key = key
    return try decoder.decode(type, at: value, for: &key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.nested(key, at: find(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested(key, at: find(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try fork(TapeKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try fork(key) }
}

extension KeyedTape {
  @inline(__always)
  private func find(_ key: Key) throws -> Int {
    guard let value = decoder.find(key.stringValue) else { throw missing(key) }
    return value
  }

  /// Returns the index of a member's value, if it exists and isn't `null`.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    guard let value = decoder.find(key.stringValue), decoder.tape.tag(value) != JSONTape.Tag.null
    else { return nil }
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

  /// Returns a decoder for a member, or for `null` if it is missing.
  private func fork(_ key: some CodingKey) throws -> TapeDecoder {
    try decoder.nested(key, at: decoder.find(key.stringValue) ?? 0)
  }

  @inline(__always)
  private func scalar<T: TapeScalar>(_ key: Key) throws -> T {
    try scalar(key, at: find(key))
  }

  @inline(__always)
  private func presentScalar<T: TapeScalar>(_ key: Key) throws -> T? {
    guard let value = present(key) else { return nil }
    return try scalar(key, at: value)
  }

  @inline(__always)
  private func scalar<T: TapeScalar>(_ key: Key, at value: Int) throws -> T {
    guard let result = decoder.shared._withUnsafeGuaranteedRef({ T.read(at: value, $0) }) else {
      throw refusal(T.self, key, at: value)
    }
    return result
  }

  @inline(never)
  private func refusal<T: TapeScalar>(_ type: T.Type, _ key: Key, at value: Int) -> DecodingError {
    decoder.decoding.refusal(type, at: value, wanting: T.kind, codingPath + [key])
  }
}

// The protocol requires a function for each type.
extension KeyedTape {
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try presentScalar(key) }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try presentScalar(key) }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try presentScalar(key) }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try presentScalar(key) }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try presentScalar(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try presentScalar(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try presentScalar(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try presentScalar(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try presentScalar(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try presentScalar(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentScalar(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try presentScalar(key)
  }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try presentScalar(key)
  }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try presentScalar(key)
  }
}
