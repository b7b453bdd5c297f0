#if SQLITE
  import Foundation
  import Quire
  import QuireTesting
  import SQLiteFile
  import Testing

  @testable import QuireCommand

  /// What goes wrong while the lists of a plan are read, and what is said of it.
  @Suite(.timeLimit(.minutes(5))) struct PlanTroubleTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer

    init() throws {
      folder = try TemporaryFolder()
      let rows = ServedRows(count: 45)
      server = try LoopbackServer { request in
        let page = request.number("p") ?? 0
        let next = page < 2 ? #","next":"\#(request.path)?p=\#(page + 1)""# : ""
        return rows.page(rows.rows(from: page * 20, 20), #""total":45\#(next)"#)
      }
    }

    private func write(_ plan: String) throws {
      try "server: \(server.baseURL)\nlists:\n\(plan)".write(
        toFile: folder.file("plan.yaml"), atomically: false, encoding: .utf8)
    }

    private var words: [String] { ["collect", folder.file("plan.yaml"), "--into", folder.file("rows.db")] }

    @Test func `with --every, each summary has each list, also one that can't be read on`() async throws {
      try write("  bad: {url: /bad, paging: next, next: next, total: nope.x}\n  good: {url: /good}")
      let process = try QuireProcess(words + ["--every", "0.02s", "--summary", "json"])
      while server.requestCount < 30, process.isRunning { await Task.yield() }
      process.send(SIGTERM)
      let result = await process.end()
      let documents = result.output.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: [String: Any]]
      }
      #expect(documents.count > 2)
      for document in documents.dropLast() {
        #expect((document["bad"]?["error"] as? String)?.contains("nope.x") == true, "\(document)")
        #expect(document["good"]?["rows"] as? Int == 45)
      }
    }

    @Test func `a summary that can't be written fails the command`() async throws {
      try write("  good: {url: /good}")
      let result = try await QuireProcess(words, appendingTo: "/dev/full").end()
      #expect(result.status == 2 && result.errors.contains("can't write to standard output"), "\(result.errors)")
    }
  }
#endif
