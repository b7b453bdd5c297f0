import Foundation
import ItemMapping
import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading
@testable import TerminalList

struct Book: Decodable, Identifiable, Sendable {
  let id: Int
  var title = ""
}

/// A list in a pseudo-terminal: fifty books, ten per page.
@MainActor final class TerminalBench {
  let pty: PseudoTerminal
  let transport: MockTransport
  let view: TerminalListView<Book>
  private let before: [UInt8]
  private var running: Task<TerminalError?, Never>?

  init(
    size: ScreenSize = ScreenSize(columns: 40, rows: 7), count: Int = 50, title: String = "Book",
    _ configure: (inout ListController<Book>.Settings) -> Void = { _ in }
  ) throws {
    pty = try PseudoTerminal(size)
    before = pty.mode
    transport = MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let ids = Array(1...max(1, count)).prefix(count).dropFirst((page - 1) * 10).prefix(10)
      let rows = ids.map { #"{"id": \#($0), "title": "\#(title) \#($0)"}"# }
      return .json(#"{"total": \#(count), "rows": [\#(rows.joined(separator: ", "))]}"#)
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let model = ListModel<Book>(
      server, "/books", items: "rows", paging: .pageNumber(size: 10, endsBy: .total("total")))
    let controller = ListController(
      model, kinds: CellKinds { $0.content = { RowContent($0.title) } }
    ) {
      $0.refresh.prefetchDistance = 0
      configure(&$0)
    }
    view = TerminalListView(controller, title: "Books")
    view.timeZone = .gmt
  }

  /// Shows the list.
  func open() {
    let terminal = Terminal(input: pty.slave, output: pty.slave, environment: [:])
    running = Task { [view] in
      do throws(TerminalError) {
        try await view.run(in: terminal)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Waits until the list ends.
  func ends(after keys: String = "") async {
    pty.type(keys)
    #expect(await running?.value == .some(nil))
  }

  /// Presses a key, and checks that the terminal is restored.
  func quit(_ key: String = "q") async {
    await ends(after: key)
    #expect(await pty.shows { !$0.isAlternate && $0.isCursorShown })
    #expect(pty.mode == before)
    #expect(pty.screen.problems.isEmpty)
  }

  func cancel() async {
    running?.cancel()
    #expect(await running?.value == .some(nil))
    #expect(await pty.shows { !$0.isAlternate } && pty.mode == before)
  }
}
