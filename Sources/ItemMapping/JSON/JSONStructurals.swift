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
final class JSONOffsets: Sendable {
  private let places: [UInt32]

  init(_ parsed: JSONLoading.Parsed) {
    var places = [UInt32](repeating: 0, count: parsed.tape.count)
    let isWhole = places.withUnsafeMutableBufferPointer { places in
      parsed.structurals.forEachValue(of: parsed.tape) { index, offset in
        places[index] = UInt32(truncatingIfNeeded: offset)
      }
    }
    // Otherwise everything read from the text would be wrong.
    precondition(isWhole, "the JSON parser's tape doesn't match its places in the text")
    self.places = places
  }

  /// The offset in the text of the value at this index of the tape, or of a closing bracket.
  subscript(index: Int) -> Int { Int(places[index]) }
}
