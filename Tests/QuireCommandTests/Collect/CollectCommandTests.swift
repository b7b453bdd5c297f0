#if SQLITE
  import Foundation
  import QuireTesting
  import SQLiteFile
  import Testing

  @testable import QuireCommand

  /// `quire collect` as a process.
  @Suite(.timeLimit(.minutes(5))) struct CollectCommandTests {
    private let list: ServedRounds

    init() throws { list = try ServedRounds() }

    private var folder: TemporaryFolder { list.folder }
    private var run: ServedRun { list.run }
    private var server: LoopbackServer { list.server }
    private var arguments: [String] { list.words("collect", "--into", folder.file("rows.db")) }

    private func collect(_ options: String...) async throws -> QuireProcess.Result {
      try await list.end(arguments + options, appendingTo: "out")
    }

    private func text(_ sql: String) throws -> String {
      try SQLiteConnection(folder.file("rows.db"), .readWrite, isPassive: false).text(sql)
    }

    private func ids() throws -> Set<Int> {
      Set(try text("SELECT group_concat(id) FROM rows_live").split(separator: ",").compactMap { Int($0) })
    }

    @Test func `rounds keep a table up to date, and sum up what each of them claims`() async throws {
      #expect(try await collect().status == 0)
      #expect(try ids() == Set(run.ids))
      run.change(.delete(at: 3), .insert(at: 0), .update(at: 20))
      let result = try await collect("--summary", "json")
      #expect(result.status == 0 && result.errors == "", "\(result.errors)")
      #expect(try ids() == Set(run.ids))
      let lines = folder.text("out").split(separator: "\n")
      #expect(
        lines.first?.hasPrefix("rows: 45 rows (45 new) after 5 requests: no row that stayed in the list is") == true)
      #expect(lines.last?.hasPrefix(#"{"list":"rows","round":2,"complete":true,"full":true,"claim":"whole""#) == true)
      #expect(lines.last?.contains(#""inserted":1,"returned":0,"updated":1,"deleted":1,"held_back":0"#) == true)
      #expect(try text("SELECT count(*) FROM rows WHERE _quire_gone_at IS NOT NULL") == "1")
    }

    @Test func `deletes that are held back have a status and a remedy`() async throws {
      #expect(try await collect().status == 0)
      for _ in 0..<12 { run.change(.delete(at: 0)) }
      let held = try await collect()
      #expect(held.status == 4 && held.errors.contains("12 rows were not in the list and are held back: more than 10"))
      #expect(try await collect("--deletes", "off").status == 0)
      #expect(try ids().count == 45)
      #expect(try await collect("--max-deletes", "all", "--deletes", "hard").status == 0)
      #expect(try text("SELECT group_concat(id) FROM rows").split(separator: ",").count == 33)
      #expect(try ids() == Set(run.ids))
    }

    @Test func `what can't be used is refused before the first request, with what to do`() async throws {
      #expect(try await collect().status == 0)
      let requests = server.requestCount
      func refused(_ words: [String], _ expected: String) async throws {
        let result = try await QuireProcess(words, appendingTo: folder.file("out")).end()
        #expect(result.status == 1 && result.errors.contains(expected), "\(result.errors)")
      }
      try await refused(Array(arguments.dropLast(2)), "--into is missing; name the file of a database: --into FILE")
      try await refused(["collect", server.baseURL, "--into", folder.file("rows.db")], "add one with --table NAME")
      try await refused(arguments + ["--where", "@.id > 3"], "it has the rows of another list, with no filter")
      try await refused(arguments + ["--table", "_quire_rounds"], "such names are reserved")
      try await refused(arguments + ["--deletes", "off", "--max-deletes", "3"], "nothing is deleted")
      try await refused(arguments + ["--id", "none"], "--id none can't be used with collect")
      try await refused(
        Array(arguments.dropLast()) + [folder.file("none") + "/rows.db"],
        "check that its folder exists and can be written")
      #expect(server.requestCount == requests)
    }

    @Test func `a round that stopped at a place of another paging is followed by another one`() async throws {
      let url = server.baseURL + "/rows"
      let stopped = try QuireProcess(arguments + ["--rate", "10/s"], appendingTo: folder.file("out"))
      while server.requestCount < 3, stopped.isRunning { await Task.yield() }
      stopped.send(SIGKILL)
      _ = await stopped.end()
      let result = try await QuireProcess(
        ["collect", url, "--paging", "auto", "--into", folder.file("rows.db")], appendingTo: folder.file("out")
      ).end()
      #expect(result.status != 1 && !result.errors.contains("expected"), "\(result.errors)")
    }

    @Test(arguments: ["off", "soft", "hard"])
    func `rows that leave a filter leave the view`(deletes: String) async throws {
      let words = ["--where", "@.version < 1", "--deletes", deletes]
      for round in 0..<3 {
        let result = try await QuireProcess(arguments + words, appendingTo: folder.file("out")).end()
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        run.change(.update(at: 7 + round))
      }
      #expect(try ids().count == 43)
      #expect(try text("SELECT count(*) FROM rows") == (deletes == "hard" ? "43" : "45"))
    }

    @Test func `several lists share a database`() async throws {
      #expect(try await collect("--table", "one").status == 0)
      #expect(try await collect("--table", "two", "--where", "@.id > 3").status == 0)
      #expect(try text("SELECT group_concat(list || round, ' ') FROM _quire_rounds") == "one1 two1")
    }
  }

  /// `quire collect`, killed at random moments while the list changes.
  @Suite(.timeLimit(.minutes(15))) struct CollectKillTests {
    private static let kills = Thoroughness.runs(30, full: 1_000)

    @Test func `after kills at any moment, the table has each row once, and converges`() async throws {
      var random = try SeededGenerator.fromEnvironment()
      let list = try ServedRounds(rows: 120)
      let (folder, run) = (list.folder, list.run)
      let words = list.words("collect", "--max-deletes", "all", "--into", folder.file("rows.db"))
      for number in 0..<Self.kills {
        try await list.kill(words, appendingTo: "out", &random)
        let database = try SQLiteConnection(folder.file("rows.db"), .create, isPassive: false)
        let check = try database.text("PRAGMA integrity_check")
        try #require(check == "ok", "after \(number) kills, \(random)")
      }
      // The rest of the round that was killed, and one of a list that is still.
      let first = try await list.end(words, appendingTo: "out")
      let second = try await list.end(words, appendingTo: "out")
      #expect(
        [0, 3, 4].contains(first.status) && second.status == 0 && second.errors == "", "\(second.errors), \(random)")
      let database = try SQLiteConnection(folder.file("rows.db"), .readWrite, isPassive: false)
      let ids = try database.text("SELECT group_concat(id) FROM rows_live").split(separator: ",").compactMap { Int($0) }
      let isList = ids.count == Set(ids).count && Set(ids) == Set(run.ids)
      #expect(isList, "\(random)")
      let deleted = try database.number("SELECT sum(deleted) FROM _quire_rounds")
      #expect(deleted > 0 || Self.kills < 10, "\(random)")
    }
  }
#endif
