/// An outline that is shown instead of the list. Only the lines on the screen are measured.
struct OutlinePage: ScreenPage, Hashable {
  let title: String
  private(set) var outline: FoldedOutline
  private var size: ScreenSize?
  /// The first shown one among the visible lines, and how many of its own screen lines are above the screen.
  private var top = 0
  private var offset = 0

  init(title: String, outline: Outline) {
    self.title = title
    self.outline = FoldedOutline(outline)
  }

  mutating func fit(_ size: ScreenSize) {
    self.size = size
    offset = 0
    showCursor()
  }

  mutating func press(_ key: Key) -> Bool {
    let page = max(1, height - 1)
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .wheelUp: move(by: -3)
    case .wheelDown: move(by: 3)
    case .pageUp, .character("b"): move(by: -page)
    case .pageDown, .character(" "): move(by: page)
    case .home, .character("g"): move(by: -outline.visible.count)
    case .end, .character("G"): move(by: outline.visible.count)
    case .right, .character("l"): outline.unfold()
    case .left, .character("h"): outline.fold()
    case .enter: outline.toggle()
    case .character("+"): outline.unfoldAll()
    case .character("-"): outline.foldAll()
    case .escape, .backspace, .character("q"): return false
    default: break
    }
    showCursor()
    return true
  }

  /// Moves the cursor, and first through a line that is longer than the screen.
  private mutating func move(by count: Int) {
    if top == outline.cursor {
      let last = max(0, pieces(outline.cursor).count - height)
      let next = max(0, min(last, offset + count))
      guard next == offset else {
        offset = next
        return
      }
    }
    outline.move(by: count)
    offset = 0
  }

  private var height: Int { size.map { ListLayout.height(in: $0) } ?? 1 }

  /// Scrolls just far enough to show the selected line.
  private mutating func showCursor() {
    let cursor = outline.cursor
    if top >= cursor {
      if top > cursor { offset = 0 }
      top = cursor
      return
    }
    var first = cursor
    var room = height - pieces(cursor).count
    while first > top, room > 0 {
      room -= pieces(first - 1).count
      if room >= 0 { first -= 1 }
    }
    if first > top { (top, offset) = (first, 0) }
  }

  // MARK: - Drawing

  /// Returns a visible line in the lines of the screen, each with its indentation.
  private func pieces(_ place: Int) -> [String] {
    guard let size, outline.visible.indices.contains(place) else { return [] }
    let number = outline.visible[place]
    let line = outline.outline.lines[number]
    // A deep line still has room for its text.
    let indent = String(repeating: " ", count: min(line.depth * 2, size.columns / 2))
    let isFolded = outline.isFolded(number)
    let sign = line.end == nil ? "  " : isFolded ? "▸ " : "▾ "
    let room = max(2, size.columns - indent.count - 2)
    let texts = TextWidth.wrapped(isFolded ? line.folded : line.text, to: room)
    return texts.enumerated().map { indent + ($0 == 0 ? sign : "  ") + $1 }
  }

  func screen(_ size: ScreenSize) -> Screen {
    var (screen, first) = Screen.page(
      size, title: title, keys: "q back  ← fold  → unfold  - + all")
    let end = first + height
    var skipped = offset
    for place in outline.visible.indices.dropFirst(top) {
      let style = place == outline.cursor ? Style.bar : .plain
      for piece in pieces(place).dropFirst(skipped) {
        guard first < end else { return screen }
        if place == outline.cursor { screen.fill(row: first, style: style) }
        screen.put(piece, row: first, style: style)
        first += 1
      }
      skipped = 0
    }
    return screen
  }
}
