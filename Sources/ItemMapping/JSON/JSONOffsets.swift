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
