internal import CSimdJSON

/// The way from bytes to a tape: the fast parser first, and where it refuses, a look at why.
struct JSONLoading {
  /// What a document is made of. Whoever has it releases it once.
  struct Parsed {
    let tape: JSONTape
    let text: UnsafeBufferPointer<UInt8>
    /// How many bytes of the text come before what the parser saw.
    let skipped: Int
    let structurals: UnsafeBufferPointer<UInt32>
    let repairs: [JSONRepair]
    fileprivate let parser: OpaquePointer
    fileprivate let owned: UnsafeMutableRawPointer?

    func release() {
      csimdjson_release(parser)
      owned?.deallocate()
    }
  }

  private var text: UnsafeBufferPointer<UInt8>
  /// The memory of the text, where it is a copy.
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

  /// Parses; the memory is handed to the result, or freed with an error.
  consuming func parse() throws(JSONError) -> Parsed {
    do throws(JSONError) {
      return try attempt()
    } catch {
      owned?.deallocate()
      throw error
    }
  }

  private mutating func attempt() throws(JSONError) -> Parsed {
    let skipped = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var repairs = skipped == 0 ? [] : [JSONRepair(kind: .byteOrderMark, offset: 0)]
    let result = run(from: skipped)
    if let parsed = parsed(result, skipped, repairs) { return parsed }
    switch result.status {
    case csimdjson_too_large: throw fault(.tooLarge, "at most 4 GB")
    case csimdjson_out_of_memory: throw fault(.outOfMemory, "less of it")
    default: break
    }
    var scanner = JSONScanner(text, from: skipped)
    try scanner.scan()
    repairs += scanner.repairs
    return try repair(repairs, skipped)
  }

  private func run(from start: Int) -> csimdjson_result {
    guard let base = text.baseAddress else {
      return csimdjson_result()
    }
    return csimdjson_parse(base + start, text.count - start)
  }

  private func parsed(
    _ result: csimdjson_result, _ skipped: Int, _ repairs: [JSONRepair]
  ) -> Parsed? {
    guard let parser = result.parser, let words = result.tape, let strings = result.strings else {
      return nil
    }
    return Parsed(
      tape: JSONTape(words: words, strings: strings), text: text, skipped: skipped,
      structurals: UnsafeBufferPointer(
        start: result.structurals, count: result.structural_count),
      repairs: repairs, parser: parser, owned: owned)
  }

  private func fault(_ code: JSONError.Code, _ expected: String) -> JSONError {
    JSONError(code, at: 0, in: text, expected: expected)
  }
}

extension JSONLoading {
  /// Parses a copy in which nothing is left to refuse: lone surrogates give way to U+FFFD, and big
  /// numbers pass as strings of the same length until the tape is there.
  private mutating func repair(_ repairs: [JSONRepair], _ skipped: Int) throws(JSONError) -> Parsed
  {
    let copy = JSONLoading(copying: text)
    guard let base = copy.owned?.assumingMemoryBound(to: UInt8.self) else {
      throw fault(.outOfMemory, "less of it")
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
    parsed.forEachValue { index, offset in
      guard number < numbers.endIndex, numbers[number].lowerBound == offset else { return }
      parsed.tape.words[index] = UInt64(JSONTape.Tag.bigNumber) << 56 | UInt64(offset)
      base[offset] = text[offset]
      base[numbers[number].upperBound - 1] = text[numbers[number].upperBound - 1]
      number += 1
    }
    owned?.deallocate()
    owned = nil
    return parsed
  }
}

extension JSONLoading.Parsed {
  /// Visits all words of the tape that begin or close a value, together with the place in the text.
  /// Both lists have the same order, so one pass over them is enough.
  func forEachValue(_ body: (_ index: Int, _ offset: Int) -> Void) {
    var index = JSONTape.root
    for structural in structurals {
      let offset = Int(structural) + skipped
      let byte = text[offset]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { continue }
      let tag = tape.tag(index)
      body(index, offset)
      index +=
        tag == JSONTape.Tag.int || tag == JSONTape.Tag.uint || tag == JSONTape.Tag.double ? 2 : 1
    }
  }
}
