/// What is shown instead of the list until the reader closes it.
protocol ScreenPage {
  /// Adapts to the size of the screen.
  mutating func fit(_ size: ScreenSize)
  /// Handles a key; returns `false` if the page should close.
  mutating func press(_ key: Key) -> Bool
  func screen(_ size: ScreenSize) -> Screen
}

/// A text that is shown instead of the list.
struct TextPage: ScreenPage, Hashable {
  let title: String
  let text: String
  private var top = 0
  private var lines: [String] = []
  private var size: ScreenSize?

  init(title: String, text: String) {
    self.title = title
    self.text = text
  }

  /// Wraps the lines again if the width of the screen has changed.
  mutating func fit(_ size: ScreenSize) {
    if self.size?.columns != size.columns {
      lines = TextWidth.wrapped(text, to: size.columns)
    }
    self.size = size
    scroll(by: 0)
  }

  mutating func scroll(by count: Int) {
    guard let size else { return }
    let last = max(0, lines.count - ListLayout.height(in: size))
    top = max(0, min(last, top.addingReportingOverflow(count).partialValue))
  }

  /// Handles a key; returns `false` if the page should close.
  mutating func press(_ key: Key) -> Bool {
    let page = max(1, (size.map { ListLayout.height(in: $0) } ?? 1) - 1)
    switch key {
    case .up, .character("k"): scroll(by: -1)
    case .down, .character("j"): scroll(by: 1)
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    case .pageUp, .character("b"): scroll(by: -page)
    case .pageDown, .character(" "): scroll(by: page)
    case .home, .character("g"): scroll(by: -lines.count)
    case .end, .character("G"): scroll(by: lines.count)
    case .escape, .enter, .backspace, .left, .character("q"): return false
    default: break
    }
    return true
  }

  func screen(_ size: ScreenSize) -> Screen {
    var (screen, first) = Screen.page(size, title: title, keys: "q back")
    for (place, line) in lines.dropFirst(top).prefix(ListLayout.height(in: size)).enumerated() {
      screen.put(line, row: first + place)
    }
    return screen
  }
}

extension Screen {
  /// Returns a screen with the bars of a page, and its first line between them.
  static func page(_ size: ScreenSize, title: String, keys: String) -> (screen: Screen, first: Int) {
    var screen = Screen(size)
    if size.rows > 2 {
      screen.fill(row: 0, style: .bar)
      screen.put(title, row: 0, column: 1, style: .bar)
    }
    if size.rows > 1 {
      screen.fill(row: size.rows - 1, style: .bar)
      screen.put(keys, row: size.rows - 1, column: 1, style: .bar)
    }
    return (screen, size.rows > 2 ? 1 : 0)
  }
}
