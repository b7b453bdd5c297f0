internal import CSimdJSON

/// Parses bytes with the fast parser, and scans the text for the reason when that fails.
struct JSONLoading {
  /// The parts of a document. The owner must release it exactly once.
  struct Parsed {
    let tape: JSONTape
    let structurals: JSONStructurals
    let repairs: [JSONDocument.Repair]
    fileprivate let parser: OpaquePointer
    fileprivate let owned: UnsafeMutableRawPointer?

    func release() {
      csimdjson_release(parser)
      owned?.deallocate()
    }
  }

  private var text: UnsafeBufferPointer<UInt8>
  /// The memory of the text, if it was copied.
  private var owned: UnsafeMutableRawPointer?

  init(borrowing bytes: UnsafeRawBufferPointer) {
    text = bytes.bindMemory(to: UInt8.self)
  }

  init(copying bytes: some Collection<UInt8>) {
    let count = bytes.count
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: count + Int(CSIMDJSON_PADDING), alignment: 16)
    memory.copyBytes(from: bytes)
    memory[count...].initializeMemory(as: UInt8.self, repeating: 0)
    owned = memory.baseAddress
    text = UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count])
  }

  /// Parses the text. The memory moves to the result, or is freed when an error is thrown.
  consuming func parse() throws(JSONError) -> Parsed {
    do throws(JSONError) {
      return try attempt()
    } catch {
      owned?.deallocate()
      throw error
    }
  }

  private mutating func attempt() throws(JSONError) -> Parsed {
    let skipped = hasByteOrderMark(at: 0) ? 3 : 0
    // A second one is not JSON, but some versions of the parser skip it and count from after it.
    if skipped > 0, hasByteOrderMark(at: skipped) {
      throw fault(.unexpectedByte, at: skipped, "a value")
    }
    var repairs = skipped == 0 ? [] : [JSONDocument.Repair(kind: .byteOrderMark, offset: 0)]
    let result = run(from: skipped)
    if let parsed = parsed(result, skipped, repairs) { return parsed }
    switch result.status {
    case csimdjson_too_large: throw fault(.tooLarge, "at most 4 GB")
    case csimdjson_out_of_memory: throw fault(.outOfMemory, "a smaller document")
    default: break
    }
    var scanner = JSONScanner(text, from: skipped)
    try scanner.scan()
    repairs += scanner.repairs
    return try repair(repairs, skipped)
  }

  private func hasByteOrderMark(at start: Int) -> Bool {
    text.count >= start + 3 && text[start] == 0xEF && text[start + 1] == 0xBB
      && text[start + 2] == 0xBF
  }

  private func run(from start: Int) -> csimdjson_result {
    guard let base = text.baseAddress else {
      return csimdjson_result()
    }
    return csimdjson_parse(base + start, text.count - start)
  }

  /// Returns the parser's result, or `nil` if it rejected the text or read another text than this
  /// one.
  private func parsed(
    _ result: csimdjson_result, _ skipped: Int, _ repairs: [JSONDocument.Repair]
  ) -> Parsed? {
    guard let parser = result.parser, let words = result.tape, let strings = result.strings else {
      return nil
    }
    let tape = JSONTape(words: words, count: result.tape_count, strings: strings)
    let structurals = JSONStructurals(
      places: UnsafeBufferPointer(start: result.structurals, count: result.structural_count),
      text: text, skipped: skipped)
    guard structurals.enclose(tape) else {
      csimdjson_release(parser)
      return nil
    }
    return Parsed(
      tape: tape, structurals: structurals, repairs: repairs, parser: parser, owned: owned)
  }

  private func fault(
    _ code: JSONError.Code, at offset: Int = 0, _ expected: String
  ) -> JSONError {
    JSONError(code, at: offset, in: text, expected: expected)
  }
}

extension JSONLoading {
  /// Parses a repaired copy of the text: lone surrogates are replaced by U+FFFD, and big numbers
  /// pass as strings of the same length until the tape exists.
  private mutating func repair(_ repairs: [JSONDocument.Repair], _ skipped: Int) throws(JSONError)
    -> Parsed
  {
    let copy = JSONLoading(copying: text)
    guard let base = copy.owned?.assumingMemoryBound(to: UInt8.self) else {
      throw fault(.outOfMemory, "a smaller document")
    }
    let numbers = repairs.filter { $0.kind == .bigNumber }.map { place in
      JSONNumberText.range(at: place.offset, in: text)
    }
    for place in repairs where place.kind == .loneSurrogate {
      for (digit, byte) in "FFFD".utf8.enumerated() { base[place.offset + 2 + digit] = byte }
    }
    for number in numbers {
      base[number.lowerBound] = UInt8(ascii: "\"")
      base[number.upperBound - 1] = UInt8(ascii: "\"")
    }
    let result = copy.run(from: skipped)
    guard let parsed = copy.parsed(result, skipped, repairs) else {
      copy.owned?.deallocate()
      throw fault(.unexpectedByte, "JSON")
    }
    var number = numbers.startIndex
    let isWhole = parsed.structurals.forEachValue(of: parsed.tape) { index, offset in
      guard number < numbers.endIndex, numbers[number].lowerBound == offset else { return }
      parsed.tape.words[index] = UInt64(JSONTape.Tag.bigNumber) << 56 | UInt64(offset)
      base[offset] = text[offset]
      base[numbers[number].upperBound - 1] = text[numbers[number].upperBound - 1]
      number += 1
    }
    guard isWhole, number == numbers.endIndex else {
      parsed.release()
      throw fault(.unexpectedByte, "JSON")
    }
    // The text stays as it was sent; only the strings that were read from it have the replacement.
    for place in repairs where place.kind == .loneSurrogate {
      for digit in place.offset + 2..<place.offset + 6 { base[digit] = text[digit] }
    }
    owned?.deallocate()
    owned = nil
    return parsed
  }
}
