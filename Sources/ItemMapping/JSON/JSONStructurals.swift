/// Where in a text its brackets, colons, commas, strings and other scalars begin.
///
/// The list and the tape come from the parser and have the same order. A parser that counts from
/// another byte than the document does must not lead out of the text or the tape, so both are
/// compared wherever they meet.
struct JSONStructurals {
  let places: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>
  /// How many bytes of the text come before what the parser saw.
  let skipped: Int

  /// Whether the outermost value begins at the first place and ends at the last. That costs nothing
  /// and finds a parser that read another part of the text.
  func enclose(_ tape: JSONTape) -> Bool {
    guard let first = places.first, let last = places.last else { return false }
    let root = JSONTape.root
    let tag = tape.tag(root)
    let isContainer = tag == JSONTape.Tag.object || tag == JSONTape.Tag.array
    return begins(tag, at: first)
      && (isContainer ? begins(tape.tag(tape.end(of: root)), at: last) : places.count == 1)
  }

  /// Visits all words of the tape that begin or close a value, together with the place in the text.
  /// Returns false where one of them is at no such place; the walk then ends there.
  ///
  /// Large documents have a place for every seven bytes, so the loop becomes part of its caller.
  @inline(__always)
  func forEachValue(of tape: JSONTape, _ body: (_ index: Int, _ offset: Int) -> Void) -> Bool {
    var index = JSONTape.root
    // The last word belongs to no value.
    let end = tape.count - 1
    for place in places {
      let offset = Int(place) + skipped
      guard offset < text.count else { return false }
      let byte = text[offset]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { continue }
      guard index < end else { return false }
      let tag = tape.tag(index)
      // All but numbers have the byte they begin with as their tag, and take one word.
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

  /// Whether the text has there what a word of the tape stands for.
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

/// Where in the text the values of a tape begin. Four bytes per word, made in one pass.
final class JSONOffsets: Sendable {
  private let places: [UInt32]

  init(_ parsed: JSONLoading.Parsed) {
    var places = [UInt32](repeating: 0, count: parsed.tape.count)
    let isWhole = places.withUnsafeMutableBufferPointer { places in
      parsed.structurals.forEachValue(of: parsed.tape) { index, offset in
        places[index] = UInt32(truncatingIfNeeded: offset)
      }
    }
    // Nothing that is read from the text would be right.
    precondition(isWhole, "The JSON parser's tape and its places in the text don't match.")
    self.places = places
  }

  /// The offset of the value at this index of the tape, or of the bracket that closes one.
  subscript(index: Int) -> Int { Int(places[index]) }
}
