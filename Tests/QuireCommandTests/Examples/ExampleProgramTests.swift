import Foundation
import QuireTesting
import SQLiteFile
import Support
import Synchronization
import Testing

@testable import QuireCommand

/// The programs of `Examples`, run as processes against a loopback server.
@Suite(.timeLimit(.minutes(2))) struct ExampleProgramTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples")

  private func run(
    _ program: String, _ arguments: String..., input: String? = nil
  ) async throws -> QuireProcess.Result {
    try await QuireProcess(arguments, program: program, input: input).end()
  }

  /// A page of rows: the numbers from `first`, as JSON.
  private static func page(
    _ request: LoopbackRequest, of count: Int, size: Int, row: (Int) -> String
  ) -> LoopbackResponse {
    let page = request.number("page") ?? 1
    let rows = (1...count).dropFirst((page - 1) * size).prefix(size).map(row)
    return .json(
      #"{"rows":[\#(rows.joined(separator: ","))],"page":\#(page),"total":\#(count)}"#)
  }

  @Test(arguments: [
    ("EveryBook", 20), ("Collector", 40), ("SignedIn", 10), ("ManyUsers", 60), ("BookShelf", 75),
    ("BookShelfTests", 90),
  ])
  func `an example is short`(program: String, limit: Int) throws {
    let folder = Self.folder.appendingPathComponent(program)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let text = try files.map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }.joined(separator: "\n")
    let lines = text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") }
    #expect(lines.count <= limit, "\(lines.count) lines")
  }

  @Test func `every book is printed, with progress`() async throws {
    let server = try LoopbackServer { request in
      Self.page(request, of: 137, size: 50) { #"{"id":\#($0),"title":"Book \#($0)"}"# }
    }
    let result = try await run("EveryBook", server.baseURL)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(lines.count == 137 && lines.first == "1/137 Book 1" && lines.last == "137/137 Book 137")
  }

  @Test func `an interrupt ends the loop over books with an error`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { request in
      Self.page(request, of: 137, size: 50) { #"{"id":\#($0),"title":"Book \#($0)"}"# }
        .held(by: gate)
    }
    let process = try QuireProcess([server.baseURL], program: "EveryBook")
    await gate.reached()
    // Dispatch begins to listen a little after the program has asked for it, and until then signals are ignored.
    while process.isRunning {
      process.send(SIGINT)
      await Task.yield()
    }
    let result = await process.end()
    #expect(result.status == 1 && !result.wasKilled)
    #expect(result.errors.contains("cancelled"), "\(result.errors)")
  }

  @Test func `a wrong address is explained`() async throws {
    let result = try await run("EveryBook", "ftp://x")
    #expect(
      result.status == 1 && result.errors.contains("expected http or https"), "\(result.errors)")
    #expect(try await run("EveryBook").status == 1)
  }

  #if SQLITE
    @Test func `books and authors are kept in a database`() async throws {
      let folder = try TemporaryFolder()
      let server = try LoopbackServer { request in
        request.path == "/books"
          ? Self.page(request, of: 137, size: 50) { #"{"id":\#($0),"title":"Book \#($0)"}"# } : .status(500)
      }
      let result = try await run("BookCollector", server.baseURL, folder.file("books.db"))
      #expect(result.status == 2 && result.output.hasPrefix("books: 137 rows, "), "\(result.output) \(result.errors)")
      #expect(result.output.contains("authors: ") && result.output.contains("500"))
      let database = try SQLiteConnection(folder.file("books.db"), .readWrite, isPassive: false)
      #expect(try database.number("SELECT count(*) FROM books_live WHERE title LIKE 'Book %'") == 137)
      #expect(try await run("BookCollector", server.baseURL).status == 1)
    }
  #endif

  @Test func `the owner of a token is printed`() async throws {
    let server = try LoopbackServer { request in
      request.header("Authorization") == "Bearer secret"
        ? .json(#"{"name":"Ada","plan":"team"}"#) : .status(401)
    }
    #expect(
      try await run("SignedIn", server.baseURL, "secret").output == "Ada has the plan team\n")
    let refused = try await run("SignedIn", server.baseURL, "wrong")
    #expect(refused.output.hasPrefix("can't sign in: ") && refused.output.contains("401"))
    #expect(!refused.output.contains("wrong"))
  }

  /// Tokens are valid for three requests, and the server knows only those that it has issued.
  @Test func `orders of many users are added up with tokens that expire`() async throws {
    let uses = Lock<[String: Int]>([:])
    let server = try LoopbackServer { request in
      if request.path == "/token" {
        let user = request.query("user") ?? ""
        return uses.withLock { uses in
          let token = "\(user)-\(uses.count)"
          uses[token] = 3
          return .json(#"{"text":"\#(token)","seconds":3600}"#)
        }
      }
      let token = String((request.header("Authorization") ?? "").dropFirst("Bearer ".count))
      let isValid = uses.withLock { uses in
        guard let left = uses[token], left > 0 else { return false }
        uses[token] = left - 1
        return true
      }
      guard isValid, let user = token.split(separator: "-").first else { return .status(401) }
      return Self.page(request, of: user == "bob" ? 400 : 120, size: 20) {
        #"{"id":\#($0),"amount":"1.50"}"#
      }
    }
    let result = try await run("ManyUsers", server.baseURL, "ann", "bob", "eve")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      Set(result.output.split(separator: "\n")) == [
        "ann: 120 orders, 180", "bob: 400 orders, 600", "eve: 120 orders, 180",
      ], "\(result.output)")
  }

  private static func genre(_ id: Int) -> String { id % 2 == 0 ? "sf" : "novel" }

  @Test func `a shelf is searched, edited, and there at the next start`() async throws {
    let isDown = Atomic(false)
    let server = try LoopbackServer { request in
      if isDown.load(ordering: .relaxed) { return .status(503) }
      switch request.method {
      case "POST": return .json(#"{"id":9,"title":"Beloved","genre":"novel"}"#)
      case "DELETE": return .status(204)
      default:
        let wanted = request.query("q")
        let ids = (1...7).filter { wanted == nil || wanted == Self.genre($0) }
        return Self.page(request, of: ids.count, size: 3) {
          let id = ids[$0 - 1]
          return #"{"id":\#(id),"title":"Book \#(id)","genre":"\#(Self.genre(id))"}"#
        }
      }
    }
    let folder = try TemporaryFolder()
    let result = try await run(
      "BookShelf", server.baseURL, folder.file("cache"),
      input: "\n+Beloved,novel\n-4\n/sf\n")
    let screens = result.output.components(separatedBy: "\n\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      screens.dropFirst().first
        == "novel\n  1 Book 1\n  3 Book 3\nsf\n  2 Book 2\n3 books, more to load"
    )
    #expect(screens.first == "0 books, more to load")
    #expect(screens.contains { $0.hasPrefix("novel\n  -1 Beloved\n") })
    #expect(screens.contains { $0.hasPrefix("novel\n  9 Beloved\n") && !$0.contains("Book 4") })
    #expect(screens.dropLast().last == "sf\n  2 Book 2\n  4 Book 4\n  6 Book 6\n3 books, no more")

    #if SQLITE
      isDown.store(true, ordering: .relaxed)
      let later = try await run("BookShelf", server.baseURL, folder.file("cache"), input: "")
      let kept = later.output.components(separatedBy: "\n\n")
      #expect(kept.dropLast().last?.contains("  1 Book 1\n") == true, "\(later.output)")
      #expect(kept.dropLast().last?.contains("books, GET ") == true, "\(later.output)")
    #endif
  }
}
