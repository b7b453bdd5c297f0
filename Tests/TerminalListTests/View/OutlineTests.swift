import QuireTesting
import Testing

@testable import TerminalList

/// Folding, and moving in what is left.
struct OutlineTests {
  /// An object with a member, an array of two values, and a long text.
  private static func sample() -> Outline {
    var outline = Outline()
    outline.append(.init("{", depth: 0))
    outline.append(.init("\"a\": 1,", depth: 1))
    outline.append(.init("\"b\": [", depth: 1))
    outline.append(.init("2,", depth: 2))
    outline.append(.init("3", depth: 2))
    outline.append(.init("],", depth: 1))
    outline.close(2, folded: "\"b\": [ … ],")
    outline.append(.init("\"c\": \"" + String(repeating: "x", count: 40) + "\"", depth: 1))
    outline.append(.init("}", depth: 0))
    outline.close(0, folded: "{ … }")
    return outline
  }

  private let size = ScreenSize(columns: 20, rows: 7)

  private func page() -> OutlinePage {
    var page = OutlinePage(title: "Row", outline: Self.sample())
    page.fit(size)
    return page
  }

  private func lines(_ page: OutlinePage) -> [String] {
    (1..<6).map { page.screen(size).text(ofRow: $0) }
  }

  @Test func `values fold and unfold at the cursor`() {
    var page = page()
    #expect(lines(page) == ["▾ {", "    \"a\": 1,", "  ▾ \"b\": [", "      2,", "      3"])
    for _ in 0..<3 { _ = page.press(.down) }
    #expect(page.outline.selected == 3)
    _ = page.press(.left)
    #expect(page.outline.selected == 2)
    _ = page.press(.left)
    #expect(lines(page)[2] == "  ▸ \"b\": [ … ],")
    #expect(
      lines(page)[3] == "    \"c\":"
        && lines(page)[4] == "    \"" + String(repeating: "x", count: 15))
    _ = page.press(.enter)
    #expect(lines(page)[2] == "  ▾ \"b\": [")
    _ = page.press(.right)
    #expect(page.outline.selected == 3)
    _ = page.press(.right)
    #expect(page.outline.selected == 3)
    _ = page.press(.character("-"))
    #expect(page.outline.selected == 2 && page.outline.visible == [0, 1, 2, 6, 7])
    _ = page.press(.home)
    _ = page.press(.left)
    #expect(lines(page) == ["▸ { … }", "", "", "", ""])
    _ = page.press(.character("+"))
    #expect(page.outline.visible == Array(0..<8))
    let isOpen = page.press(.escape)
    #expect(!isOpen)
  }

  @Test func `the end of a value folds it`() {
    var folded = FoldedOutline(Self.sample())
    folded.move(by: 5)
    folded.fold()
    #expect(folded.selected == 2 && !folded.isFolded(2))
  }

  @Test func `a line that is longer than the screen is read line by line`() {
    var outline = Outline()
    outline.append(.init("first", depth: 0))
    outline.append(.init((0..<9).map { "\($0)xxxxxxxxx" }.joined(), depth: 0))
    outline.append(.init("last", depth: 0))
    var page = OutlinePage(title: "", outline: outline)
    let size = ScreenSize(columns: 12, rows: 4)
    page.fit(size)
    func first() -> String { page.screen(size).text(ofRow: 1) }
    var seen = [first()]
    for _ in 0..<9 {
      _ = page.press(.down)
      seen.append(first())
    }
    #expect(
      seen == ["  first"] + (0..<8).map { "  \($0)xxxxxxxxx" } + ["  last"])
    _ = page.press(.up)
    #expect(page.outline.cursor == 1)
  }

  @Test func `a long outline starts folded`() {
    var outline = Outline()
    outline.append(.init("[", depth: 0))
    for _ in 0..<300 {
      let first = outline.lines.count
      outline.append(.init("{", depth: 1))
      outline.append(.init("}", depth: 1))
      outline.close(first, folded: "{}")
    }
    outline.append(.init("]", depth: 0))
    outline.close(0, folded: "[]")
    #expect(FoldedOutline(outline).visible.count == 302)
  }

  @Test func `no order of keys leaves the lines, on any screen`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let keys: [Key] = [
      .up, .down, .left, .right, .enter, .pageUp, .pageDown, .home, .end, .character("+"),
      .character("-"), .wheelUp, .wheelDown,
    ]
    for _ in 0..<Thoroughness.runs(300) {
      var page = OutlinePage(
        title: "", outline: Bool.random(using: &random) ? Self.sample() : Outline())
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let size = ScreenSize(
          columns: Int.random(in: 1...30, using: &random),
          rows: Int.random(in: 1...9, using: &random))
        if Bool.random(using: &random) { page.fit(size) }
        let isOpen = page.press(keys.randomElement(using: &random) ?? .up)
        #expect(isOpen)
        let screen = page.screen(size)
        if let selected = page.outline.selected {
          #expect(page.outline.visible.contains(selected), "\(random)")
        }
        #expect(screen.size == size)
      }
      page.fit(size)
      let marked = (1..<6).contains { page.screen(size)[$0, 0].style.isReverse }
      #expect(marked || page.outline.visible.isEmpty, "\(random)")
    }
  }
}
