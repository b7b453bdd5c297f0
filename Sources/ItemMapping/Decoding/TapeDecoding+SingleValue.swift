extension TapeDecoding: SingleValueDecodingContainer {
  private var value: Int { frame.pointee.value }

  func decodeNil() -> Bool { isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(
      type, at: value, place: { frame.pointee.place }, key: { frame.pointee.key })
  }

  func decode(_: Bool.Type) throws -> Bool {
    try checked(Bool.self, .bool, bool(at: value), value) { place }
  }

  func decode(_: String.Type) throws -> String {
    try checked(String.self, .string, string(at: value), value) { place }
  }

  func decode(_: Double.Type) throws -> Double {
    try checked(Double.self, .number, double(at: value), value) { place }
  }

  func decode(_: Float.Type) throws -> Float {
    try checked(Float.self, .number, float(at: value), value) { place }
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    try checked(T.self, .number, integer(T.self, at: value), value) { place }
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
