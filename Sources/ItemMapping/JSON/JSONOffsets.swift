/// Where in the text the values of a tape begin. Four bytes per word, made in one pass.
final class JSONOffsets: Sendable {
  private let places: [UInt32]

  init(_ parsed: JSONLoading.Parsed) {
    // The first word tells how long the tape is.
    var places = [UInt32](repeating: 0, count: parsed.tape.payload(0))
    parsed.forEachValue { index, offset in places[index] = UInt32(truncatingIfNeeded: offset) }
    self.places = places
  }

  /// The offset of the value at this index of the tape, or of the bracket that closes one.
  subscript(index: Int) -> Int { Int(places[index]) }
}
