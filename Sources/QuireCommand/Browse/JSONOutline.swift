internal import Quire
internal import TerminalList

/// A JSON value in lines that can be folded, each value as the server sent it.
///
/// Characters that are invisible or reverse the order of text are written as escapes, so that the lines are exact
/// and harmless.
enum JSONOutline {
  /// The rest of a value with more lines, or of a longer text, is left out.
  static let maximumLines = 50_000
  static let maximumText = 20_000

  static func outline(of value: JSONView) -> Outline {
    var writer = Writer()
    writer.write(value, name: nil, depth: 0, isLast: true)
    if writer.isCut {
      writer.outline.append(.init("… the rest is left out: the row is too long", depth: 0))
    }
    return writer.outline
  }

  private struct Writer {
    var outline = Outline()
    var isCut = false

    mutating func write(_ value: JSONView, name: String?, depth: Int, isLast: Bool) {
      guard outline.lines.count < maximumLines else {
        isCut = true
        return
      }
      let start = name.map { quoted($0) + ": " } ?? ""
      let end = isLast ? "" : ","
      switch value.kind {
      case .object:
        write(
          value.members.lazy.map { ($0.name, $0.value) }, count: value.count, noun: "member",
          from: start + "{", to: "}" + end, depth: depth)
      case .array:
        write(
          value.elements.lazy.map { (nil, $0) }, count: value.count, noun: "element",
          from: start + "[", to: "]" + end, depth: depth)
      case .string: outline.append(.init(start + quoted(value.string ?? "") + end, depth: depth))
      case .null, .bool, .number: outline.append(.init(start + value.text + end, depth: depth))
      }
    }

    private mutating func write(
      _ children: some Sequence<(String?, JSONView)>, count: Int, noun: String,
      from start: String, to end: String, depth: Int
    ) {
      guard count > 0 else {
        return outline.append(.init(start + end, depth: depth))
      }
      let first = outline.lines.count
      outline.append(.init(start, depth: depth))
      for (number, (name, value)) in children.enumerated() {
        write(value, name: name, depth: depth + 1, isLast: number == count - 1)
        if isCut { break }
      }
      outline.append(.init(end, depth: depth))
      let nouns = count == 1 ? noun : noun + "s"
      outline.close(first, folded: "\(start) \(count) \(nouns) \(end)")
    }

    private func quoted(_ text: String) -> String {
      guard text.utf8.count <= maximumText else {
        let bytes = text.utf8.count
        return escaped(String(text.unicodeScalars.prefix(maximumText))) + "… (\(bytes) bytes)"
      }
      return escaped(text)
    }

    private func escaped(_ text: String) -> String {
      var result = String.UnicodeScalarView()
      for scalar in JSONAny.string(text).text().unicodeScalars {
        if scalar.hidesOrReverses {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: true)
            result +=
              "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
          }
        } else {
          result.append(scalar)
        }
      }
      return String(result)
    }
  }
}

extension Unicode.Scalar {
  /// Whether a reader can't see it, or it changes the order of the letters around it. Joiners and variants of emoji
  /// are not meant.
  fileprivate var hidesOrReverses: Bool {
    switch value {
    case 0x7F..<0xA0, 0x2028, 0x2029: true
    case 0x200C, 0x200D, 0xFE00...0xFE0F: false
    // Flags of countries in Great Britain are made of these.
    case 0xE0020...0xE007F: true
    default: properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
    }
  }
}
