import CSimdJSON

/// Parses any bytes with both parsers. They give the same tape, strings and structural characters, or both refuse the
/// text, whatever follows it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParsers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // Some versions of simdjson skip a byte order mark; `JSONLoading` does that for all of them.
  if UnsafeBufferPointer(start: start, count: count).starts(with: [0xEF, 0xBB, 0xBF]) { return 0 }
  let padding = Int(CSIMDJSON_PADDING)
  // Each of these would continue a value at the end of the text.
  for filler in [0x00, 0x20, 0x22, 0x31, 0x5D, 0x7D, 0x80] as [UInt8] {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count + padding)
    defer { memory.deallocate() }
    if let start { memory.initialize(from: start, count: count) }
    (memory + count).initialize(repeating: filler, count: padding)
    let (one, other) = (cjson_parse(memory, count), csimdjson_parse_with_simdjson(memory, count))
    defer { for parser in [one.parser, other.parser] { if let parser { csimdjson_release(parser) } } }
    precondition((one.parser == nil) == (other.parser == nil), "\(one.status) and \(other.status) before \(filler)")
    guard let tape = one.tape, let strings = one.strings, let other = Results(other) else { continue }
    precondition(one.tape_count == other.tape.count && one.structural_count == other.structurals.count)
    precondition((0..<one.structural_count).allSatisfy { one.structurals?[$0] == other.structurals[$0] })
    var index = 0
    while index < one.tape_count {
      precondition(tape[index] == other.tape[index], "word \(index): \(tape[index]) and \(other.tape[index])")
      let tag = UInt8(tape[index] >> 56)
      if tag == UInt8(ascii: "\"") {
        let offset = Int(tape[index] & 0x00FF_FFFF_FFFF_FFFF)
        let length = Int(UnsafeRawPointer(strings + offset).loadUnaligned(as: UInt32.self))
        precondition((offset...offset + 4 + length).allSatisfy { strings[$0] == other.strings[$0] })
      }
      index += 1
      if tag == UInt8(ascii: "l") || tag == UInt8(ascii: "u") || tag == UInt8(ascii: "d") {
        precondition(tape[index] == other.tape[index], "the number of word \(index)")
        index += 1
      }
    }
  }
  return 0
}

private struct Results {
  let tape: UnsafeBufferPointer<UInt64>
  let strings: UnsafePointer<UInt8>
  let structurals: UnsafeBufferPointer<UInt32>

  init?(_ result: csimdjson_result) {
    guard result.parser != nil, let strings = result.strings else { return nil }
    tape = UnsafeBufferPointer(start: result.tape, count: result.tape_count)
    structurals = UnsafeBufferPointer(start: result.structurals, count: result.structural_count)
    self.strings = strings
  }
}
