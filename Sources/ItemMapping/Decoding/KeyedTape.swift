/// An object as `Decodable` types see it: members by coding key.
struct KeyedTape<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let reference: Unmanaged<TapeDecoder>
  /// The decoder, if the container owns it. Otherwise the decoder owns the container, and outlives it.
  var owner: TapeDecoder?

  init(_ decoder: TapeDecoder, owner: TapeDecoder?) {
    reference = .passUnretained(decoder)
    self.owner = owner
  }

  private var decoder: TapeDecoder { reference.takeUnretainedValue() }
  private var decoding: TapeDecoding { decoder.decoding }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoding.isNull(try find(key)) }

  // A type within itself re-enters these two, so they take no stack for closures.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let value = try find(key)
    let decoder = decoder
    return try decoder.decoding.decode(type, at: value, place: { decoder.place }, key: { key })
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = present(key) else { return nil }
    let decoder = decoder
    return try decoder.decoding.decode(type, at: value, place: { decoder.place }, key: { key })
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

extension KeyedTape {
  @inline(__always)
  private func find(_ key: Key) throws -> Int {
    let name = key.stringValue
    guard let value = reference._withUnsafeGuaranteedRef({ $0.find(name) }) else {
      throw missing(key)
    }
    return value
  }

  /// Returns the index of a member's value, if it exists and isn't `null`.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    let name = key.stringValue
    return reference._withUnsafeGuaranteedRef { decoder in
      guard let value = decoder.find(name), decoder.decoding.tape.tag(value) != JSONTape.Tag.null
      else { return nil }
      return value
    }
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
    try decoding.decoder(at: decoder.find(key.stringValue) ?? 0, decoder.place, key)
  }

  @inline(never)
  private func refusal(
    _ type: any Any.Type, wanting kind: JSONView.Kind, at value: Int, for key: Key
  ) -> DecodingError {
    decoding.refusal(type, at: value, wanting: kind, decoder.place.adding(key).path)
  }

  @inline(__always)
  private func scalar<T>(
    _ key: Key, _ kind: JSONView.Kind, _ read: (TapeDecoding, Int) -> T?
  ) throws -> T {
    try scalar(at: find(key), for: key, kind, read)
  }

  @inline(__always)
  private func presentScalar<T>(
    _ key: Key, _ kind: JSONView.Kind, _ read: (TapeDecoding, Int) -> T?
  ) throws -> T? {
    guard let value = present(key) else { return nil }
    return try scalar(at: value, for: key, kind, read)
  }

  @inline(__always)
  private func scalar<T>(
    at value: Int, for key: Key, _ kind: JSONView.Kind, _ read: (TapeDecoding, Int) -> T?
  ) throws -> T {
    guard let result = reference._withUnsafeGuaranteedRef({ read($0.decoding, value) }) else {
      throw refusal(T.self, wanting: kind, at: value, for: key)
    }
    return result
  }

  @inline(__always)
  private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T {
    try scalar(key, .number) { $0.integer(T.self, at: $1) }
  }

  @inline(__always)
  private func presentInteger<T: FixedWidthInteger>(_ key: Key) throws -> T? {
    try presentScalar(key, .number) { $0.integer(T.self, at: $1) }
  }
}

// The protocol requires a function for each type.
extension KeyedTape {
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
    try scalar(key, .bool) { $0.bool(at: $1) }
  }
  func decode(_: String.Type, forKey key: Key) throws -> String {
    try scalar(key, .string) { $0.string(at: $1) }
  }
  func decode(_: Double.Type, forKey key: Key) throws -> Double {
    try scalar(key, .number) { $0.double(at: $1) }
  }
  func decode(_: Float.Type, forKey key: Key) throws -> Float {
    try scalar(key, .number) { $0.float(at: $1) }
  }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
    try presentScalar(key, .bool) { $0.bool(at: $1) }
  }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    try presentScalar(key, .string) { $0.string(at: $1) }
  }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
    try presentScalar(key, .number) { $0.double(at: $1) }
  }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? {
    try presentScalar(key, .number) { $0.float(at: $1) }
  }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try presentInteger(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try presentInteger(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try presentInteger(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentInteger(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try presentInteger(key)
  }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try presentInteger(key)
  }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try presentInteger(key)
  }
}
