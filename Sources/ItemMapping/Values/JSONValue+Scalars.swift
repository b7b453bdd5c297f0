extension JSONValue where Self: FixedWidthInteger {
  /// Reads a whole number that fits.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Self? {
    let coerced = Coercion.integer(Self.self, at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "\(Self.self)")
  }

  /// Returns a number.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    if let int = Int(exactly: self) { return .int(int) }
    if let uint = UInt64(exactly: self) { return .uint(uint) }
    return .number(JSONAny.Number(trusted: "\(self)"))
  }
}

extension Int: JSONValue {}
extension Int8: JSONValue {}
extension Int16: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension Int128: JSONValue {}
extension UInt: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}
extension UInt128: JSONValue {}

extension Double: JSONValue {
  /// Reads the nearest number.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Double? {
    let coerced = Coercion.double(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Double")
  }

  /// Returns a number, or `null` if it is not finite.
  public func write(as style: JSONAny.Style) -> JSONAny? { isFinite ? .double(self) : .null }

}

extension Float: JSONValue {
  /// Reads the nearest number.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Float? {
    let coerced = Coercion.float(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Float")
  }

  /// Returns a number with the fewest digits, or `null` if it is not finite.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    JSONAny.Number("\(self)").map { .number($0) } ?? .null
  }
}

extension Bool: JSONValue {
  /// Reads `true` or `false`.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Bool? {
    let coerced = Coercion.bool(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Bool")
  }

  /// Returns `true` or `false`.
  public func write(as style: JSONAny.Style) -> JSONAny? { .bool(self) }

}

extension String: JSONValue {
  /// Reads a string.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> String? {
    if run.field?.options.isInterned == true, run.tag(place) == JSONTape.Tag.string {
      return run.strings.string(run.tape, run.index(of: place))
    }
    let coerced = Coercion.string(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "String")
  }

  /// Returns a string.
  public func write(as style: JSONAny.Style) -> JSONAny? { .string(self) }

}

extension JSONValue where Self: RawRepresentable, RawValue: JSONValue {
  /// Reads the case with the raw value.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Self? {
    guard let raw = RawValue.read(place, in: &run) else { return nil }
    if let value = Self(rawValue: raw) { return value }
    let isEmpty = (raw as? String)?.isEmpty == true
    return run.refuse(place, isEmpty ? .empty : .unknownCase, expected: "\(Self.self)")
  }

  /// Returns the raw value as JSON.
  public func write(as style: JSONAny.Style) -> JSONAny? { rawValue.write(as: style) }
}
