import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading
@testable import TerminalList

/// A search in the view, without a terminal.
@MainActor struct TerminalSearchTests {
  private func view(_ titles: [String]) -> TerminalListView<Book> {
    let model = ListModel<Book>(
      Server("https://test", transport: MockTransport { _ in .json("[]") }), "/", paging: .single)
    let controller = Shelf(
      model, kinds: CellKinds<Book> { $0.content = { RowContent($0.title, subtitle: "n\($0.id)") } }
    )
    controller.shelf = ListSections(items: titles.enumerated().map { Book(id: $0, title: $1) })
    controller.updateSections()
    let view = TerminalListView<Book>(controller)
    view.resize(to: ScreenSize(columns: 60, rows: 6))
    controller.attach(view)
    return view
  }

  private final class Shelf: ListController<Book> {
    var shelf = ListSections<Book>()
    override func sections(of rows: ListSnapshot<Book>) -> ListSections<Book>? { shelf }
  }

  private func type(_ text: String, _ view: TerminalListView<Book>) {
    for character in text { #expect(view.press(.character(character))) }
  }

  private func selected(_ view: TerminalListView<Book>) -> Int? { view.viewport.selected?.row }

  @Test func `a search selects matches, and leaving it returns`() {
    let view = view(["Kindred", "Dune", "Émile", "Dune 2"])
    type("j/dune", view)
    #expect(selected(view) == 1)
    #expect(view.press(.down) && selected(view) == 3)
    #expect(view.press(.up) && selected(view) == 1)
    type(" 2", view)
    #expect(selected(view) == 3)
    #expect(view.press(.escape) && view.search == nil && selected(view) == 1)
    type("/emile", view)
    #expect(view.press(.enter) && selected(view) == 2)
    #expect(view.press(.escape) && view.search == nil && selected(view) == 2)
  }

  @Test func `matches follow each other in a circle, and subtitles count`() {
    let view = view(["a", "b", "a", "b"])
    type("/b", view)
    #expect(view.press(.enter) && selected(view) == 1)
    type("n", view)
    #expect(selected(view) == 3)
    type("n", view)
    #expect(selected(view) == 1)
    type("N", view)
    #expect(selected(view) == 3)
    type("/n2", view)
    #expect(selected(view) == 2)
    #expect(view.press(.control("u")) && view.press(.backspace) && view.search == nil)
    #expect(selected(view) == 3)
  }

  @Test func `matches are underlined where they are shown, in title and subtitle`() {
    let view = view(["Dune, dune", "Émile 漢n1", "The n1"])
    func underlined(_ row: Int) -> String {
      let screen = view.screen()
      return (0..<60).map { screen[row, $0] }.filter(\.style.isUnderlined).map(\.text).joined()
    }
    type("/dUne", view)
    #expect(underlined(1) == "Dunedune" && underlined(2).isEmpty)
    #expect(view.press(.control("u")))
    type("漢n", view)
    #expect(underlined(2) == "漢n")
    #expect(view.press(.control("u")))
    type("n1", view)
    #expect(underlined(2) == "n1n1" && underlined(3) == "n1")
    #expect(view.press(.escape) && underlined(2).isEmpty)
  }

  @Test func `a match stays the match when rows change`() {
    let view = view(["a", "b", "a", "b"])
    type("/b", view)
    #expect(view.press(.enter))
    type("n", view)
    #expect(view.search?.result == .found(row: 3, wrapped: false))
    (view.controller as? Shelf)?.shelf = ListSections(items: [
      Book(id: 2, title: "a"), Book(id: 3, title: "b"),
    ])
    view.controller.updateSections()
    #expect(view.search?.result == .found(row: 1, wrapped: false) && selected(view) == 1)
  }

  @Test func `a search of nothing closes`() {
    let view = view(["a"])
    type("/", view)
    #expect(view.press(.enter) && view.search == nil)
    type("/", view)
    #expect(!view.press(.control("d")))
  }

  @Test func `many rows are searched in parts, between keys`() async {
    let view = view((0..<100_000).map { $0 == 99_998 ? "needle" : "hay" })
    type("/needl", view)
    #expect(view.search?.result == .searching && view.search?.progress == 0)
    type("e", view)
    await view.searching?.value
    #expect(view.search?.result == .found(row: 99_998, wrapped: false))
    #expect(selected(view) == 99_998 && view.searching == nil)
    type("x", view)
    #expect(view.press(.escape))
    await view.searching?.value
    #expect(view.search == nil && selected(view) == 0)
  }

  @Test func `columns of a million rows are made for the first and the visible ones`() {
    let view = view([])
    var asked: [Int] = []
    view.tabulate = { _ in
      RowTable([TableColumn("title", .text), TableColumn("id", .number)]) { book in
        asked.append(book.id)
        return [book.title, "\(book.id)"]
      }
    }
    (view.controller as? Shelf)?.shelf = ListSections(
      items: (0..<1_000_000).map { Book(id: $0, title: "B") })
    view.controller.updateSections()
    #expect(asked == Array(0..<100))
    asked = []
    #expect(view.press(.end) && view.press(.up) && asked.isEmpty)
    #expect(view.screen().text(ofRow: 4) == " B      999999")
    #expect(asked == Array(999_996..<1_000_000))
  }

  @Test func `the key for help shows only keys that do something`() {
    let view = view(["a"])
    type("?", view)
    let text = (0..<6).map { view.screen().text(ofRow: $0) }.joined()
    #expect(text.contains("move by a row") && view.press(.character("q")) && view.page == nil)
    type("i", view)
    #expect(view.page == nil)
    view.facts = { "a fact" }
    type("i", view)
    #expect(view.screen().text(ofRow: 1) == "a fact" && view.press(.escape))
    #expect(KeyHelp().text.contains("JSON") == false && !KeyHelp().text.contains("why it ended"))
    let all = KeyHelp(opens: .outline, hasFacts: true).text
    #expect(all.contains("unfold") && all.contains("why it ended"))
  }
}
