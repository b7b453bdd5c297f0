import CSimdJSON
import Testing

/// What a parser makes of a text.
struct ParserOutcome: Equatable {
  /// The tape up to its last word, the strings and names in its order, and the positions of structural characters.
  struct Document: Equatable {
    var tape: [UInt64]
    var strings: [[UInt8]]
    var structurals: [UInt32]
  }

  var status: csimdjson_status
  var document: Document?

  static let isComparable: ConditionTrait = .enabled(
    if: csimdjson_has_simdjson(), "simdjson is not built in, so the portable parser is compared with nothing")

  static func portable(_ text: some Collection<UInt8>, before filler: String = "") -> ParserOutcome {
    outcome(text, filler, cjson_parse)
  }

  static func simdjson(_ text: some Collection<UInt8>, before filler: String = "") -> ParserOutcome {
    outcome(text, filler, csimdjson_parse_with_simdjson)
  }

  /// Parses a copy of the text that is followed by nothing but the padding, which `filler` fills.
  private static func outcome(
    _ text: some Collection<UInt8>, _ filler: String,
    _ parse: (UnsafePointer<UInt8>, Int) -> csimdjson_result
  ) -> ParserOutcome {
    let padding = Int(CSIMDJSON_PADDING)
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count + padding)
    defer { memory.deallocate() }
    _ = memory.initialize(from: text)
    let filler = filler.isEmpty ? [0] : Array(filler.utf8)
    for place in 0..<padding { memory[text.count + place] = filler[place % filler.count] }
    guard let start = memory.baseAddress else { return ParserOutcome(status: csimdjson_out_of_memory) }
    let result = parse(start, text.count)
    guard let parser = result.parser else { return ParserOutcome(status: result.status) }
    defer { csimdjson_release(parser) }
    return ParserOutcome(status: result.status, document: Document(result))
  }

  /// Whether both are the same document, or both refuse the text. Only some reasons are told apart by what reads them.
  static func == (first: ParserOutcome, second: ParserOutcome) -> Bool {
    func isMalformed(_ status: csimdjson_status) -> Bool {
      status == csimdjson_malformed || status == csimdjson_too_deep
    }
    guard first.status == second.status || isMalformed(first.status) && isMalformed(second.status) else {
      return false
    }
    return first.document == second.document
  }
}

extension ParserOutcome.Document {
  fileprivate init?(_ result: csimdjson_result) {
    guard let strings = result.strings else { return nil }
    tape = Array(UnsafeBufferPointer(start: result.tape, count: result.tape_count))
    structurals = Array(UnsafeBufferPointer(start: result.structurals, count: result.structural_count))
    self.strings = []
    var index = 1
    while index < tape.count - 1 {
      let (tag, payload) = (UInt8(tape[index] >> 56), Int(tape[index] & 0x00FF_FFFF_FFFF_FFFF))
      if tag == UInt8(ascii: "\"") {
        let count = UnsafeRawPointer(strings + payload).loadUnaligned(as: UInt32.self)
        // Its length, its bytes, and a NUL.
        self.strings.append(Array(UnsafeBufferPointer(start: strings + payload, count: 4 + Int(count) + 1)))
      }
      index += "lud".utf8.contains(tag) ? 2 : 1
    }
  }
}

/// Checks that both parsers make the same of each text.
func expectAgreement(
  on texts: some Sequence<[UInt8]>, before filler: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  var failures = 0
  // Some versions of simdjson skip a byte order mark; `JSONLoading` does that for all of them.
  for text in texts where !text.starts(with: [0xEF, 0xBB, 0xBF]) {
    let portable = ParserOutcome.portable(text, before: filler)
    let simdjson = ParserOutcome.simdjson(text, before: filler)
    if portable == simdjson { continue }
    failures += 1
    // A table can fail for thousands of texts at once.
    if failures > 5 { return }
    let shown = String(decoding: text.prefix(200), as: UTF8.self)
    #expect(
      portable == simdjson, "“\(shown)” before “\(filler)”: \(text.prefix(200))", sourceLocation: sourceLocation)
  }
}
