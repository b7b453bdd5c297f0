#if SQLITE
  import Foundation
  import Quire
  import QuireCollect
  import QuireTesting
  import SQLiteFile
  import Testing

  @testable import QuireCommand

  /// `quire collect` with a plan, as a process.
  @Suite(.timeLimit(.minutes(5))) struct PlanRunTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer

    init() throws {
      folder = try TemporaryFolder()
      let rows = ServedRows(count: 45)
      server = try LoopbackServer { request in
        switch request.path {
        case "/books", "/authors":
          guard request.header("Authorization") == "Bearer s3cr t" else { return .status(401) }
          return rows.page(
            rows.rows(from: request.number("offset") ?? 0, request.number("limit") ?? 20), #""total":45"#)
        case "/shops": return .json(#"{"rows":[{"id":1},{"id":2},{"id":3}],"total":3}"#)
        case "/shops/1/items", "/shops/2/items":
          guard request.header("Authorization") == "Bearer s3cr t" else { return .status(401) }
          return .json(#"{"rows":[{"id":1,"of":"\#(request.path)"},{"id":2}],"total":2}"#)
        default:
          var response = LoopbackResponse.json(#"{"error":"no \#(request.path)"}"#)
          response.status = 404
          return response
        }
      }
    }

    private func write(_ lists: String) throws {
      let plan = """
        server: \(server.baseURL)
        defaults:
          header: {Authorization: 'Bearer ${env:TOKEN}'}
          paging: offset
          size: 20
          total: total
        lists:
        \(lists)
        """
      try plan.write(toFile: folder.file("plan.yaml"), atomically: false, encoding: .utf8)
    }

    private func collect(_ options: String..., token: String? = "s3cr t") async throws -> QuireProcess.Result {
      let words = ["collect", folder.file("plan.yaml")] + options
      return try await QuireProcess(words, environment: token.map { ["TOKEN": $0] } ?? [:]).end()
    }

    private var into: String { folder.file("rows.db") }

    private func count(_ table: String) throws -> Int {
      try SQLiteConnection(into, .readWrite, isPassive: false).number("SELECT count(*) FROM \(table)")
    }

    @Test func `two lists go into one file, and one that fails stops no other`() async throws {
      try write("  books: {url: /books}\n  bad: {url: '/none/${env:TOKEN}'}\n  authors: {url: authors, items: rows}")
      let first = try await collect("--into", into)
      #expect(first.status == 2, "\(first.errors)")
      let lines = first.output.split(separator: "\n").map { $0.prefix { $0 != "(" } }
      #expect(lines == ["books: 45 rows ", "authors: 45 rows "])
      #expect(first.errors.hasPrefix("quire collect: bad: can't load page 1"), "\(first.errors)")
      #expect(first.errors.contains("/none/[redacted]") && !first.errors.contains("s3cr"), "\(first.errors)")
      #expect(try count("books") == 45)
      #expect(try count("authors") == 45)
      let second = try await collect("--into", into, "--summary", "json")
      #expect(second.status == 2 && !second.output.contains("s3cr"), "\(second.output)")
      let json = try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [String: [String: Any]]
      #expect(json?.keys.sorted() == ["authors", "bad", "books"])
      #expect(json?["books"]?["round"] as? Int == 2 && json?["authors"]?["rows"] as? Int == 45)
      #expect((json?["bad"]?["error"] as? String)?.contains("404") == true)
      let only = try await collect("--into", into, "--only", "authors,books")
      #expect(only.status == 0 && only.errors == "", "\(only.errors)")
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix("rows.db") {
        let data = FileManager.default.contents(atPath: folder.file(file)) ?? Data()
        #expect(data.range(of: Data("s3cr".utf8)) == nil)
      }
    }

    @Test func `lists of rows are read after their list, and one that fails is said with its row`() async throws {
      try write(
        """
          shops:
            url: /shops
            children:
              items: {url: '/shops/{id}/items', where: '@.id < 2'}
          books: {url: /books}
        """)
      let check = try await collect("--check")
      #expect(check.status == 0 && check.errors == "", "\(check.errors)")
      #expect(
        check.output == """
          shops: \(server.baseURL)/shops, deletes soft
          items: \(server.baseURL)/shops/{id}/items for each row of shops, deletes soft
          books: \(server.baseURL)/books, deletes soft

          """)
      let first = try await collect("--into", into)
      #expect(first.status == 3, "\(first.errors)")
      let lines = first.output.split(separator: "\n")
      try #require(lines.count == 3, "\(first.output)\(first.errors)")
      #expect(lines[0].hasPrefix("shops: 3 rows (3 new)"), "\(lines)")
      #expect(lines[1].hasPrefix("items: 2 lists of shops (2 new), 1 failed: 3: can't load page 1"), "\(lines)")
      #expect(lines[1].contains("404") && first.errors == "", "\(first.errors)")
      #expect(try count("items WHERE _quire_gone_at IS NULL") == 2)
      let second = try await collect("--into", into, "--summary", "json", "--only", "shops")
      #expect(second.status == 3, "\(second.errors)")
      let json = try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [String: [String: Any]]
      let items = try #require(json?["items"])
      #expect(json?.keys.sorted() == ["items", "shops"])
      #expect(items["of"] as? String == "shops" && items["lists"] as? Int == 2 && items["failed"] as? Int == 1)
      #expect(items["complete"] as? Bool == false && items["rows"] as? Int == 2 && items["inserted"] as? Int == 0)
      let failure = (items["failures"] as? [[String: Any]])?.first
      #expect(failure?["row"] as? String == "3" && (failure?["error"] as? String)?.contains("404") == true)
      let text = try SQLiteConnection(into, .readWrite, isPassive: false).text(
        "SELECT source FROM _quire_lists WHERE list = 'items'")
      #expect(text.contains("/shops/{id}/items") && text.contains("\"parent\":\"shops\""), "\(text)")
    }

    @Test func `lists of rows that can't be stored end with the cause`() async throws {
      try write(
        "  shops: {url: /shops, children: {items: {url: '/shops/{id}/items'}}}")
      #expect(try await collect("--into", into).status == 3)
      try SQLiteConnection(into, .readWrite, isPassive: false).run("DELETE FROM items WHERE _quire_parent = 2")
      let result = try await collect("--into", into)
      #expect(
        result.status == 2 && result.errors.hasPrefix("quire collect: items: can't collect into the table “items”"),
        "\(result)")
      try write("  shops: {url: /shops, children: {items: {url: '/shop/{id}'}}}")
      let other = try await collect("--into", into)
      #expect(other.status == 1 && other.errors.contains("it has the rows of another list, with the url"), "\(other)")
    }

    @Test func `--check and what is missing send no request`() async throws {
      try write("  books: {url: '/books?key=${env:TOKEN}'}\n  authors: {url: '${command:echo s3cond}', deletes: off}")
      let check = try await collect("--check")
      #expect(check.status == 0 && check.errors == "", "\(check.errors)")
      #expect(
        check.output == """
          books: \(server.baseURL)/books?key=[redacted], deletes soft
          authors: \(server.baseURL)/redacted, deletes off

          """)
      let missing = try await collect("--into", into, token: nil)
      #expect(
        missing.status == 1
          && missing.errors.contains("plan.yaml:3:27: ${env:TOKEN}: the environment has no variable TOKEN"),
        "\(missing.errors)")
      try write("  books: {url: /books, parallel: '${env:TOKEN}'}")
      let wrong = try await collect("--check")
      #expect(
        wrong.status == 1
          && wrong.errors.contains("plan.yaml:8:34: parallel must be a whole number of at least 1, found")
          && !wrong.errors.contains("s3cr"), "\(wrong.errors)")
      #expect(try await collect().errors.contains("--into is missing"))
      #expect(server.requestCount == 0 && !FileManager.default.fileExists(atPath: into))
      let none = try await QuireProcess.run("collect", folder.file("none.yaml"), "--check")
      #expect(none.status == 1 && none.errors.contains("none.yaml can't be read; check its name"))
    }

    @Test func `with --every, a list that fails goes on at the next time`() async throws {
      try write("  bad: {url: /none, retries: 0}\n  books: {url: /books}")
      let process = try QuireProcess(
        ["collect", folder.file("plan.yaml"), "--into", into, "--every", "0.05s"], environment: ["TOKEN": "s3cr t"])
      while server.requestCount < 20, process.isRunning { await Task.yield() }
      process.send(SIGTERM)
      let result = await process.end()
      #expect(
        result.status == 130 && result.output.split(separator: "\n").count > 1
          && result.errors.contains("it goes on at the next time"),
        "\(result.errors)")
    }

    @Test func `a plan that is written has what was given and recognized, and reads the same list`() async throws {
      let url = server.baseURL + "/books"
      let words = ["collect", url, "--write-plan", folder.file("plan.yaml")]
      let options = [
        "--header", "Authorization: Bearer s3cr t", "--header", "Accept: text/json", "--http1", "--where", "@.id > 0",
      ]
      let written = try await QuireProcess.run(words + options)
      #expect(
        written.status == 0 && written.errors.contains("set the variable BOOKS_AUTHORIZATION before"),
        "\(written.errors)")
      let text = folder.text("plan.yaml")
      #expect(!text.contains("s3cr") && text.contains("    # items: rows\n    # id: id\n"), "\(text)")
      let requests = server.requestCount
      let again = try await QuireProcess.run(words + options)
      #expect(again.status == 1 && again.errors.contains("is there already"), "\(again.errors)")
      #expect(server.requestCount == requests)
      let known = text.replacing("${env:BOOKS_AUTHORIZATION}", with: "Bearer s3cr t")
      // What the server's words mean is as sure as it is for the address.
      #expect(try await PlanFileTests.options(known)[0].rounds.crawl.list.paging == .automatic)
      let declared = known.replacing("    # ", with: "    ").replacing("    Recognized", with: "    # Recognized")
      let plan = try await PlanFileTests.options(declared)
      #expect(plan[0].rounds.crawl.list.paging != .automatic, "\(text)")
      let same = try CollectOptions(Arguments(["--into", "x", url] + options, for: CollectCommand.spec))
      #expect(plan[0].list.call.address == same.list.call.address && plan[0].list.name == same.list.name)
      #expect(plan[0].list.call.headers == same.list.call.headers)
      #expect(plan[0].list.items == "rows" && plan[0].list.id == "id")
      let run = try await QuireProcess(
        ["collect", folder.file("plan.yaml"), "--into", into], environment: ["BOOKS_AUTHORIZATION": "Bearer s3cr t"]
      ).end()
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      #expect(try count("books") == 45)
      // The table of the address and that of the plan are one.
      let direct = try await QuireProcess.run(
        ["collect", url, "--into", into] + options)
      #expect(direct.status == 0, "\(direct.errors)")
      let other = try await QuireProcess.run("collect", url, "--write-plan", folder.file("plan.txt"))
      #expect(other.status == 1 && other.errors.contains("ends with .yaml or .yml"), "\(other.errors)")
      let secret = try await QuireProcess.run("collect", url + "?api_key=x", "--write-plan", folder.file("other.yaml"))
      #expect(secret.status == 1 && secret.errors.contains("the address has a secret"), "\(secret.errors)")
    }

    @Test func `secrets come from files and commands, and are sent`() async throws {
      try "Bearer s3cr t\n".write(toFile: folder.file("token"), atomically: false, encoding: .utf8)
      try write(
        """
          books: {url: /books, header: {Authorization: '${file:\(folder.file("token"))}'}}
          authors: {url: /authors, header: ['Authorization: ${command:printf "%s" "Bearer ${X:-s3cr} t"}']}
        """)
      let result = try await collect("--into", into)
      #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    }

    @Test func `a table has the rows of one secret, and not those of another`() async throws {
      try write("  books: {url: '/books?tenant=${env:TENANT}', deletes: hard}")
      func collect(_ tenant: String) async throws -> QuireProcess.Result {
        try await QuireProcess(
          ["collect", folder.file("plan.yaml"), "--into", into],
          environment: ["TOKEN": "s3cr t", "TENANT": tenant]
        ).end()
      }
      #expect(try await collect("first tenant").status == 0)
      #expect(try await collect("first tenant").status == 0)
      let other = try await collect("other tenant")
      #expect(other.status == 1 && other.errors.contains("the rows of another list"), "\(other.errors)")
      #expect(!other.errors.contains("tenant=first") && !other.errors.contains("tenant=other"), "\(other.errors)")
      let source = try SQLiteConnection(into, .readWrite, isPassive: false).text("SELECT source FROM _quire_lists")
      #expect(source.contains("tenant=redacted-") && !source.contains("first"), "\(source)")
    }

    @Test func `--probe reads a page of each list, and stores no rows`() async throws {
      try write("  books: {url: /books}\n  bad: {url: '/none/${env:TOKEN}', retries: 0}\n  authors: {url: /authors}")
      let new = try await collect("--probe", "--into", into)
      #expect(new.status == 2 && !FileManager.default.fileExists(atPath: into), "\(new.errors)")
      #expect(new.errors.hasPrefix("quire collect: bad: can't load page 1") && !new.errors.contains("s3cr"))
      #expect(server.requestCount == 3)
      let lines = new.output.split(separator: "\n").map(String.init)
      #expect(
        lines.starts(with: ["books", "  rows:    rows, detected", "  id:      id"]) && lines.contains("authors"),
        "\(new.output)")
      #expect(lines.contains("  total:   45 rows, as the server says; about 3 requests"))
      #expect(lines.contains("  table:   books in \(into), both new"))
      _ = try await collect("--into", into, "--only", "books")
      let known = try await collect("--probe", "--into", into, "--only", "books,authors")
      #expect(known.status == 0 && known.errors == "", "\(known.errors)")
      #expect(known.output.contains("  table:   books with 45 rows\n"))
      #expect(known.output.contains("  table:   authors with 0 rows\n"))
      let nowhere = try await collect("--probe", "--only", "books")
      #expect(nowhere.status == 0 && !nowhere.output.contains("table:"), "\(nowhere.errors)")
    }

    @Test func `--limit stops each list after a page, and the next run goes on`() async throws {
      try write("  books: {url: /books}\n  authors: {url: /authors}")
      let some = try await collect("--into", into, "--limit", "15")
      #expect(some.status == 3, "\(some.errors)")
      #expect(some.errors.contains("books: stopped after 20 rows, as --limit says; the next run goes on"))
      #expect(try (count("books"), count("authors")) == (20, 20))
      let rest = try await collect("--into", into, "--limit", "100")
      #expect(rest.status == 0 && rest.errors == "", "\(rest.errors)")
      #expect(try (count("books"), count("authors")) == (45, 45))
      #expect(server.requestCount == 6)
      let both = try await collect("--into", into, "--limit", "1", "--every", "1s")
      #expect(both.status == 1 && both.errors.contains("can't be used together"), "\(both.errors)")
    }

    @Test func `--fail-on chooses what fails the command`() async throws {
      try write("  bad: {url: /none, retries: 0}\n  books: {url: /books}")
      for (words, status) in [("incomplete,held-back", 0), ("incomplete, failed", 2)] as [(String, Int32)] {
        let result = try await collect("--into", into, "--fail-on", words)
        #expect(result.status == status && result.errors.contains("bad: can't load page 1"), "\(words)")
      }
      let limited = try await collect("--into", folder.file("other.db"), "--fail-on", "held-back", "--limit", "1")
      #expect(limited.status == 0 && limited.errors.contains("books: stopped after 20 rows"), "\(limited.errors)")
      let wrong = try await collect("--into", into, "--fail-on", "fialed")
      #expect(
        wrong.status == 1
          && wrong.errors.contains(
            "--fail-on must be some of failed, incomplete, held-back, found “fialed”; did you mean failed?"),
        "\(wrong.errors)")
    }

    @Test func `--metrics counts what is stored`() async throws {
      try write("  bad: {url: /none, retries: 0}\n  books: {url: /books}")
      let file = folder.file("quire.prom")
      _ = try await collect("--into", into, "--metrics", file)
      let lines = Set(folder.text("quire.prom").split(separator: "\n").map(String.init))
      #expect(
        lines.isSuperset(of: [
          "# TYPE quire_rows gauge", #"quire_rows{list="books"} 45"#, #"quire_written_rows_total{list="books"} 45"#,
          #"quire_written_rows_total{list="bad"} 0"#, #"quire_failures_total{list="bad"} 1"#,
          #"quire_failures_total{list="books"} 0"#,
        ]), "\(lines)")
      #expect(lines.contains { $0.hasPrefix(#"quire_rounds_total{list="books",claim=""#) && $0.hasSuffix("} 1") })
      #expect(!lines.contains { $0.hasPrefix(#"quire_rows{list="bad"}"#) })
      let again = try await collect("--into", into, "--metrics", file, "--only", "books")
      #expect(again.status == 0 && folder.text("quire.prom").contains(#"quire_written_rows_total{list="books"} 0"#))
      let requests = server.requestCount
      let nowhere = try await collect("--into", into, "--metrics", folder.file("none/quire.prom"))
      #expect(
        nowhere.status == 1 && nowhere.errors.contains("--metrics: the file") && server.requestCount == requests,
        "\(nowhere.errors)")
    }
  }
#endif
