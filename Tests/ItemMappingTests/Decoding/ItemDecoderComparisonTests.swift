import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

/// Decodes random documents, valid and invalid, with Foundation's decoder and ours, and compares
/// the results.
///
/// A dictionary has at most one invalid member, because Foundation reports any of several.
struct ItemDecoderComparisonTests {
  /// Valid and invalid values for each placeholder of a template.
  private static let fillings: [Character: [String]] = [
    "n": [
      "0", "-0", "1", "-1", "127", "128", "255", "256", "1.0", "1e3", "1.5", "-0.0", "25e-1",
      "100e-2", "9007199254740993", "9007199254740993.0", "9223372036854775807",
      "9223372036854775808", "-9223372036854775808", "18446744073709551615",
      "18446744073709551616", "-9223372036854775809", "170141183460469231731687303715884105728",
      "340282366920938463463374607431768211456", "1e18", "1e19", "1e39", "1e308", "1e309", "1e-400",
      "1E-46", "0.1", "3.4028236e38", "16777217.0000000001", "12345678901234567890123.4567",
      "0e400", "1.10", "123456789.125", "5e-324", "900719925474099300e-1",
    ],
    "s": [
      #""""#, #""a""#, #""wood""#, #""Ü\u00e9\ud83d\ude00""#, #""1""#, #""nan""#, #""\n\"\\\/""#,
      #""2024-05-01T10:20:30Z""#, #""aGVsbG8=""#, #""a longer text than fifteen bytes""#,
    ],
    "d": [
      #""2024-05-01T10:20:30Z""#, #""2024-05-01T10:20:30.25Z""#, #""2024-05-01T10:20:30+02:00""#,
      #""2024-02-30T00:00:00Z""#, #""2024-13-01T00:00:00Z""#, #""1500-01-01T00:00:00Z""#,
      #""2024-02-29T23:59:59Z""#, #""1970-01-01T00:00:00Z""#, #""2100-03-01T00:00:00Z""#,
      #""2024-05-01""#, "1700000000", "0.5", #""NaN""#, #""2024-05-01T10:20:3xZ""#,
    ],
    "u": [
      #""https://example.com/a?b=c""#, #""""#, #""a b""#, #""http://[""#, #""/relative""#,
    ],
    "x": [#""aGVsbG8=""#, #""aGVsbG8""#, #""""#, #""\u0061GVsbG8=""#, #""*""#, "[1,2,255]"],
    "b": ["true", "false"],
  ]
  private static let wrong = [
    "null", "true", "1", "0.5", #""text""#, "[]", "{}", "[null]", #"{"a":1}"#, #"[1,"a"]"#, "1e999",
  ]

  /// Fills a template, mostly with valid values, sometimes with any, and with white space.
  private static func filled(_ template: String, _ random: inout SeededGenerator) -> String {
    var text = ""
    var isPlace = false
    for character in template {
      if isPlace {
        isPlace = false
        let right = fillings[character] ?? ["null"]
        let isRight = Int.random(in: 0..<12, using: &random) > 0
        text += (isRight ? right : wrong).randomElement(using: &random) ?? "null"
      } else if character == "%" {
        isPlace = true
      } else {
        text.append(character)
        if character == ",", Int.random(in: 0..<4, using: &random) == 0 { text += "\n\t " }
      }
    }
    return Int.random(in: 0..<8, using: &random) == 0 ? damaged(text, &random) : text
  }

  /// Renames, repeats or removes a part, so that members are missing, repeated or unknown.
  private static func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let piece = pieces.randomElement(using: &random) else { return text }
    var changed = pieces
    switch Int.random(in: 0..<3, using: &random) {
    case 0: changed.removeAll { $0 == piece }
    case 1: changed.append(piece)
    default: changed.shuffle(using: &random)
    }
    return changed.joined(separator: ",")
  }

