/// An array as `Decodable` types see it: one element after another.
///
/// Three words, which an existential container holds without an allocation.
struct UnkeyedTape: UnkeyedDecodingContainer {
  private let decoder: TapeDecoder
  private var upcoming: Int
  private(set) var currentIndex = 0

  init(_ decoder: TapeDecoder) {
    self.decoder = decoder
    upcoming = decoder.decoding.tape.first(in: decoder.value)
  }

  private var decoding: TapeDecoding { decoder.decoding }
  private var tape: JSONTape { decoding.tape }
  private var end: Int { tape.end(of: decoder.value) }
  private var place: CodingPlace { decoder.place }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.count }
  var isAtEnd: Bool { upcoming >= end }

  mutating func decodeNil() throws -> Bool {
    let isNull = decoding.isNull(try next(Never.self))
    if isNull { advance() }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let result = try decoding.decode(
      type, at: next(type), place: { place.adding(currentIndex) }, key: { nil })
    advance()
    return result
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard let value = present else {
      advance()
      return nil
    }
    let result = try decoding.decode(
      type, at: value, place: { place.adding(currentIndex) }, key: { nil })
    advance()
    return result
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let value = try next(KeyedDecodingContainer<NestedKey>.self)
    let container = try decoding.decoder(at: value, place.adding(currentIndex), nil)
      .container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try next((any UnkeyedDecodingContainer).self)
    let container = try decoding.decoder(at: value, place.adding(currentIndex), nil)
      .unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let value = try next((any Decoder).self)
    defer { advance() }
    return try decoding.decoder(at: value, place.adding(currentIndex), nil)
  }
}

extension UnkeyedTape {
  @inline(__always)
  private func next(_ type: any Any.Type) throws -> Int {
    guard upcoming < end else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: place.adding(currentIndex).path,
          debugDescription: "expected element \(currentIndex), found the end of the array"))
    }
    return upcoming
  }

  /// The next element, if there is one that isn't `null`.
  private var present: Int? { upcoming < end && !decoding.isNull(upcoming) ? upcoming : nil }

  @inline(__always)
  private mutating func advance() {
    if upcoming < end { upcoming = tape.after(upcoming) }
    currentIndex += 1
  }

  @inline(__always)
  private func checked<T>(
    _ type: T.Type, _ result: T?, wanting kind: JSONView.Kind, at value: Int
  ) throws -> T {
    try decoding.checked(type, result, wanting: kind, at: value) { place.adding(currentIndex) }
  }

  private func bool(_ value: Int) throws -> Bool {
    try checked(Bool.self, decoding.bool(at: value), wanting: .bool, at: value)
  }

  private func string(_ value: Int) throws -> String {
    try checked(String.self, decoding.string(at: value), wanting: .string, at: value)
  }

  private func double(_ value: Int) throws -> Double {
    try checked(Double.self, decoding.double(at: value), wanting: .number, at: value)
  }

  private func float(_ value: Int) throws -> Float {
    try checked(Float.self, decoding.float(at: value), wanting: .number, at: value)
  }

  private func integer<T: FixedWidthInteger>(_ value: Int) throws -> T {
    try checked(T.self, decoding.integer(T.self, at: value), wanting: .number, at: value)
  }

  private mutating func element<T>(_ read: (Int) throws -> T) throws -> T {
    let result = try read(next(T.self))
    advance()
    return result
  }

  private mutating func elementIfPresent<T>(_ read: (Int) throws -> T) throws -> T? {
    let result = try present.map(read)
    advance()
    return result
  }
}

// The protocol requires a function for each type.
extension UnkeyedTape {
  mutating func decode(_: Bool.Type) throws -> Bool { try element(self.bool) }
  mutating func decode(_: String.Type) throws -> String { try element(self.string) }
  mutating func decode(_: Double.Type) throws -> Double { try element(self.double) }
  mutating func decode(_: Float.Type) throws -> Float { try element(self.float) }
  mutating func decode(_: Int.Type) throws -> Int { try element(self.integer) }
  mutating func decode(_: Int8.Type) throws -> Int8 { try element(self.integer) }
  mutating func decode(_: Int16.Type) throws -> Int16 { try element(self.integer) }
  mutating func decode(_: Int32.Type) throws -> Int32 { try element(self.integer) }
  mutating func decode(_: Int64.Type) throws -> Int64 { try element(self.integer) }
  mutating func decode(_: Int128.Type) throws -> Int128 { try element(self.integer) }
  mutating func decode(_: UInt.Type) throws -> UInt { try element(self.integer) }
  mutating func decode(_: UInt8.Type) throws -> UInt8 { try element(self.integer) }
  mutating func decode(_: UInt16.Type) throws -> UInt16 { try element(self.integer) }
  mutating func decode(_: UInt32.Type) throws -> UInt32 { try element(self.integer) }
  mutating func decode(_: UInt64.Type) throws -> UInt64 { try element(self.integer) }
  mutating func decode(_: UInt128.Type) throws -> UInt128 { try element(self.integer) }

  mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try elementIfPresent(self.bool) }
  mutating func decodeIfPresent(_: String.Type) throws -> String? {
    try elementIfPresent(self.string)
  }
  mutating func decodeIfPresent(_: Double.Type) throws -> Double? {
    try elementIfPresent(self.double)
  }
  mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try elementIfPresent(self.float) }
  mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try elementIfPresent(self.integer) }
  mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try elementIfPresent(self.integer) }
  mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try elementIfPresent(self.integer) }
  mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? {
    try elementIfPresent(self.integer)
  }
  mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? {
    try elementIfPresent(self.integer)
  }
}
