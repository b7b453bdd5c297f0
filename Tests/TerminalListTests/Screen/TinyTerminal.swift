@testable import TerminalList

/// A minimal terminal that turns the output of a list into a screen of cells.
struct TinyTerminal {
  private(set) var screen: [[Screen.Cell]]
  private(set) var isAlternate = false
  private(set) var isCursorShown = true
  /// Output that no current terminal understands, or that would scroll.
  private(set) var problems: [String] = []
  private var rest: [UInt8] = []
  private var row = 0
  private var column = 0
  private var style = Style.plain
  private(set) var usedColor = false
  /// Returns the assumed width of a character.
  var width: @Sendable (Character) -> Int = { TextWidth.of($0) }

  init(_ size: ScreenSize) {
    screen = Array(
      repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
  }

  var columns: Int { screen.first?.count ?? 0 }
  var lines: [String] {
    screen.map { row in
      var row = row[...]
      while row.last?.text == " " { row.removeLast() }
      return row.map(\.text).joined()
    }
  }

  mutating func resize(_ size: ScreenSize) { screen = TinyTerminal(size).screen }

  mutating func write(_ bytes: [UInt8]) {
    rest += bytes
    // An incomplete character waits for its end.
    while !rest.isEmpty, String(validating: rest, as: UTF8.self) == nil, rest.count < 4 { return }
    var whole = rest.count
    while whole > 0, whole > rest.count - 4,
      String(validating: rest[..<whole], as: UTF8.self) == nil
    { whole -= 1 }
    guard let text = String(validating: rest[..<whole], as: UTF8.self) else {
      problems.append("no text")
      return
    }
    rest = Array(rest[whole...])
    let scalars = Array(text.unicodeScalars)
    var place = 0
    var plain = ""
    while place < scalars.count {
      guard scalars[place] == "\u{1B}" else {
        plain.unicodeScalars.append(scalars[place])
        place += 1
        continue
      }
      show(&plain)
      guard
        let end = scalars[place...].dropFirst(2).firstIndex(where: { $0.properties.isAlphabetic })
      else {
        // The rest of the sequence hasn't arrived yet.
        var unread = String.UnicodeScalarView()
        unread.append(contentsOf: scalars[place...])
        rest = Array(String(unread).utf8) + rest
        return
      }
      obey(String(String.UnicodeScalarView(scalars[(place + 2)..<end])), scalars[end])
      place = end + 1
    }
    show(&plain)
  }

  private mutating func show(_ text: inout String) {
    for character in text {
      let width = width(character)
      guard width > 0, row < screen.count, column + width <= columns else {
        problems.append("\(character) at \(row), \(column)")
        continue
      }
      // Half of a wide character is removed with the other half.
      if screen[row][column].text.isEmpty, column > 0 { screen[row][column - 1].text = " " }
      let after = column + width
      if after < columns, screen[row][after].text.isEmpty { screen[row][after].text = " " }
      screen[row][column] = .init(text: String(character), style: style)
      if width == 2 { screen[row][column + 1] = .init(text: "", style: style) }
      column += width
    }
    text = ""
  }

  private mutating func obey(_ parameters: String, _ command: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    switch (command, parameters) {
    case ("H", _):
      (row, column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
    case ("m", _): paint(numbers.isEmpty ? [0] : numbers)
    case ("J", "2"): for row in screen.indices { clear(row, from: 0) }
    case ("K", ""):
      if column < columns, screen[row][column].text.isEmpty, column > 0 {
        screen[row][column - 1].text = " "
      }
      clear(row, from: column)
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("h", "?25"): isCursorShown = true
    case ("l", "?25"): isCursorShown = false
    case ("h", "?7"), ("l", "?7"), ("h", "?1000"), ("l", "?1000"), ("h", "?1006"), ("l", "?1006"):
      break
    default: problems.append("\(parameters)\(command)")
    }
  }

  private mutating func clear(_ row: Int, from column: Int) {
    for place in column..<columns { screen[row][place] = .blank }
  }

  private mutating func paint(_ codes: [Int]) {
    for code in codes {
      switch code {
      case 0: style = .plain
      case 1: style.isBold = true
      case 2: style.isDim = true
      case 4: style.isUnderlined = true
      case 7: style.isReverse = true
      default:
        usedColor = true
        style.color = Style.Color(rawValue: UInt8(clamping: code))
      }
    }
  }
}
