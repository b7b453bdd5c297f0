import Testing

@testable import ItemMapping

/// Results of a parser that reads another text than the document's.
struct JSONStructuralsTests {
  private static let text = Array("[7,{\"a\":1.5}]".utf8)
  private static let places: [UInt32] = [0, 1, 2, 3, 4, 7, 8, 11, 12]
  private static let words: [UInt64] = [
    word("r", 11), word("[", 10 | 2 << 32), word("l"), 7, word("{", 9 | 1 << 32), word("\""),
    word("d"), 1.5.bitPattern, word("}", 4), word("]", 1), word("r"),
  ]

  private static func word(_ tag: Unicode.Scalar, _ payload: UInt64 = 0) -> UInt64 {
    UInt64(tag.value) << 56 | payload
  }

  /// Calls `body` with a tape of these words.
  private static func withTape<R>(_ words: [UInt64], _ body: (JSONTape) -> R) -> R? {
    var words = words
    return words.withUnsafeMutableBufferPointer { words in
      text.withUnsafeBufferPointer { strings in
        guard let base = words.baseAddress, let strings = strings.baseAddress else { return nil }
        return body(JSONTape(words: base, count: words.count, strings: strings))
      }
    }
  }

  private struct Visit: Equatable {
    /// Whether the list passes the quick comparison with the tape.
    var encloses: Bool
    var isWhole: Bool
    /// The words that a walk over both visits.
    var visited: [Int] = []
  }

  private func visit(
    text: [UInt8] = text, places: [UInt32] = places, skipping skipped: Int = 0
  ) -> Visit? {
    Self.withTape(Self.words) { tape in
      text.withUnsafeBufferPointer { text in
        places.withUnsafeBufferPointer { places in
          let structurals = JSONStructurals(places: places, text: text, skipped: skipped)
          var visit = Visit(encloses: structurals.enclose(tape), isWhole: false)
          visit.isWhole = structurals.forEachValue(of: tape) { index, _ in
            visit.visited.append(index)
          }
          return visit
        }
      }
    }
  }

  @Test func `positions that match the tape are visited with it`() {
    let result = visit()
    #expect(result == Visit(encloses: true, isWhole: true, visited: [1, 2, 4, 5, 6, 8, 9]))
    let later = visit(text: Array("   ".utf8) + Self.text, skipping: 3)
    #expect(later == result)
  }

  @Test(arguments: [1, 3, 12, 13, 1_000])
  func `a parser that counts from another byte is detected at once`(_ bytes: Int) {
    #expect(visit(skipping: bytes) == Visit(encloses: false, isWhole: false))
  }

  @Test func `a position that doesn't match its value ends the walk`() {
    var places = Self.places
    places[4] = 5
    let expected = Visit(encloses: true, isWhole: false, visited: [1, 2, 4])
    #expect(visit(places: places) == expected)
    places[4] = .max
    #expect(visit(places: places) == expected)
  }

  @Test func `more or fewer positions than values end the walk`() {
    let all = [1, 2, 4, 5, 6, 8, 9]
    #expect(
      visit(places: Self.places + [12]) == Visit(encloses: true, isWhole: false, visited: all))
    #expect(
      visit(places: Self.places.dropLast())
        == Visit(encloses: false, isWhole: false, visited: all.dropLast()))
    #expect(visit(places: []) == Visit(encloses: false, isWhole: false))
  }

  /// The end of the outer array if its first word has `next` as the index after it.
  private static func end(before next: UInt64) -> Int? {
    var words = words
    words[1] = word("[", next)
    return withTape(words) { $0.end(of: 1) }
  }

  @Test(arguments: [0, 1, 11, 12, 0xFFFF_FFFF] as [UInt64])
  func `a tape with an index out of range, or backward, is not walked`(_ next: UInt64) async {
    #expect(Self.end(before: 10) == 9)
    await #expect(processExitsWith: .failure) { [next] in
      _ = JSONStructuralsTests.end(before: next)
    }
  }
}
