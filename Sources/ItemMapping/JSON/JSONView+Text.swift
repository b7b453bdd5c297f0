extension JSONView {
  /// The value as it stands in the text, blanks and all. Where half a character was repaired, the
  /// escape that took its place.
  public var text: String { read(text) }

  private func text(_ tape: JSONTape) -> String {
    let source = document.text
    let offsets = document.textOffsets
    let start = offsets[index]
    let end =
      switch tape.tag(index) {
      case JSONTape.Tag.object, JSONTape.Tag.array: offsets[tape.end(of: index)] + 1
      case JSONTape.Tag.string: JSONScanner.endOfString(at: start, in: source)
      case JSONTape.Tag.no: start + 5
      case JSONTape.Tag.yes, JSONTape.Tag.null: start + 4
      default: JSONNumberText.range(at: start, in: source).upperBound
      }
    return String(decoding: source[start..<min(end, source.count)], as: UTF8.self)
  }
}

extension JSONView: CustomStringConvertible {
  /// The value as it stands in the text.
  public var description: String { text }
}
