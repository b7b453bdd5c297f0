import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// Exit statuses of a crawl.
@Suite(.timeLimit(.minutes(2))) struct CrawlExitTests {
  private func server(
    _ count: Int = 100,
    _ serve: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse? = { _ in
      nil
    }
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let served = ServedRows(count: count)
      return serve(request)
        ?? served.page(
          number: number,
          #""page":\#(number),"total_pages":\#(served.pageCount),"total":\#(count)"#)
    }
  }

  @Test func `a limit exits with 3, unless the list ends there`() async throws {
    let server = try server()
    let url = server.baseURL
    let cases: [([String], Int32, Int)] = [
      (["--max-pages", "2"], 3, 40), (["--max-pages", "5"], 0, 100),
      (["--max-items", "33"], 3, 33),
      (["--max-items", "40"], 3, 40), (["--max-items", "100"], 0, 100),
      (["--max-items", "500"], 0, 100), (["--where", "@.position < 5", "--max-items", "5"], 3, 5),
    ]
    for (options, status, count) in cases {
      let result = try await QuireProcess.run(["crawl", url] + options)
      #expect(result.status == status, "\(options): \(result.errors)")
      #expect(ids(result.output) == Array(ServedRows(count: 100).ids.prefix(count)), "\(options)")
    }
  }

  @Test func `a failure in the middle exits with 2 after the rows before it`() async throws {
    let server = try server { $0.number("page") == 3 ? .status(500) : nil }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 2)
    #expect(ids(result.output) == Array(ServedRows(count: 100).ids.prefix(40)))
    #expect(result.errors.contains("the server responded with 500"))
  }

  @Test func `a response that says that it failed exits with 2 and its message`() async throws {
    let server = try server {
      $0.number("page") == 3 ? .json(#"{"ok":false,"error":"invalid_auth"}"#) : nil
    }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 2 && result.errors.contains("invalid_auth"), "\(result.errors)")
    #expect(ids(result.output) == Array(ServedRows(count: 100).ids.prefix(40)))
  }

  @Test func `options add and remove what says that a response failed`() async throws {
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let served = ServedRows(count: 100)
      return served.page(
        number: number,
        #""page":\#(number),"total_pages":\#(served.pageCount),"status":"error","state":"cut""#)
    }
    let url = server.baseURL
    let partial = try await QuireProcess.run("crawl", url)
    #expect(
      partial.status == 3 && partial.errors.contains("a part of the rows"), "\(partial.errors)")
    #expect(ids(partial.output) == ServedRows(count: 100).ids)
    #expect(try await QuireProcess.run("crawl", url, "--no-failure", "status").status == 0)
    let own = ["crawl", url, "--no-failure", "all", "--failure", "state=cut"]
    #expect(try await QuireProcess.run(own).status == 3)
    for wrong in [["--failure", "state"], ["--no-failure", "colour"]] {
      #expect(try await QuireProcess.run(["crawl", url] + wrong).status == 1)
    }
  }

  @Test func `a temporary failure is retried and counted`() async throws {
    let server = try server()
    server.enqueue(.status(503))
    let result = try await QuireProcess.run("crawl", server.baseURL, "--stats")
    #expect(result.status == 0)
    #expect(result.errors.contains(#""retries":1"#), "\(result.errors)")
    server.enqueue(.status(503))
    #expect(try await QuireProcess.run("crawl", server.baseURL, "--retries", "0").status == 2)
  }

  @Test func `an unreachable server exits with 2`() async throws {
    let port = try LoopbackServer { _ in .status(500) }.port
    let result = try await QuireProcess.run("crawl", "http://127.0.0.1:\(port)/", "--retries", "0")
    #expect(result.status == 2)
    #expect(result.errors.contains("the connection was refused"))
  }

  @Test func `a web page in place of JSON exits with 2 and a hint`() async throws {
    let server = try LoopbackServer { _ in .html("<html>Sign in</html>") }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 2)
    #expect(result.errors.contains("the response is a web page instead of data; check the address"))
  }

  @Test func `a response with several lists or none exits with 2 and names them`() async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"a":{"one":[{"id":1}]},"b":{"two":[{"id":1}]}}"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 2)
    #expect(result.errors.contains("  --items a.one   (1 element)"))
    #expect(result.errors.contains("  --items b.two   (1 element)"))
    let single = try LoopbackServer { _ in .json(#"{"a":1}"#) }
    #expect(try await QuireProcess.run("crawl", single.baseURL).errors.contains("no array"))
  }

  @Test(arguments: [
    (["--items", "row"], "did you mean 'rows'?"), (["--id", "idd"], "did you mean 'id'?"),
    (["--id", "nothing.like.it"], "--id: no row of the first page has nothing.like.it"),
    (["--select", "titel"], "did you mean 'title'?"),
    (["--paging", "page", "--total", "totl"], "--total: the response has no totl; did you mean"),
    (["--paging", "page", "--cursor", "x"], "it belongs to --paging cursor"),
    (
      ["--resume", "/no/such/file"],
      "/no/such/file: No such file or directory; use a file that can be written"
    ), (["--resume", "/"], "can't open the resume file /: Is a directory"),
    (["--resume", ""], "--resume needs the path of a file, found none"),
  ])
  func `an option that finds nothing exits with 1 and a suggestion`(
    _ options: [String], _ text: String
  ) async throws {
    let server = try server()
    let result = try await QuireProcess.run(["crawl", server.baseURL] + options)
    #expect(result.status == 1)
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test func `a cursor that is not there exits with 3 if there is more`() async throws {
    let server = try server()
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "pagee")
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.errors.contains("the response has no “pagee”"), "\(result.errors)")
    #expect(!result.errors.contains("only page"))
    let single = try LoopbackServer { _ in .json(#"{"rows":[{"id":1}],"text":"x"}"#) }
    let whole = try await QuireProcess.run("crawl", single.baseURL, "--next", "next")
    #expect(whole.status == 0 && whole.errors.contains("so this is the only page"))
  }

  @Test func `a loop of pages exits with 3`() async throws {
    let server = try server { _ in ServedRows(count: 20).page(number: 1, #""next":"/x?a=b""#) }
    let cursor = try LoopbackServer { request in
      let page = request.query("cursor") == "b" ? 2 : 1
      return ServedRows(count: 40).page(number: page, #""next":"\#(page == 1 ? "b" : "a")""#)
    }
    let result = try await QuireProcess.run("crawl", cursor.baseURL, "--cursor", "next")
    #expect(result.status == 3)
    #expect(ids(result.output) == ServedRows(count: 40).ids)
    #expect(result.errors.contains("no new rows"))
    #expect(try await QuireProcess.run("crawl", server.baseURL).status == 3)
  }

  @Test func `a link to another origin exits with 3, unless allowed`() async throws {
    let served = ServedRows(count: 40)
    let other = try LoopbackServer { _ in served.page(number: 2) }
    let server = try server { [url = other.baseURL] _ in
      served.page(number: 1, #""next":"\#(url)/rows""#)
    }
    let refused = try await QuireProcess.run("crawl", server.baseURL)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("--allow-other-origin"))
    #expect(other.requestCount == 0)
    let allowed = try await QuireProcess.run(
      "crawl", server.baseURL, "--next", "next", "--allow-other-origin", "--header", "X-Secret: s")
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(ids(allowed.output) == served.ids)
    let request = try await other.request(at: 0)
    #expect(request.header("X-Secret") == nil)
  }

  @Test func `an interrupt exits with 130 after complete rows`() async throws {
    let gate = try LoopbackGate()
    let server = try server { request in
      request.number("page") == 3 ? ServedRows(count: 100).page(number: 3).held(by: gate) : nil
    }
    for signal in [SIGINT, SIGTERM] {
      let process = try QuireProcess(["crawl", server.baseURL])
      await gate.reached(signal == SIGINT ? 1 : 2)
      process.send(signal)
      let result = await process.end()
      #expect(result.status == 130 && !result.wasKilled)
      #expect(ids(result.output) == Array(ServedRows(count: 100).ids.prefix(40)))
    }
    gate.open()
  }

  @Test func `a closed pipe ends the crawl without an error`() async throws {
    let server = try server(1_000)
    let script = "\(try QuireProcess.executable.path) crawl '\(server.baseURL)' | head -n 1"
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(ids(text) == [1])
    #expect(message.isEmpty, "\(String(decoding: message, as: UTF8.self))")
    #expect(server.requestCount < 50)
  }

  @Test func `an output that can't be written exits with 2`() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let server = try server()
    let process = try QuireProcess(["crawl", server.baseURL], appendingTo: "/dev/full")
    let result = await process.end()
    #expect(result.status == 2)
    #expect(result.errors.contains("can't write the output: No space left"))
  }

  @Test func `a posted page is retried too`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"data":[{"id":1}]}"#) }
    let words = ["crawl", server.baseURL, "--body", "{}", "--paging", "none"]
    server.enqueue(.status(503), .status(429).with("Retry-After", "0"))
    let result = try await QuireProcess.run(words + ["--stats"])
    #expect(result.status == 0 && result.errors.contains(#""retries":2"#), "\(result.errors)")
    server.enqueue(.status(503), .status(503), .status(503))
    let failed = try await QuireProcess.run(words)
    #expect(failed.status == 2 && failed.errors.contains("the server responded with 503"))
    #expect(server.requestCount == 6)
    server.enqueue(.status(503))
    #expect(try await QuireProcess.run(words + ["--retries", "0"]).status == 2)
    #expect(server.requestCount == 7)
  }

  @Test func `JSON lines and an error in place of a page are recognized`() async throws {
    let lines = try LoopbackServer { _ in .json("{\"id\":1}\n{\"id\":2}\n") }
    let result = try await QuireProcess.run("crawl", lines.baseURL)
    #expect(result.status == 2 && result.errors.contains("each line is already a row"))
    let server = try server { request in
      request.number("page") == 2 ? .json(#"{"errors":[{"message":"too many"}]}"#) : nil
    }
    let failed = try await QuireProcess.run("crawl", server.baseURL)
    #expect(failed.status == 2 && failed.errors.contains("too many"), "\(failed.errors)")
  }

  @Test func `--rate delays requests`() async throws {
    let server = try server()
    let result = try await QuireProcess.run("crawl", server.baseURL, "--rate", "20/s", "--stats")
    #expect(result.status == 0)
    let seconds = try #require(result.errors.split(separator: "\"seconds\":").last)
    #expect(try #require(Double(seconds.prefix { $0 != "," })) >= 0.2)
  }

  @Test func `cached pages are read without the server`() async throws {
    let folder = try TemporaryFolder()
    let server = try server { request in
      let number = request.number("page") ?? 1
      return ServedRows(count: 60).page(number: number, #""page":\#(number),"total_pages":3"#)
        .with("Cache-Control", "max-age=600")
    }
    let options = ["crawl", server.baseURL, "--cache", folder.path, "--rate", "1000/s"]
    #expect(try await QuireProcess.run(options).status == 0)
    #expect(server.requestCount == 3)
    let offline = try await QuireProcess.run(options + ["--offline"])
    #expect(offline.status == 0, "\(offline.errors)")
    #expect(ids(offline.output) == ServedRows(count: 60).ids)
    #expect(server.requestCount == 3)
    let other = ["crawl", server.baseURL + "/other", "--cache", folder.path, "--offline"]
    #expect(try await QuireProcess.run(other).status == 2)
  }

  @Test func `an unknown command or a missing address exits with 1`() async throws {
    let result = try await QuireProcess.run("crwal")
    #expect(result.status == 1)
    #expect(result.errors.contains("did you mean crawl?"))
    #expect(try await QuireProcess.run("crawl").status == 1)
    let help = try await QuireProcess.run("crawl", "--help")
    #expect(help.status == 0)
    #expect(help.output == CrawlCommand.spec.helpText)
  }
}
