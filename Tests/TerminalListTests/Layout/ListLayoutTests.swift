import Foundation
import ItemMapping
import ListModel
import ListPresentation
import ListReading
import ServerAPI
import Testing

@testable import TerminalList

/// The layout of a list.
struct ListLayoutTests {
  private let size = ScreenSize(columns: 40, rows: 7)
  private static let error = LoadError.request(RequestError(.connectRefused))

  private func layout(_ sections: [LineMap.Section], hasEnd: Bool = false) -> ListLayout {
    var layout = ListLayout()
    layout.title = "Books"
    layout.map = LineMap(sections)
    layout.map.hasEnd = hasEnd
    layout.viewport.fit(layout.map, height: ListLayout.height(in: size), selecting: nil)
    return layout
  }

  private func lines(_ layout: ListLayout, _ size: ScreenSize? = nil) -> [String] {
    let screen = layout.screen(size ?? self.size) { position in
      .init(title: "Row \(position)", subtitle: position.row == 1 ? "two" : nil)
    } heading: { line in
      if case .header(let number) = line { "Section \(number)" } else { "End of it" }
    }
    return (0..<screen.size.rows).map { screen.text(ofRow: $0) }
  }

  @Test func `a list has a title, sections, rows, an end and a status`() {
    var layout = layout(
      [.init(rows: 2, hasHeader: true), .init(rows: 1, hasHeader: true, hasFooter: true)],
      hasEnd: true)
    layout.footer = .noMore(.complete)
    layout.status.rows = 3
    layout.viewport.fit(layout.map, height: 6, selecting: nil)
    #expect(
      lines(layout, ScreenSize(columns: 40, rows: 8)) == [
        " Books", "Section 0", " Row 0/0", " Row 0/1  two", "Section 1", " Row 1/0", "End of it",
        " 3 rows",
      ])
  }

  @Test(arguments: [
    (FooterState.idle, "↓ more"), (.loading, "⠋ loading more"),
    (.noMore(.complete), "· end of the list: the server has no m…"),
    (.failed(error), "✗ press r to try again: the connection…"),
  ])
  func `the footer shows whether there is more`(footer: FooterState, text: String) {
    var layout = layout([.init(rows: 1)], hasEnd: true)
    layout.footer = footer
    #expect(lines(layout)[2] == " " + text && layout.isBusy == (footer == .loading))
  }

  @Test(arguments: [
    (RefreshHeader.State.idle, ""), (.pulling(1 / 3), "↑ keep pressing to refresh (33%)"),
    (.loading, "⠋ refreshing"),
    (.triggered, "↑ press once more to refresh"),
  ])
  func `the title shows how far the list is pulled`(header: RefreshHeader.State, text: String) {
    var layout = layout([])
    layout.header = header
    #expect(lines(layout)[0].hasSuffix(text) && lines(layout)[0].hasPrefix(" B"))
  }

  @Test func `a placeholder is centered, with its action`() {
    var layout = layout([])
    layout.placeholder = Placeholder.Plan().placeholder(for: .failed(Self.error))
    #expect(
      lines(layout) == [
        " Books", "      The list could not be loaded", "      the connection was refused.",
        "             [⏎ Try again]", "", "", "       ⏎ open  / search  ? help  q quit",
      ])
    layout.placeholder = Placeholder.Plan().placeholder(for: .loadingFirst)
    #expect(lines(layout)[2] == "               ⠋ Loading…" && layout.isBusy)
  }

  @Test func `nothing is too small to draw on`() {
    let layout = layout([.init(rows: 100, hasHeader: true)], hasEnd: true)
    for rows in 1...4 {
      for columns in 1...5 {
        #expect(lines(layout, ScreenSize(columns: columns, rows: rows)).count == rows)
      }
    }
  }

  @Test func `drawing a million rows costs no more than the visible ones`() {
    var layout = layout([.init(rows: 1_000_000)])
    layout.viewport.move(by: 765_432, layout.map)
    var asked = 0
    _ = layout.screen(size) { _ in
      asked += 1
      return .init(title: "")
    } heading: { _ in
      nil
    }
    #expect(asked == 5)
  }

  @Test(arguments: [
    (StatusText(), ""),
    (
      StatusText(
        freshness: .live(asOf: Date(timeIntervalSince1970: 0)), selected: 3, rows: 20, total: 60),
      "row 3 of 20, 60 in total · live"
    ),
    (
      StatusText(freshness: .stored(asOf: Date(timeIntervalSince1970: 60)), rows: 1, duplicates: 2),
      "1 row · 2 duplicates · stored rows from 00:01"
    ),
    (
      StatusText(
        freshness: .unreachable(asOf: Date(timeIntervalSince1970: -60), error), rows: 9,
        losses: .init(mayLackRows: true)),
      "9 rows · rows may be missing · unreachable, rows from 1969-12-31 23:59"
    ),
    (
      StatusText(
        freshness: .live(asOf: .distantPast), rows: 1,
        losses: .init(mayLackRows: true, unreadable: 2)),
      "1 row · rows may be missing · 2 rows unreadable · live"
    ),
    (
      StatusText(freshness: .live(asOf: .distantPast), rows: 9, newRows: NewRows(count: 3)),
      "3 new rows, r shows them · 9 rows · live"
    ),
  ])
  func `the status shows the source of the rows`(status: StatusText, text: String) {
    #expect(status.text(at: Date(timeIntervalSince1970: 120)) == text)
  }

  @Test(arguments: [
    (EndText(rows: 30, facts: PageFacts(next: .end, total: 30)), "all 30 rows are loaded"),
    (EndText(rows: 1, facts: PageFacts(next: .end, total: 1)), "its only row is loaded"),
    (
      EndText(rows: 29, facts: PageFacts(next: .end, total: 30, pageCount: 3)),
      "all 3 pages are loaded"
    ),
    (EndText(rows: 9, facts: PageFacts(next: .end, pageCount: 1)), "its only page is loaded"),
    (EndText(rows: 9, paging: .link), "the last page has no next link"),
    (EndText(rows: 9, paging: .cursor(at: "next")), "the last page has no cursor"),
    (EndText(rows: 9, paging: .single), "the response is the whole list"),
    (EndText(rows: 9, paging: .pageNumber(size: 10)), "the server has no more rows"),
    (EndText(), "the server has no more rows"),
  ])
  func `the end of a list has a reason`(end: EndText, reason: String) {
    #expect(end.text(.complete) == "end of the list: \(reason)")
    let early = end.text(.incomplete(.missingRows("3 of 9")))
    #expect(early == "the list ended early: rows may be missing: 3 of 9")
  }

  @Test func `a text scrolls by pages`() {
    var page = TextPage(title: "Row", text: (0..<9).map { "line \($0)" }.joined(separator: "\n"))
    page.fit(size)
    func first() -> String { page.screen(size).text(ofRow: 1) }
    for (key, line) in [
      (Key.down, 1), (.pageDown, 4), (.pageDown, 4), (.up, 3), (.home, 0), (.up, 0), (.end, 4),
      (.wheelUp, 1),
    ] {
      let isOpen = page.press(key)
      #expect(isOpen && first() == "line \(line)")
    }
    let isOpen = page.press(.escape)
    #expect(!isOpen)
  }
}
