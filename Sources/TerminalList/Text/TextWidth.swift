/// The width of text in a terminal, and ways to make it fit.
///
/// Terminals differ in the width of rare characters, so a ``Screen`` never relies on the cursor position after
/// one of them.
package enum TextWidth {
  /// A character and its width in columns.
  package typealias Cell = (character: Character, width: Int)

  /// Returns the width of one character as a reader sees it: 1 or 2, or 0 for one that shows nothing.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var letters = 0
    var isWide = false
    var hasText = false
    for scalar in character.unicodeScalars {
      switch scalar.value {
      case 0xFE0E: hasText = true
      // Selects the emoji presentation.
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

  /// Returns the width of a text that was made ``visible(_:limit:)``.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Returns the text with visible replacements for characters that only move the cursor or reverse the order
  /// of letters. Reads no more than needed for the given number of columns.
  static func visible(_ text: String, limit: Int) -> [Cell] {
    // A character with endless combining marks is cut, because it is illegible anyway.
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

  /// Returns the text in at most the given number of columns, with `…` if it is cut.
  package static func fitted(_ text: String, to columns: Int) -> [Cell] {
    var cells = visible(text, limit: columns)
    var width = cells.reduce(0) { $0 + $1.width }
    guard width > columns else { return cells }
    guard columns > 0 else { return [] }
    while width > columns - 1, let last = cells.popLast() { width -= last.width }
    return cells + [("…", 1)]
  }

  /// Returns the text in lines of at most the given number of columns, broken at spaces where there are some.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    guard columns > 1 else { return [] }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap {
      line in
      var lines: [String] = []
      var (current, width) = ("", 0)
      // What follows the last space that has a word before it.
      var (word, wordWidth, hasWord, isBreakable) = ("", 0, false, false)
      // Measures the replaced characters.
      for character in String(String.UnicodeScalarView(line.unicodeScalars.map(stand(in:)))) {
        let next = of(character)
        if width + next > columns {
          let carried = isBreakable && wordWidth + next <= columns
          lines.append(carried ? String(current.dropLast(word.count)) : current)
          (current, width) = carried ? (word, wordWidth) : ("", 0)
          (word, wordWidth, isBreakable) = carried ? (word, wordWidth, false) : ("", 0, false)
        }
        current.append(bounded(character))
        width += next
        if character == " " {
          isBreakable = isBreakable || hasWord
          if isBreakable { (word, wordWidth) = ("", 0) }
        } else {
          hasWord = true
          word.append(bounded(character))
          wordWidth += next
        }
      }
      return lines + [current]
    }
  }

  /// Returns a character with a limited number of combining marks.
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
    // Vowels and finals of a Hangul syllable share the cell of its first letter.
    default: (0x1160...0x11FF).contains(scalar.value)
    }
  }
}

extension TextWidth {
  /// Whether a letter fills two columns: wide and full-width letters by East Asian Width, and emoji.
  static func isWideScalar(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    guard value >= 0x1100 else { return false }
    if scalar.properties.isEmojiPresentation { return true }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4DC0...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248,
    0x1F250...0x1F251, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
