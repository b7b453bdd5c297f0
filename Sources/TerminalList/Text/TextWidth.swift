/// How many columns text takes in a terminal, and how it is made to fit.
///
/// Terminals differ in what they do with rare characters, so a ``Screen`` never relies on where one of
/// them leaves the cursor.
package enum TextWidth {
  /// A character and its columns.
  package typealias Cell = (character: Character, width: Int)

  /// The columns of one character as a reader sees it: 1 or 2, or 0 for one that shows nothing.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var letters = 0
    var isWide = false
    var hasText = false
    for scalar in character.unicodeScalars {
      switch scalar.value {
      case 0xFE0E: hasText = true
      // Asks for a picture in place of a letter.
      case 0xFE0F: isWide = isWide || letters == 1
      default: break
      }
      guard !isSilent(scalar) else { continue }
      letters += 1
      if isWideScalar(scalar) { isWide = true }
    }
    if letters == 0 { return 0 }
    if hasText && letters == 1 { return 1 }
    return isWide || letters > 1 ? 2 : 1
  }

  /// The columns of a text that was made ``visible(_:limit:)``.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The text with what does nothing but move the cursor, or turn the order of letters around, as
  /// something to see. Reads no more than it takes for that many columns.
  static func visible(_ text: String, limit: Int) -> [Cell] {
    // A character of endless marks is cut: nobody can read it.
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix((max(0, limit) + 1) * 12) {
      shown.append(stand(in: scalar))
    }
    var cells: [Cell] = []
    var columns = 0
    for character in String(shown) {
      let width = of(character)
      guard width > 0 else { continue }
      cells.append((bounded(character), width))
      columns += width
      if columns > limit { break }
    }
    return cells
  }

  /// The text in at most that many columns, with `…` where it is cut.
  package static func fitted(_ text: String, to columns: Int) -> [Cell] {
    var cells = visible(text, limit: columns)
    var width = cells.reduce(0) { $0 + $1.width }
    guard width > columns else { return cells }
    guard columns > 0 else { return [] }
    while width > columns - 1, let last = cells.popLast() { width -= last.width }
    return cells + [("…", 1)]
  }

  /// The text in lines of at most that many columns.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    guard columns > 1 else { return [] }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap {
      line in
      var lines: [String] = []
      var (current, width) = ("", 0)
      // Widths are those of what will be shown.
      for character in String(String.UnicodeScalarView(line.unicodeScalars.map(stand(in:)))) {
        let next = of(character)
        if width + next > columns {
          lines.append(current)
          (current, width) = ("", 0)
        }
        current.append(bounded(character))
        width += next
      }
      return lines + [current]
    }
  }

  /// A character with a few marks at most.
  private static func bounded(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    guard scalars.count > 12 else { return character }
    let text = String(String.UnicodeScalarView(scalars.prefix(12)))
    return text.first ?? character
  }

  private static func stand(in scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "�"
    case 0x7F: "␡"
    case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: "�"
    default: scalar
    }
  }

  /// Whether it takes no column of its own.
  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint || properties.isEmojiModifier { return true }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .surrogate: true
    // Vowels and ends of a syllable stand in the square of its first letter.
    default: (0x1160...0x11FF).contains(scalar.value)
    }
  }
}
