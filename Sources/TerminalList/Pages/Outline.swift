/// Lines of text, some of which contain those below them and can be folded.
package struct Outline: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    var text: String
    var depth: Int
    /// The last line of what the line contains; `nil` if it can't be folded.
    var end: Int?
    /// The text that stands for all its lines.
    var folded = ""

    package init(_ text: String, depth: Int) {
      self.text = text
      self.depth = depth
    }
  }

  package private(set) var lines: [Line] = []

  package init() {}

  package mutating func append(_ line: Line) { lines.append(line) }

  /// Makes the lines from one to the last one foldable.
  package mutating func close(_ first: Int, folded: String) {
    guard lines.indices.contains(first), first < lines.count - 1 else { return }
    lines[first].end = lines.count - 1
    lines[first].folded = folded
  }
}

/// An outline in which a reader folds lines and moves.
struct FoldedOutline: Hashable, Sendable {
  let outline: Outline
  /// The numbers of the lines that aren't inside of a folded one.
  private(set) var visible: [Int] = []
  /// The selected one among the visible lines.
  private(set) var cursor = 0
  private var folded: Set<Int> = []

  /// More lines are folded at first, except for the outermost.
  private static let longest = 500

  init(_ outline: Outline) {
    self.outline = outline
    if outline.lines.count > Self.longest { foldAll() }
    update(selecting: 0)
  }

  func isFolded(_ line: Int) -> Bool { folded.contains(line) }

  var selected: Int? { visible.indices.contains(cursor) ? visible[cursor] : nil }

  mutating func move(by count: Int) {
    cursor = max(0, min(visible.count - 1, cursor.addingReportingOverflow(count).partialValue))
  }

  /// Unfolds the selected line, or else moves into it.
  mutating func unfold() {
    guard let line = selected, outline.lines[line].end != nil else { return }
    guard folded.remove(line) != nil else { return move(by: 1) }
    update(selecting: line)
  }

  /// Folds the selected line, or else moves to the line that contains it.
  mutating func fold() {
    guard let line = selected else { return }
    if outline.lines[line].end != nil, folded.insert(line).inserted {
      update(selecting: line)
    } else if let parent = parent(of: line) {
      update(selecting: parent)
    }
  }

  mutating func toggle() {
    guard let line = selected, outline.lines[line].end != nil else { return }
    if folded.remove(line) == nil { folded.insert(line) }
    update(selecting: line)
  }

  /// Folds everything inside of the outermost lines.
  mutating func foldAll() {
    let line = selected
    folded = Set(
      outline.lines.indices.filter { outline.lines[$0].depth > 0 && outline.lines[$0].end != nil })
    update(selecting: line ?? 0)
  }

  mutating func unfoldAll() {
    let line = selected
    folded = []
    update(selecting: line ?? 0)
  }

  /// The line that contains a line, or that it closes.
  private func parent(of line: Int) -> Int? {
    outline.lines[..<line].lastIndex { $0.end.map { $0 >= line } ?? false }
  }

  private mutating func update(selecting line: Int) {
    visible = []
    var next = 0
    while next < outline.lines.count {
      visible.append(next)
      let end = folded.contains(next) ? outline.lines[next].end : nil
      next = (end ?? next) + 1
    }
    // A line that is hidden now is inside of the last one before it.
    cursor = max(0, (visible.lastIndex { $0 <= line }) ?? 0)
  }
}
