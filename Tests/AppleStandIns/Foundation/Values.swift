// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

@_exported public import Darwin

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() { fatalError() }
  public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
  public init(timeIntervalSince1970: TimeInterval) { fatalError() }
  public init(timeIntervalSinceReferenceDate: TimeInterval) { fatalError() }
  public static var now: Date { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
  public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
  public var description: String { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
  public static func < (a: Date, b: Date) -> Bool { fatalError() }
  public static func + (a: Date, b: TimeInterval) -> Date { fatalError() }
  public static func - (a: Date, b: TimeInterval) -> Date { fatalError() }
}

extension Date {
  public struct ISO8601FormatStyle: Sendable {
    public init() { fatalError() }
    public func parse(_ value: String) throws -> Date { fatalError() }
  }
}

public struct TimeZone: Hashable, Sendable, Codable {
  public init?(identifier: String) { fatalError() }
  public static var current: TimeZone { fatalError() }
  public static var gmt: TimeZone { fatalError() }
  public var identifier: String { fatalError() }
  public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}

public struct Locale: Hashable, Sendable, Codable {
  public init(identifier: String) { fatalError() }
  public static var current: Locale { fatalError() }
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() { fatalError() }
  public init?(uuidString: String) { fatalError() }
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
}

public struct Decimal: Hashable, Comparable, Sendable, Codable, SignedNumeric, CustomStringConvertible {
  public typealias Magnitude = Decimal
  public init() { fatalError() }
  public init(_ value: Int) { fatalError() }
  public init(_ value: Int64) { fatalError() }
  public init(_ value: UInt64) { fatalError() }
  public init(_ value: Double) { fatalError() }
  public init?<T: BinaryInteger>(exactly source: T) { fatalError() }
  public init(integerLiteral value: Int) { fatalError() }
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) { fatalError() }
  public init?(string: String, locale: Locale? = nil) { fatalError() }
  public var magnitude: Decimal { fatalError() }
  public var exponent: Int { fatalError() }
  public var significand: Decimal { fatalError() }
  public var sign: FloatingPointSign { fatalError() }
  public var isNaN: Bool { fatalError() }
  public var isFinite: Bool { fatalError() }
  public var isZero: Bool { fatalError() }
  public static var nan: Decimal { fatalError() }
  public var description: String { fatalError() }
  public static func < (a: Decimal, b: Decimal) -> Bool { fatalError() }
  public static func + (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func - (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func * (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func / (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func *= (a: inout Decimal, b: Decimal) { fatalError() }
}
