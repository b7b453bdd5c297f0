import Foundation
import QuireTesting
import Testing

@testable import TerminalList

/// The keys of `quire browse`, and rows of a server that wants to steer the terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowseKeysTests {
  /// What a terminal would obey, hide or reverse.
  private static let hostile =
    #"\u001b]0;owned\u0007\u001b[2J\u009b31m\u0085\u202e\u2066\u061c\u200f\u200b\ufeff\n\r\t\u2028\u007f"#

  private func server(_ row: @escaping @Sendable (Int) -> String) throws -> LoopbackServer {
    try LoopbackServer { request in
      let page = request.query("page").flatMap { Int($0) } ?? 1
      let rows = (1...40).map { row((page - 1) * 40 + $0) }.joined(separator: ",")
      return .json(#"{"page": \#(page), "pages": 2, "total": 80, "books": [\#(rows)]}"#)
    }
  }

  private func books() throws -> LoopbackServer {
    try server { #"{"id": \#($0), "title": "Book \#($0)", "price": {"amount": \#($0)}}"# }
  }

  @Test func `a value of a row folds, and facts and keys are shown`() async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 60, rows: 18))
    let server = try books()
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL + "/books"])
    #expect(await pty.shows("row 1 of 40"))
    pty.type("\r")
    #expect(await pty.shows(#"  ▾ "price": {"#))
    pty.type("jjj")
    pty.type("\u{1B}[D")
    #expect(await pty.shows(#"  ▸ "price": { 1 member }"#))
    pty.type("q")
    #expect(await pty.shows("row 1 of 40"))
    pty.type("i")
    #expect(await pty.shows("rows:    books, detected"))
    #expect(await pty.shows("end:     not reached, more rows load as you scroll"))
    pty.type("q?")
    #expect(await pty.shows("search in the loaded rows"))
    pty.type("q/BOOK 39\r")
    #expect(await pty.shows("/BOOK 39  row 39 of "))
    pty.type("\u{1B}")
    #expect(await pty.shows("row 39 of 80 · live"))
    pty.type("G")
    #expect(await pty.shows("· end of the list: all 80 rows are loaded ·"))
    await quire.quit()
  }

  @Test func `no text of a server steers the terminal`() async throws {
    let hostile = Self.hostile
    let server = try server {
      #"{"id": \#($0), "title": "\#(hostile)T\#($0)", "a\#(hostile)": "x\#(hostile)\#($0)", "n": \#($0)}"#
    }
    let pty = try PseudoTerminal(ScreenSize(columns: 120, rows: 16))
    let quire = try QuireInTerminal(
      pty, ["browse", server.baseURL + "/b?x=%1B%5B2J", "--header", "X-A: b"])
    #expect(await pty.shows("row 1 of 40"))
    #expect(await pty.shows("␛]0;owned␇␛[2J�31m"))
    // Typed control characters are a part of no search.
    pty.type("/t\u{9B}\u{202E}\u{1B}[31m7\r")
    #expect(await pty.shows("/t7  row 7 of"))
    pty.type("\r")
    #expect(await pty.shows(#"\u001b]0;owned\u0007\u001b[2J\u009B31m"#))
    pty.type("q")
    pty.type("i")
    #expect(await pty.shows("books, detected"))
    pty.type("q")
    #expect(await pty.shows("row 7 of"))
    for scalar in pty.screen.lines.joined().unicodeScalars {
      #expect(scalar.properties.generalCategory != .control, "\(scalar.value)")
      #expect(scalar.properties.generalCategory != .format, "\(scalar.value)")
    }
    await quire.quit()
  }

  @Test func `the cause of an early end is shown, harmless too`() async throws {
    let server = try LoopbackServer { request in
      request.query("page") == "2"
        ? .json(#"{"page": 2, "pages": 2, "total": 9, "rows": []}"#)
        : .json(#"{"page": 1, "pages": 2, "total": 9, "rows": [{"id": 1}, {"id": 2}]}"#)
    }
    let pty = try PseudoTerminal(ScreenSize(columns: 120, rows: 16))
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL + "/rows"])
    #expect(await pty.shows("· the list ended early: "))
    pty.type("i")
    #expect(await pty.shows("end:     the list ended early: "))
    pty.type("q")
    await quire.quit()
  }
}
