/// An array as `Decodable` types see it: one element after another.
///
/// Three words, which an existential container holds without an allocation.
struct UnkeyedTape: UnkeyedDecodingContainer {
  private let decoder: TapeDecoder
  private var upcoming: Int
  private(set) var currentIndex = 0

  init(_ decoder: TapeDecoder) {
    self.decoder = decoder
    upcoming = decoder.tape.first(in: decoder.value)
  }

  private var decoding: TapeDecoding { decoder.decoding }
  private var tape: JSONTape { decoder.tape }
  private var end: Int { tape.end(of: decoder.value) }
  private var place: CodingPlace { CodingPlace(element: currentIndex, of: decoder) }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.count }
  var isAtEnd: Bool { upcoming >= end }

  mutating func decodeNil() throws -> Bool {
    let isNull = tape.isNull(try next(Never.self))
    if isNull { advance() }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try next(type)
    let result = try decoder.reader(of: type)._withUnsafeGuaranteedRef { try $0.read(value, at: place) }
    advance()
    return result
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard let value = present else {
      advance()
      return nil
    }
    let result = try decoder.reader(of: type)._withUnsafeGuaranteedRef { try $0.read(value, at: place) }
    advance()
    return result
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let value = try next(KeyedDecodingContainer<NestedKey>.self)
    let container = try decoding.decoder(at: value, place).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try next((any UnkeyedDecodingContainer).self)
    let container = try decoding.decoder(at: value, place).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let value = try next((any Decoder).self)
    defer { advance() }
    return try decoding.decoder(at: value, place)
  }
}

extension UnkeyedTape {
  @inline(__always)
  private func next(_ type: any Any.Type) throws -> Int {
    guard upcoming < end else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: place.path,
          debugDescription: "expected element \(currentIndex), found the end of the array"))
    }
    return upcoming
  }

  /// The next element, if there is one that isn't `null`.
  private var present: Int? { upcoming < end && !tape.isNull(upcoming) ? upcoming : nil }

  @inline(__always)
  private mutating func advance() {
    if upcoming < end { upcoming = tape.after(upcoming) }
    currentIndex += 1
  }

  @inline(__always)
  private mutating func scalar<T: TapeScalar>() throws -> T {
    let result = try decoding.scalar(T.self, at: next(T.self)) { place.path }
    advance()
    return result
  }

  @inline(__always)
  private mutating func presentScalar<T: TapeScalar>() throws -> T? {
    let result = try present.map { try decoding.scalar(T.self, at: $0) { place.path } }
    advance()
    return result
  }
}

// The protocol requires a function for each type.
extension UnkeyedTape {
  mutating func decode(_: Bool.Type) throws -> Bool { try scalar() }
  mutating func decode(_: String.Type) throws -> String { try scalar() }
  mutating func decode(_: Double.Type) throws -> Double { try scalar() }
  mutating func decode(_: Float.Type) throws -> Float { try scalar() }
  mutating func decode(_: Int.Type) throws -> Int { try scalar() }
  mutating func decode(_: Int8.Type) throws -> Int8 { try scalar() }
  mutating func decode(_: Int16.Type) throws -> Int16 { try scalar() }
  mutating func decode(_: Int32.Type) throws -> Int32 { try scalar() }
  mutating func decode(_: Int64.Type) throws -> Int64 { try scalar() }
  mutating func decode(_: Int128.Type) throws -> Int128 { try scalar() }
  mutating func decode(_: UInt.Type) throws -> UInt { try scalar() }
  mutating func decode(_: UInt8.Type) throws -> UInt8 { try scalar() }
  mutating func decode(_: UInt16.Type) throws -> UInt16 { try scalar() }
  mutating func decode(_: UInt32.Type) throws -> UInt32 { try scalar() }
  mutating func decode(_: UInt64.Type) throws -> UInt64 { try scalar() }
  mutating func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

  mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try presentScalar() }
  mutating func decodeIfPresent(_: String.Type) throws -> String? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: Double.Type) throws -> Double? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try presentScalar() }
  mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try presentScalar() }
  mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try presentScalar() }
  mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try presentScalar() }
  mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? {
    try presentScalar()
  }
  mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? {
    try presentScalar()
  }
}
