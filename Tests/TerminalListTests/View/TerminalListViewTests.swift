import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading
@testable import TerminalList

/// The view without a terminal: updates of its controller, and keys.
@MainActor struct TerminalListViewTests {
  /// A controller with the given rows.
  private final class Shelves: ListController<Book> {
    var shelves = ListSections<Book>()

    override func sections(of rows: ListSnapshot<Book>) -> ListSections<Book>? { shelves }
  }

  /// The rows whose texts were requested.
  private final class Asked {
    var ids: [Int] = []
  }

  private let asked = Asked()

  private func model() -> ListModel<Book> {
    ListModel<Book>(
      Server("https://test", transport: MockTransport { _ in .json("[]") }), "/", paging: .single)
  }

  private func view(_ shelves: ListSections<Book>) -> (TerminalListView<Book>, Shelves) {
    let kinds = CellKinds<Book> { [asked] in
      $0.content = {
        asked.ids.append($0.id)
        return RowContent("\($0.id)")
      }
    }
    let controller = Shelves(model(), kinds: kinds)
    controller.shelves = shelves
    controller.updateSections()
    let view = TerminalListView<Book>(controller)
    view.resize(to: ScreenSize(columns: 20, rows: 6))
    controller.attach(view)
    return (view, controller)
  }

  private func marked(_ view: TerminalListView<Book>) -> Int? {
    view.viewport.selected.flatMap { view.controller.item(at: $0) }?.id
  }

  @Test func `the selection keeps its row and place on the screen`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(200) {
      let ids = Array(0..<Int.random(in: 1...12, using: &random))
      let (view, controller) = view(ListSections(items: ids.map { Book(id: $0) }))
      for _ in 0..<Int.random(in: 1...8, using: &random) { _ = view.press(.down) }
      let mark = try #require(marked(view))
      let distance = view.viewport.distance(in: view.map)
      var next = ids.filter { $0 == mark || Bool.random(using: &random) }
      if Bool.random(using: &random) { next.shuffle(using: &random) }
      for new in 100..<(100 + Int.random(in: 0...5, using: &random)) {
        next.insert(new, at: Int.random(in: 0...next.count, using: &random))
      }
      let wasFirst = mark == 0
      controller.shelves = ListSections(items: next.map { Book(id: $0) })
      controller.updateSections()
      #expect(marked(view) == (wasFirst ? next.first : mark), "\(ids) → \(next) · \(random)")
      let line = try #require(view.viewport.selected?.row)
      if !wasFirst, let distance, line >= distance, next.count - line >= 4 - distance {
        #expect(view.viewport.distance(in: view.map) == distance, "\(ids) → \(next) · \(random)")
      }
    }
  }

  @Test func `removing the selected row selects the next one, or the last`() {
    let (view, controller) = view(ListSections(items: (0..<5).map { Book(id: $0) }))
    for _ in 0..<3 { _ = view.press(.down) }
    controller.shelves = ListSections(items: [0, 1, 2, 4].map { Book(id: $0) })
    controller.updateSections()
    #expect(marked(view) == 4)
    controller.shelves = ListSections(items: [0, 1].map { Book(id: $0) })
    controller.updateSections()
    #expect(marked(view) == 1)
    controller.shelves = ListSections()
    controller.updateSections()
    #expect(marked(view) == nil && view.visibleRows?.rows == nil)
    #expect(view.press(.down) && view.press(.enter) && view.press(.end))
  }

  @Test func `only the visible ones of a million rows are requested`() {
    let (view, controller) = view(ListSections(items: (0..<1_000_000).map { Book(id: $0) }))
    _ = view.press(.end)
    asked.ids = []
    let screen = view.screen()
    #expect(asked.ids == Array(999_996..<1_000_000) && screen.text(ofRow: 4) == " 999999")
    controller.scroll(to: 0)
    #expect(view.screen().text(ofRow: 1) == " 0")
  }

  @Test func `a selection by the program is visible`() {
    let (view, controller) = view(ListSections(items: (0..<50).map { Book(id: $0) }))
    #expect(controller.scroll(to: 33) && marked(view) == 33)
    #expect((1...4).contains { view.screen().text(ofRow: $0) == " 33" })
  }

  @Test func `return selects a row, and opens it if nothing handles that`() {
    let (view, controller) = view(ListSections(items: (0..<3).map { Book(id: $0) }))
    var selected: [Int] = []
    view.detail = { "all of \($0.id)" }
    controller.actions.add("open") { _, book, _ in
      selected.append(book?.id ?? -1)
      return book?.id == 0
    }
    #expect(view.press(.enter) && view.page == nil)
    #expect(view.press(.down) && view.press(.enter))
    #expect(selected == [0, 1] && view.screen().text(ofRow: 1) == "all of 1")
    #expect(view.press(.character("q")) && view.page == nil)
    #expect(!view.press(.character("q")))
  }
}
