/// Writes lines of CSV (RFC 4180, with LF line ends).
enum CSV {
  static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes =
        cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.hasPrefix(" ")
        || cell.hasSuffix(" ")
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",") + "\n"
  }

  /// Returns the text, with an apostrophe before it if a spreadsheet would take it for a formula.
  ///
  /// Such a text begins with `=`, `+`, `-` or `@`, possibly full-width or after white space and invisible
  /// characters, or it begins with a tab or a line break, which some programs drop.
  static func harmless(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let sign = scalars.first(where: { !$0.isPassedOver }) else {
      return text
    }
    return signs.contains(sign) || ["\t", "\r", "\n"].contains(first) ? "'" + text : text
  }

  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]
}

extension Unicode.Scalar {
  fileprivate var isPassedOver: Bool {
    value < 0x20 || properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
