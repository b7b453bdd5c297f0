import FoundationEssentials
import Testing

@testable import ItemMapping

/// A row of the table: the JSON, and the result of reading it.
struct CoercionRow: Sendable, CustomTestStringConvertible {
  let json: String
  let lenient: String
  let strict: String

  init(_ json: String, _ lenient: String, strict: String = "wrongType") {
    self.json = json
    self.lenient = lenient
    self.strict = strict
  }

  /// A row with the same result in both modes.
  init(both json: String, _ result: String) { self.init(json, result, strict: result) }

  var testDescription: String { json }

  /// Reads the first element of an array with other elements.
  func result<T>(
    isStrict: Bool, takesBools: Bool = false,
    _ read: (Int, JSONDocument, CoercionRules) -> Coerced<T>
  ) throws -> String {
    let document = try JSONDocument(#"["x", 7.25, \#(json), 1.10]"#)
    let index = try #require(document.tape.element(2, of: JSONTape.root))
    return switch read(index, document, CoercionRules(isStrict: isStrict, takesBools: takesBools)) {
    case .exact(let value): "exact \(value)"
    case .converted(let value, let kind): "\(kind) \(value)"
    case .failed(let kind): "\(kind)"
    }
  }

  func check<T>(_ read: (Int, JSONDocument, CoercionRules) -> Coerced<T>) throws {
    #expect(try result(isStrict: false, read) == lenient)
    #expect(try result(isStrict: true, read) == strict)
  }

  /// Values that no scalar can be read from.
  static let hopeless = ["null", "[]", "[1]", "{}", #"{"a": 1}"#].map {
    Self(both: $0, "wrongType")
  }
  /// Values that no number can be read from.
  static let noNumbers: [Self] =
    hopeless
    + [
      Self("true", "wrongType"), Self("false", "wrongType"), Self(#""""#, "empty"),
    ]
    + [
      "abc", "true", " 42", "42 ", "+42", "0x2A", "4 2", "-", "--1", ".5", "5.", "1e", "1e+", "1,5",
      "٤٢", "nan", "NaN", "inf", "-Infinity", "１", "1_000", "42\\u0000",
    ].map { Self("\"\($0)\"", "unreadable") }
}

struct CoercionTests {
  static let integers: [CoercionRow] = [
    CoercionRow(both: "42", "exact 42"), CoercionRow(both: "-42", "exact -42"),
    CoercionRow(both: "0", "exact 0"), CoercionRow(both: "-0", "exact 0"),
    CoercionRow(both: "9223372036854775807", "exact 9223372036854775807"),
    CoercionRow(both: "-9223372036854775808", "exact -9223372036854775808"),
    CoercionRow(both: "9223372036854775808", "outOfRange"),
    CoercionRow(both: "18446744073709551616", "outOfRange"),
    CoercionRow("1e400", "outOfRange", strict: "outOfRange"),
    CoercionRow("1.0", "converted 1", strict: "fraction"),
    CoercionRow("-0.0", "converted 0", strict: "fraction"),
    CoercionRow("1e3", "converted 1000", strict: "fraction"),
    CoercionRow("-2.50e1", "converted -25", strict: "fraction"),
    CoercionRow("9007199254740993.0", "converted 9007199254740993", strict: "fraction"),
    CoercionRow("9223372036854775807.0", "converted 9223372036854775807", strict: "fraction"),
    CoercionRow("-9223372036854775808.0", "converted -9223372036854775808", strict: "fraction"),
    CoercionRow("9223372036854775808.0", "outOfRange", strict: "fraction"),
    CoercionRow("9223372036854775.8e3", "converted 9223372036854775800", strict: "fraction"),
    CoercionRow("9007199254740993.5", "fraction", strict: "fraction"),
    CoercionRow("1e19", "outOfRange", strict: "fraction"),
    CoercionRow("1e300", "outOfRange", strict: "fraction"),
    CoercionRow(both: "1.5", "fraction"), CoercionRow(both: "-0.5", "fraction"),
    CoercionRow(#""42""#, "converted 42"), CoercionRow(#""-42""#, "converted -42"),
    CoercionRow(#""0""#, "converted 0"), CoercionRow(#""-0""#, "converted 0"),
    CoercionRow(#""007""#, "converted 7"), CoercionRow(#""1.0""#, "converted 1"),
    CoercionRow(#""1e3""#, "converted 1000"), CoercionRow(#""3.14""#, "fraction"),
    CoercionRow(#""9223372036854775807""#, "converted 9223372036854775807"),
    CoercionRow(#""-9223372036854775808""#, "converted -9223372036854775808"),
    CoercionRow(#""9223372036854775808""#, "outOfRange"),
    CoercionRow(#""-9223372036854775809""#, "outOfRange"),
    CoercionRow(#""00000000000000000000000042""#, "converted 42"),
    CoercionRow(#""99999999999999999999999999999999999999999999""#, "outOfRange"),
    CoercionRow(#""1.00000000000000000000000000000000000000000000000001""#, "fraction"),
    CoercionRow(#""1.00000000000000000000000000000000000000000000000000""#, "converted 1"),
    CoercionRow(#""1e99999999999999999999999""#, "outOfRange"),
    CoercionRow(#""1e-99999999999999999999999""#, "fraction"),
    CoercionRow(#""0e99999999999999999999999""#, "converted 0"),
    CoercionRow(#""1234567890123456789x""#, "unreadable"),
  ]

  @Test(arguments: integers + CoercionRow.noNumbers)
  func `an integer is read exactly or not at all`(row: CoercionRow) throws {
    try row.check { Coercion.integer(Int.self, at: $0, of: $1, $2) }
  }

  @Test(arguments: [
    CoercionRow(both: "127", "exact 127"), CoercionRow(both: "-128", "exact -128"),
    CoercionRow(both: "128", "outOfRange"), CoercionRow(both: "-129", "outOfRange"),
    CoercionRow("-128.0", "converted -128", strict: "fraction"),
    CoercionRow("128.0", "outOfRange", strict: "fraction"),
    CoercionRow(#""-128""#, "converted -128"), CoercionRow(#""128""#, "outOfRange"),
    CoercionRow(#""-128.0""#, "converted -128"), CoercionRow(#""300.5""#, "fraction"),
    CoercionRow(#""12345678901234567890""#, "outOfRange"),
  ])
  func `a small integer type never wraps around`(row: CoercionRow) throws {
    try row.check { Coercion.integer(Int8.self, at: $0, of: $1, $2) }
  }

  @Test(arguments: [
    CoercionRow(both: "18446744073709551615", "exact 18446744073709551615"),
    CoercionRow(both: "-1", "outOfRange"), CoercionRow(both: "18446744073709551616", "outOfRange"),
    CoercionRow(#""18446744073709551615""#, "converted 18446744073709551615"),
    CoercionRow(#""-1""#, "outOfRange"), CoercionRow(#""-0""#, "converted 0"),
    CoercionRow(#""-00000000000000000000000""#, "converted 0"),
    CoercionRow(#""-1.0""#, "outOfRange"),
    CoercionRow("1.8446744073709551615e19", "converted 18446744073709551615", strict: "fraction"),
  ])
  func `an unsigned integer has its full range and rejects a minus`(row: CoercionRow) throws {
    try row.check { Coercion.integer(UInt64.self, at: $0, of: $1, $2) }
  }

  @Test(arguments: [
    CoercionRow(both: "18446744073709551616", "exact 18446744073709551616"),
    CoercionRow(
      both: "-170141183460469231731687303715884105728",
      "exact -170141183460469231731687303715884105728"),
    CoercionRow(both: "170141183460469231731687303715884105728", "outOfRange"),
    CoercionRow(
      #""170141183460469231731687303715884105727""#,
      "converted 170141183460469231731687303715884105727"),
    CoercionRow(both: "1e400", "outOfRange"),
  ])
  func `an integer of 128 bits is read beyond 64 bits`(row: CoercionRow) throws {
    try row.check { Coercion.integer(Int128.self, at: $0, of: $1, $2) }
  }

  @Test func `true and false are 1 and 0 for a number only if the field allows it`() throws {
    let rows = ["true", "false"].map { CoercionRow($0, "") }
    func results<T>(
      isStrict: Bool = false, _ read: (Int, JSONDocument, CoercionRules) -> Coerced<T>
    ) throws -> [String] {
      try rows.map { try $0.result(isStrict: isStrict, takesBools: true, read) }
    }
    #expect(
      try results { Coercion.integer(UInt8.self, at: $0, of: $1, $2) }
        == ["converted 1", "converted 0"])
    #expect(
      try results { Coercion.double(at: $0, of: $1, $2) } == ["converted 1.0", "converted 0.0"])
    #expect(
      try results { Coercion.float(at: $0, of: $1, $2) } == ["converted 1.0", "converted 0.0"])
    #expect(try results { Coercion.decimal(at: $0, of: $1, $2) } == ["converted 1", "converted 0"])
    #expect(try results { Coercion.string(at: $0, of: $1, $2) } == ["wrongType", "wrongType"])
    #expect(
      try results(isStrict: true) { Coercion.integer(Int.self, at: $0, of: $1, $2) }
        == ["wrongType", "wrongType"])
    #expect(
      try results(isStrict: true) { Coercion.double(at: $0, of: $1, $2) }
        == ["wrongType", "wrongType"])
  }

  @Test(
    arguments: [
      CoercionRow(both: "true", "exact true"), CoercionRow(both: "false", "exact false"),
      CoercionRow("1", "converted true"), CoercionRow("0", "converted false"),
      CoercionRow("1.0", "converted true"), CoercionRow("-0.0", "converted false"),
      CoercionRow("2", "outOfRange"), CoercionRow("-1", "outOfRange"),
      CoercionRow("0.5", "outOfRange"), CoercionRow("18446744073709551615", "outOfRange"),
      CoercionRow("1e400", "outOfRange"), CoercionRow(#""true""#, "converted true"),
      CoercionRow(#""false""#, "converted false"), CoercionRow(#""1""#, "converted true"),
      CoercionRow(#""0""#, "converted false"), CoercionRow(#""""#, "empty"),
    ]
      + [
        "yes", "no", "y", "TRUE", "True", "yellow", "on", "2", "00", "1.0", " true", "truely", "t",
      ]
      .map { CoercionRow("\"\($0)\"", "unreadable") } + CoercionRow.hopeless)
  func `only true, false, 1 and 0 are Booleans`(row: CoercionRow) throws {
    try row.check { Coercion.bool(at: $0, of: $1, $2) }
  }

  @Test(
    arguments: [
      CoercionRow(both: #""""#, "exact "), CoercionRow(both: #""a\nü""#, "exact a\nü"),
      CoercionRow("42", "converted 42"),
      CoercionRow("-9223372036854775808", "converted -9223372036854775808"),
      CoercionRow("18446744073709551615", "converted 18446744073709551615"),
      CoercionRow(
        "123456789012345678901234567890", "converted 123456789012345678901234567890"),
      CoercionRow("1.50e400", "converted 1.50e400"), CoercionRow("1.5", "converted 1.5"),
      CoercionRow("-0.0", "converted -0.0"), CoercionRow("1.0", "converted 1.0"),
      CoercionRow("1.10", "inexact 1.1"), CoercionRow("1e3", "inexact 1000.0"),
      CoercionRow("0.10000000000000000555", "inexact 0.1"), CoercionRow("true", "wrongType"),
      CoercionRow("false", "wrongType"),
    ] + CoercionRow.hopeless)
  func `a number becomes its digits in a string`(row: CoercionRow) throws {
    try row.check { Coercion.string(at: $0, of: $1, $2) }
  }
}