  private static func run<T: Decodable & Equatable>(
    _ type: T.Type, _ templates: [String], _ pair: DecoderPair = DecoderPair(), rounds: Int = 1_000
  ) throws {
    var random = try SeededGenerator.fromEnvironment()
    var values = 0
    var failures = 0
    for round in 0..<Thoroughness.runs(rounds) {
      let text = filled(templates[round % templates.count], &random)
      // Invalid JSON is not tested here: Foundation detects it later or never.
      guard (try? JSONDocument(text)) != nil else { continue }
      let (ours, theirs) = pair.outcomes(type, text)
      #expect(
        ours.agrees(withFoundation: theirs), "\(text): ours \(ours), Foundation's \(theirs)")
      if case .value = ours { values += 1 } else { failures += 1 }
    }
    if Thoroughness.current == .brief { return }
    #expect(values > 5 && failures > 5, "\(values) read, \(failures) refused")
  }

  @Test func `numbers of all types and spellings`() throws {
    try Self.run(
      Numbers.self,
      [
        #"{"int":%n,"small":%n,"double":%n}"#, #"{"int":1,"huge":%n,"hugest":%n,"decimal":%n}"#,
        #"{"int":%n}"#, #"{"decimal":%n,"byte":%n,"int":3,"wide":%n}"#, #"{"int":1,"float":%n}"#,
      ], rounds: 5_000)
    try Self.run([Double].self, ["[%n,%n]", "[1,%n]"])
    try Self.run([Int].self, ["[%n]", "[1,%n]", "[%n,%n]"])
    try Self.run([Int64?].self, ["[%n,null]", "[1,%n]"])
  }

  private static let shelves = [
    #"{"name":%s,"books":[{"title":%s,"tags":[%s,%s]},{"title":%s,"author":{"firstName":%s,"age":1}}]}"#,
    #"{"books":[],"isOpen":%b,"name":%s,"grid":[[%n],[],[1,%n]],"notes":[null,%s],"kind":"wood"}"#,
    #"{"n\u0061me":%s,"b\u006foks" : [ {"\u0074itle":%s} ]}"#,
    #"{"name":"n","byNumber":{"1":"a","x":"b"},"books":[]}"#,
    #"{"name":%s,"byCode":{"a":{"title":%s},"b":{"title":"x"}},"books":[]}"#,
    #"{"name":"n","byNumber":{"1":%s,"-3":"c"},"books":[{"title":%s}],"kind":%s}"#,
  ]

  @Test func `objects in objects, lists and dictionaries`() throws {
    try Self.run(Shelf.self, Self.shelves, rounds: 2_500)
    try Self.run([String: [String: Int]].self, [#"{"a":{"b":%n}}"#])
    try Self.run(
      [Graded].self, [#"[{"grades":[1,2],"shapes":[{"none":{}},{"circle":{"radius":%n}}]}]"#])
    try Self.run([String: Int].self, [#"{"a":1,"b":%n}"#, #"{"7":%n}"#, "%n"])
    try Self.run([String: String].self, [#"{"a":"x","b":%s}"#, #"{"7":%s}"#])
    try Self.run(Graded.self, [#"{"grades":[1,%n],"shapes":[{"box":{"_0":1,"_1":2}}]}"#])
    try Self.run(Graded.self, [#"{"grades":[2],"colors":{"red":1,"blue":%n}}"#])
  }

  @Test func `classes, nested containers and decoders for superclasses`() throws {
    try Self.run(
      Dog.self,
      [
        #"{"tricks":[%s],"owner":{"id":1,"places":[1,%n]},"super":{"name":%s}}"#,
        #"{"super":{"name":"x"},"tricks":[],"owner":{"id":%n}}"#,
        #"{"tricks":[],"owner":{"id":1}}"#,
      ])
    try Self.run(Cat.self, [#"[%n,{"name":%s}]"#, #"[9]"#, #"[9,{"name":%s}]"#])
  }

  @Test func `types that inspect values before they decode`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let templates = [
      "[%n,%s,%b,null,[],[%b],[%s],{},[true],%n]", #"{"a":%n,"b":[%s,{"c":%b}],"d":null,"e":%v}"#,
    ]
    for round in 0..<Thoroughness.runs(800) {
      let text = Self.filled(templates[round % 2], &random)
      guard let document = try? JSONDocument(text), document.repairs.isEmpty else { continue }
      #expect(DecoderPair().disagreement(Loose.self, text) == nil)
      #expect(DecoderPair().disagreement(Stepping.self, text) == nil)
      #expect(DecoderPair().disagreement(Backwards.self, text) == nil)
    }
  }

  @Test func `damaged texts that are still JSON`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let texts = [
      #"{"name":"x","isOpen":true,"books":[{"title":"a","tags":["b","c"]}],"kind":"wood"}"#,
      #" { "books" : [ ] , "name" : "\u00e9\n" , "grid" : [[1.5e1,2],[]] , "notes":[null,"x"] }"#,
    ]
    let pieces = Array(#"{}[]",:\0123456789.eE+-ntf aX"#.utf8)
    var compared = 0
    let rounds = Thoroughness.runs(6_000)
    for round in 0..<rounds {
      var bytes = Array(texts[round % 2].utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = pieces.randomElement(using: &random) ?? 0
        default: bytes.insert(pieces.randomElement(using: &random) ?? 0, at: place)
        }
      }
      guard (try? JSONDocument(bytes))?.repairs.isEmpty == true else { continue }
      compared += 1
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(DecoderPair().disagreement(Shelf.self, text) == nil)
      #expect(DecoderPair().disagreement(Loose.self, text) == nil)
    }
    if Thoroughness.current != .brief { #expect(compared > rounds / 6) }
  }

  @Test func `dates, data and URLs with each strategy`() throws {
    let templates = [
      #"{"date":%d,"url":%u}"#, #"{"data":%x}"#, #"{"dates":[%d,%d]}"#,
      #"{"byName":{"a":%d},"firstSeen":%n}"#,
    ]
    var pair = DecoderPair()
    let dates: [(JSONDecoder.DateDecodingStrategy, JSONDecoder.DateDecodingStrategy)] = [
      (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
      (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
      (.custom(Self.custom), .custom(Self.custom)),
    ]
    for (ours, theirs) in dates {
      pair.ours.dateStrategy = ours
      pair.foundation.dateDecodingStrategy = theirs
      try Self.run(Stamped.self, templates, pair, rounds: 500)
      try Self.run([Date].self, ["[%d]", "[%d,%d]"], pair, rounds: 300)
    }
    pair.ours.dataStrategy = .deferredToData
    pair.foundation.dataDecodingStrategy = .deferredToData
    try Self.run([Data].self, ["[%x]", "[[1,%n]]"], pair, rounds: 500)
    pair.ours.dataStrategy = .custom(Self.custom)
    pair.foundation.dataDecodingStrategy = .custom(Self.custom)
    try Self.run([Data].self, ["[%s]", "[%s,%s]"], pair, rounds: 300)
  }

  @Sendable private static func custom(_ decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Double.self) {
      return Date(timeIntervalSince1970: seconds)
    }
    let text = try container.decode(String.self)
    return Date(timeIntervalSince1970: Double(text.count + decoder.codingPath.count))
  }

  @Sendable private static func custom(_ decoder: any Decoder) throws -> Data {
    Data((try String(from: decoder) + decoder.codingPath.map(\.stringValue).joined()).utf8)
  }

  @Test func `keys in snake case and custom keys`() throws {
    var pair = DecoderPair()
    let templates =
      Self.shelves + [
        #"{"name":"n","books":[{"title":%s,"author":{"first_name":%s,"firstName":%s,"age":%n}}]}"#,
        #"{"name":%s,"is_open":%b,"by_code":{"a_b":{"title":%s},"c":{"title":"x"}},"books":[]}"#,
        #"{"by_number":{"1":%s},"_name":1,"name":%s,"books":[],"__is_Open__":2}"#,
      ]
    pair.ours.keyStrategy = .convertFromSnakeCase
    pair.foundation.keyDecodingStrategy = .convertFromSnakeCase
    try Self.run(Shelf.self, templates, pair, rounds: 1_500)
    try Self.run([String: [String: Int]].self, [#"{"a_b":{"c_d":%n}}"#, #"{"1":{"2":%n}}"#], pair)

    pair.ours.keyStrategy = .custom(Self.key)
    pair.foundation.keyDecodingStrategy = .custom(Self.key)
    let shouting = templates.map {
      $0.replacingOccurrences(of: #""name""#, with: #""NAME""#)
        .replacingOccurrences(of: #""title""#, with: #""2TITLE""#)
    }
    try Self.run(Shelf.self, shouting, pair, rounds: 1_500)
  }

  @Sendable private static func key(_ path: [any CodingKey]) -> any CodingKey {
    let name = path.last?.stringValue.lowercased() ?? ""
    return AnyKey(name.hasPrefix("\(path.count - 2)") ? String(name.dropFirst()) : name)
  }

  @Test func `strings that represent infinity and NaN`() {
    var pair = DecoderPair()
    pair.ours.floatStrategy = .convertFromString(
      positiveInfinity: "a", negativeInfinity: "", nan: "nan")
    pair.foundation.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "a", negativeInfinity: "", nan: "nan")
    for text in [#"["a"]"#, #"[""]"#, #"["b"]"#, "[null]", "[1]", "[1e999]"] {
      #expect(pair.disagreement([Double].self, text) == nil)
      #expect(pair.disagreement([Float].self, text) == nil)
      #expect(pair.disagreement([Int].self, text) == nil)
    }
    guard case .value(let numbers) = pair.outcomes([Double].self, #"["nan"]"#).ours else {
      Issue.record("a NaN was not read")
      return
    }
    #expect(numbers[0].isNaN)
  }

  @Test(arguments: [
    "a_b", "_a_b_", "__", "", "a", "A_B", "one_two__three", "URL_id", "a_2nd", "a_x2y",
    "a_b.cd-e f",
    "straße_ünï", "a_o'neil", "aB_cD", "_a", "a_",
  ])
  func `every name gets the key it gets from Foundation`(name: String) {
    var pair = DecoderPair()
    pair.ours.keyStrategy = .convertFromSnakeCase
    pair.foundation.keyDecodingStrategy = .convertFromSnakeCase
    #expect(pair.disagreement(Backwards.self, #"{"\#(name)":1,"other_name":2}"#) == nil)
  }

  @Test(arguments: [
    "1", "null", "true", #""text""#, "[]", "{}", " 1.5 ", "[[1]]", "18446744073709551616",
  ])
  func `a single value is decoded as any type`(text: String) {
    let pair = DecoderPair()
    #expect(pair.disagreement(Int.self, text) == nil)
    #expect(pair.disagreement(Bool.self, text) == nil)
    #expect(pair.disagreement(Float.self, text) == nil)
    #expect(pair.disagreement(String.self, text) == nil)
    #expect(pair.disagreement(Optional<Int>.self, text) == nil)
    #expect(pair.disagreement([[Int]].self, text) == nil)
    #expect(pair.disagreement([String: Int].self, text) == nil)
    #expect(pair.disagreement(Decimal.self, text) == nil)
    #expect(pair.disagreement(Date.self, text) == nil)
    #expect(pair.disagreement(URL.self, text) == nil)
    #expect(pair.disagreement(Data.self, text) == nil)
    #expect(pair.disagreement(Grade.self, text) == nil)
    #expect(pair.disagreement(Shelf.self, text) == nil)
  }
}
