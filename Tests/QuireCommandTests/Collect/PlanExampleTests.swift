#if SQLITE
  import Foundation
  import QuireTesting
  import SQLiteFile
  import Support
  import Testing

  /// The example of a plan, with a server that pages as GitHub does.
  @Suite(.timeLimit(.minutes(5))) struct PlanExampleTests {
    /// Repositories and their issues; the latest change comes first.
    private final class Hub: Sendable {
      struct Issue {
        var id: Int
        var day: Int
        var json: String {
          #"{"id":\#(id),"number":\#(id),"updated_at":"2026-01-\#(day < 10 ? "0" : "")\#(day)T00:00:00Z"}"#
        }
      }

      let issues = Lock([String: [Issue]]())
      let refused = Lock(Set<String>())

      func respond(to request: LoopbackRequest) -> LoopbackResponse {
        guard request.header("Authorization") == "Bearer t0ken" else { return .status(401) }
        let rows: [String]
        switch request.path {
        case "/orgs/swiftlang/repos":
          rows = issues.withLock { $0.keys.sorted() }.enumerated().map {
            #"{"id":\#($0 + 1),"full_name":"swiftlang/\#($1)"}"#
          }
        case let path where path.hasPrefix("/repos/swiftlang/") && path.hasSuffix("/issues"):
          let name = String(path.dropFirst("/repos/swiftlang/".count).dropLast("/issues".count))
          if refused.withLock({ $0.contains(name) }) { return .status(403) }
          rows = issues.withLock { $0[name] ?? [] }.sorted { ($1.day, $1.id) < ($0.day, $0.id) }.map(\.json)
        default: return .status(404)
        }
        let (page, size) = (request.number("page") ?? 1, 5)
        let shown = rows.dropFirst((page - 1) * size).prefix(size)
        let response = LoopbackResponse.json("[\(shown.joined(separator: ","))]")
        guard page * size < rows.count else { return response }
        var query = request.query.filter { $0.name != "page" }.map { "\($0.name)=\($0.value)" }
        query.append("page=\(page + 1)")
        return response.with("Link", "<\(request.path)?\(query.joined(separator: "&"))>; rel=\"next\"")
      }
    }

    @Test func `repositories and the issues of each are kept, and only what has changed is read`() async throws {
      let (folder, hub) = (try TemporaryFolder(), Hub())
      let server = try LoopbackServer { hub.respond(to: $0) }
      let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
      let plan = try String(contentsOfFile: root + "/Examples/Plans/repositories.yaml", encoding: .utf8)
        .replacing("https://api.github.com", with: server.baseURL).replacing("every: 15m\n", with: "")
      try plan.write(toFile: folder.file("plan.yaml"), atomically: false, encoding: .utf8)
      func run() async throws -> QuireProcess.Result {
        let words = ["collect", folder.file("plan.yaml"), "--into", folder.file("github.db")]
        return try await QuireProcess(words, environment: ["GITHUB_TOKEN": "t0ken"]).end()
      }
      func text(_ sql: String) throws -> String {
        try SQLiteConnection(folder.file("github.db"), .readWrite, isPassive: false).text(sql)
      }
      let counts = "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM issues GROUP BY _quire_parent)"
      hub.issues.withLock { issues in
        for (name, count) in [("swift", 23), ("docs", 3), ("empty", 0)] {
          issues[name] = (0..<count).map { Hub.Issue(id: $0 + 1, day: $0 + 1) }
        }
      }
      let first = try await run()
      #expect([0, 3].contains(first.status) && first.errors == "", "\(first.errors)")
      #expect(try text("SELECT count(*) FROM repositories") == "3" && text(counts) == "3 23")
      let requests = server.requestCount
      // A new issue, and a change of an old one; another repository is refused.
      hub.issues.withLock { issues in
        issues["swift"]?.append(Hub.Issue(id: 24, day: 24))
        issues["swift"]?[0].day = 25
      }
      hub.refused.withLock { _ = $0.insert("docs") }
      let second = try await run()
      #expect(second.status == 3 && second.output.contains("1 failed"), "\(second.output)\(second.errors)")
      #expect(try text(counts) == "3 24")
      #expect(try text("SELECT updated_at FROM issues WHERE id = 1 AND _quire_parent = 3") == "2026-01-25T00:00:00Z")
      #expect(server.requestCount - requests < requests)
    }
  }
#endif
