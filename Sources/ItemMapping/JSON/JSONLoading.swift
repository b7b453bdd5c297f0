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

/// The positions in a text of its brackets, colons, commas, strings and other scalars.
///
/// The list and the tape are both made by the parser, in the same order. A parser that counts from
/// another byte than the document must not cause reads outside of the text or the tape, so the two
/// are compared wherever they meet.
struct JSONStructurals {
  let places: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>
  /// The number of bytes before the text that the parser saw.
  let skipped: Int

  /// Returns whether the outermost value starts at the first position and ends at the last. The
  /// check is cheap and detects a parser that read another part of the text.
  func enclose(_ tape: JSONTape) -> Bool {
    guard let first = places.first, let last = places.last else { return false }
    let root = JSONTape.root
    let tag = tape.tag(root)
    let isContainer = tag == JSONTape.Tag.object || tag == JSONTape.Tag.array
    return begins(tag, at: first)
      && (isContainer ? begins(tape.tag(tape.end(of: root)), at: last) : places.count == 1)
  }

  /// Visits all words of the tape that start or close a value, with their positions in the text.
  /// Returns false, and stops, when a word and the text don't match.
  ///
  /// Large documents have a position for every seven bytes, so the loop is inlined into its caller.
  @inline(__always)
  func forEachValue(of tape: JSONTape, _ body: (_ index: Int, _ offset: Int) -> Void) -> Bool {
    var index = JSONTape.root
    // The last word is not part of a value.
    let end = tape.count - 1
    for place in places {
      let offset = Int(place) + skipped
      guard offset < text.count else { return false }
      let byte = text[offset]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { continue }
      guard index < end else { return false }
      let tag = tape.tag(index)
      // The tag of everything but numbers is its first byte, and the value takes one word.
      if tag == byte {
        body(index, offset)
        index += 1
        continue
      }
      guard Self.isNumber(tag), Self.beginsNumber(byte) else { return false }
      body(index, offset)
      index += tag == JSONTape.Tag.bigNumber ? 1 : 2
    }
    return index == end
  }

  /// Returns whether the text has the start of such a value at this position.
  private func begins(_ tag: UInt8, at place: UInt32) -> Bool {
    let offset = Int(place) + skipped
    guard offset < text.count else { return false }
    return Self.isNumber(tag) ? Self.beginsNumber(text[offset]) : text[offset] == tag
  }

  private static func isNumber(_ tag: UInt8) -> Bool {
    switch tag {
    case JSONTape.Tag.int, JSONTape.Tag.uint, JSONTape.Tag.double, JSONTape.Tag.bigNumber: true
    default: false
    }
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10
  }
}

/// The position in the text of each value on a tape. Takes four bytes per word, made in one pass.
struct JSONOffsets {
  /// One for each word of the tape. Those of words that neither start nor close a value are not initialized.
  let places: UnsafeMutablePointer<UInt32>

  init(places: UnsafeMutablePointer<UInt32>) { self.places = places }

  /// Allocates the positions, which the document frees.
  init(_ parsed: JSONLoading.Parsed) {
    let places = UnsafeMutablePointer<UInt32>.allocate(capacity: parsed.tape.count)
    let isWhole = parsed.structurals.forEachValue(of: parsed.tape) { index, offset in
      places[index] = UInt32(truncatingIfNeeded: offset)
    }
    // Otherwise everything read from the text would be wrong.
    precondition(isWhole, "the JSON parser's tape doesn't match its places in the text")
    self.places = places
  }

  /// The offset in the text of the value at this index of the tape, or of a closing bracket.
  @inline(__always)
  subscript(index: Int) -> Int { Int(places[index]) }
}
