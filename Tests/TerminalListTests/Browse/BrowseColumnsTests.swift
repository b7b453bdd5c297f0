import Foundation
import QuireTesting
import Testing

@testable import TerminalList

/// The columns of `quire browse` in a pseudo-terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowseColumnsTests {
  private static let titles = ["The Left Hand of Darkness", "三体", "👩🏽‍🚀 in Space", "Café Noir"]

  /// 120 rows on three pages. The ids of later pages are longer, and so are their titles.
  private static func page(_ request: LoopbackRequest) -> LoopbackResponse {
    let page = request.query("page").flatMap { Int($0) } ?? 1
    let rows = (1...40).map { number in
      """
      {"id": \(page == 3 ? 100_000 + number : (page - 1) * 40 + number),
       "title": "\(titles[number % 4])\(page == 3 ? ", a very long story" : "")",
       "author": {"name": "Author \(number % 10)"}, "published": "20\(10 + number % 10)-03-01T12:00:00Z"}
      """
    }
    return .json(
      #"{"page": \#(page), "pages": 3, "total": 120, "books": [\#(rows.joined(separator: ","))]}"#)
  }

  private let server: LoopbackServer

  init() throws { server = try LoopbackServer(Self.page) }

  private func lines(_ pty: PseudoTerminal, _ count: Int) -> [String] {
    Array(pty.screen.lines.prefix(count + 1).dropFirst())
  }

  @Test(arguments: [
    (
      200,
      [
        " title                      id  author    published",
        " 三体                        1  Author 1  2011-03-01",
        " 👩🏽‍🚀 in Space                 2  Author 2  2012-03-01",
        " Café Noir                   3  Author 3  2013-03-01",
        " The Left Hand of Darkness   4  Author 4  2014-03-01",
      ]
    ),
    (
      80,
      [
        " title                      id  author    published",
        " 三体                        1  Author 1  2011-03-01",
        " 👩🏽‍🚀 in Space                 2  Author 2  2012-03-01",
        " Café Noir                   3  Author 3  2013-03-01",
        " The Left Hand of Darkness   4  Author 4  2014-03-01",
      ]
    ),
    (
      40,
      [
        " title                     id  author",
        " 三体                       1  Author 1",
        " 👩🏽‍🚀 in Space                2  Author 2",
        " Café Noir                  3  Author 3",
        " The Left Hand of Darkne…   4  Author 4",
      ]
    ),
    (10, [" title", " 三体", " 👩🏽‍🚀 in S…", " Café No…", " The Lef…"]),
  ])
  func `columns fit the width, also with wide text and emoji`(
    width: Int, expected: [String]
  ) async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: width, rows: 12))
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL + "/books"])
    #expect(await pty.shows(width == 10 ? "row 1 of" : "row 1 of 40"))
    #expect(lines(pty, 5) == expected)
    await quire.quit()
  }

  @Test func `later pages only make columns wider`() async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 80, rows: 12))
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL + "/books"])
    #expect(await pty.shows("row 1 of 40"))
    let first = lines(pty, 1)
    pty.type("G")
    #expect(await pty.shows("row 40 of 80") && lines(pty, 1) == first)
    pty.type("G")
    #expect(await pty.shows("row 80 of 120"))
    pty.type("G")
    #expect(await pty.shows("row 120 of 120"))
    let last = " title                                                 id  author    published"
    #expect(lines(pty, 1) == [last])
    #expect(
      pty.screen.lines.contains {
        $0.hasPrefix(
          " The Left Hand of Darkness, a very long story      100036  Author 6  2016-03-01")
      })
    pty.type("g")
    #expect(await pty.shows("row 1 of 120") && lines(pty, 1) == [last])
    await quire.quit()
  }
}
