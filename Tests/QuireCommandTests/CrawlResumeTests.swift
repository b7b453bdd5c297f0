import Foundation
import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// Crawls that stop and continue.
@Suite(.timeLimit(.minutes(10))) struct CrawlResumeTests {
  private static let served = ServedRows(count: 300)
  private static let kills = Thoroughness.runs(8, full: 100)

  /// Servers whose paging is detected: by number, trial, cursor, link and offset.
  static let styles = PagingStyle.all.filter(\.isDetected)

  private func server(_ style: PagingStyle) throws -> LoopbackServer {
    try LoopbackServer { style.serve($0, Self.served) }
  }

  @Test(arguments: styles)
  func `after kills at any moment, all runs together write each row once and in order`(
    _ style: PagingStyle
  ) async throws {
    try await expectWhole(style, from: try server(style))
  }

  @Test(arguments: styles)
  func `after kills among faults and pages in flight, each row is written once and in order`(
    _ style: PagingStyle
  ) async throws {
    let faults = FaultsBetween(try SeededGenerator.fromEnvironment())
    let server = try LoopbackServer { request in
      faults.response(to: request, style.serve(request, Self.served))
    }
    try await expectWhole(style, from: server, ["--parallel", "8"])
  }

  /// Crawls again and again, with kills at random moments.
  private func expectWhole(
    _ style: PagingStyle, from server: LoopbackServer, _ options: [String] = []
  ) async throws {
    var random = try SeededGenerator.fromEnvironment()
    let folder = try TemporaryFolder()
    let arguments =
      ["crawl", server.baseURL + style.path, "--resume", folder.file("state"), "--rate", "200/s"]
      + options
    var kills = 0
    while true {
      let process = try QuireProcess(arguments, appendingTo: folder.file("rows"))
      if kills < Self.kills {
        // After some more requests, the first of which can be a trial of the paging.
        let target = server.requestCount + Int.random(in: 1...5, using: &random)
        while server.requestCount < target, process.isRunning {
          try await Task.sleep(for: .milliseconds(1))
        }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...6_000, using: &random)))
        process.send(SIGKILL)
      }
      let result = await process.end()
      if result.wasKilled {
        kills += 1
        continue
      }
      #expect(result.status == 0, "\(result.errors)")
      #expect(ids(folder.text("rows")) == Self.served.ids, "after \(kills) kills, \(random)")
      if kills >= Self.kills || result.status != 0 { break }
      for name in ["rows", "state"] {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
    }
  }

  /// Fails some requests, but none twice in a row. `@unchecked`: guarded by its lock.
  private final class FaultsBetween: @unchecked Sendable {
    private let lock = NSLock()
    private var random: SeededGenerator
    private var failed: Set<String> = []

    init(_ random: SeededGenerator) { self.random = random }

    func response(to request: LoopbackRequest, _ page: LoopbackResponse) -> LoopbackResponse {
      lock.withLock {
        guard failed.remove(request.target) == nil, Int.random(in: 0..<4, using: &random) == 0
        else { return page }
        failed.insert(request.target)
        let faults = [
          LoopbackResponse.status(503), page.failing(.close(.bodySent(20))),
          page.failing(.reset(.headSent)),
        ]
        return faults.randomElement(using: &random) ?? page
      }
    }
  }

  @Test func `a crawl continues after a limit`() async throws {
    for options in [["--max-items", "37"], ["--max-pages", "2"], ["--max-items", "40"]] {
      for id in [[], ["--id", "none"]] {
        let server = try server(Self.styles[0])
        let folder = try TemporaryFolder()
        let arguments =
          ["crawl", server.baseURL + "/rows", "--resume", folder.file("state")] + id
        var status: Int32 = 3
        var runs = 0
        while status == 3, runs < 20 {
          status =
            try await QuireProcess(arguments + options, appendingTo: folder.file("rows")).end()
            .status
          runs += 1
        }
        #expect(status == 0)
        #expect(ids(folder.text("rows")) == Self.served.ids, "\(options) \(id)")
        let again = try await QuireProcess.run(arguments)
        #expect(again.status == 0 && again.output == "")
        #expect(again.errors.contains("nothing to do: the crawl recorded in"))
      }
    }
  }

  @Test func `a list from a failing server is completed by several runs`() async throws {
    let failing = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return request.connection % 2 == 0 && number % 3 == 0
        ? .status(500) : Self.served.page(number: number)
    }
    let folder = try TemporaryFolder()
    let arguments = [
      "crawl", failing.baseURL, "--paging", "page", "--resume", folder.file("state"),
    ]
    var status: Int32 = 2
    var runs = 0
    while status == 2, runs < 40 {
      status = try await QuireProcess(arguments, appendingTo: folder.file("rows")).end().status
      runs += 1
    }
    #expect(status == 0 && runs > 1)
    #expect(ids(folder.text("rows")) == Self.served.ids)
  }

  @Test func `csv continues with the columns it started with`() async throws {
    let server = try server(Self.styles[0])
    let folder = try TemporaryFolder()
    let arguments = [
      "crawl", server.baseURL + "/rows", "--resume", folder.file("state"), "--format", "csv",
    ]
    _ = try await QuireProcess(
      arguments + ["--max-items", "25"], appendingTo: folder.file("rows")
    ).end()
    _ = try await QuireProcess(arguments, appendingTo: folder.file("rows")).end()
    let lines = folder.text("rows").split(separator: "\n")
    #expect(lines.first == "id,position,price,title")
    #expect(lines.dropFirst().map { Int($0.prefix { $0 != "," }) } == Self.served.ids)
  }

  @Test func `a truncated output or another crawl is refused before a request`()
    async throws
  {
    let server = try server(Self.styles[0])
    let folder = try TemporaryFolder()
    let arguments = ["crawl", server.baseURL + "/rows", "--resume", folder.file("state")]
    _ = try await QuireProcess(
      arguments + ["--max-pages", "2"], appendingTo: folder.file("rows")
    ).end()
    let requests = server.requestCount
    #expect(truncate(folder.file("rows"), 0) == 0)
    let result = try await QuireProcess(arguments, appendingTo: folder.file("rows")).end()
    #expect(result.status == 1)
    #expect(result.errors.contains("append to it with >>"))
    let other = try await QuireProcess.run(
      "crawl", server.baseURL + "/others", "--resume", folder.file("state"))
    #expect(other.status == 1 && other.errors.contains("belongs to another crawl"))
    #expect(other.errors.contains("another crawl: the address differs;"), "\(other.errors)")
    try "something\n".write(
      toFile: folder.file("foreign"), atomically: true, encoding: .utf8)
    let foreign = try await QuireProcess.run(
      "crawl", server.baseURL, "--resume", folder.file("foreign"))
    #expect(
      foreign.status == 1
        && foreign.errors.contains("it was not written by --resume; use another file"))
    #expect(folder.text("foreign") == "something\n")
    #expect(server.requestCount == requests)
  }

  @Test func `two crawls never share a resume file`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in Self.served.page(number: 1).held(by: gate) }
    let folder = try TemporaryFolder()
    let arguments = ["crawl", server.baseURL, "--resume", folder.file("state")]
    let first = try QuireProcess(arguments)
    await gate.reached()
    let second = try await QuireProcess.run(arguments)
    #expect(second.status == 1 && second.errors.contains("another crawl has it open"))
    first.send(SIGKILL)
    _ = await first.end()
    gate.open()
  }

  @Test func `rows never go to the resume file, even with closed streams`() async throws {
    let server = try server(Self.styles[0])
    let folder = try TemporaryFolder()
    let arguments = ["crawl", server.baseURL + "/rows", "--resume", folder.file("state")]
    let same = try await QuireProcess(arguments, appendingTo: folder.file("state")).end()
    #expect(same.status == 1)
    #expect(same.errors.contains("is both the resume file and the output"), "\(same.errors)")
    #expect(folder.text("state") == "")
    let words = ([try QuireProcess.executable.path] + arguments).map { "'\($0)'" }
    for (closed, status) in [(">&-", 2), ("2>&- > /dev/null", 0), ("<&- > /dev/null", 0)] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", words.joined(separator: " ") + " " + closed]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == status, "\(closed)")
      for line in folder.text("state").split(separator: "\n") {
        #expect(
          ["{\"quire\":", "{\"rows\":", "{\"end\":"].contains(where: line.hasPrefix), "\(closed)")
      }
      try? FileManager.default.removeItem(atPath: folder.file("state"))
    }
  }

  @Test func `a damaged line is reported with its number`() throws {
    let arguments = try Arguments(["https://x/y"], for: CrawlCommand.spec)
    var random = SeededGenerator(seed: 1)
    let crawl = SignatureDigests(try CrawlOptions(arguments).signature, using: &random)
    let head = ResumeState.head(crawl).trimmingCharacters(in: .newlines)
    #expect(throws: UsageError("line 2 is damaged; remove the file to start over")) {
      var state = try ResumeState(head: head.utf8)
      try state.add(#"{"rows":1,"next":"zz"}"#.utf8)
    }
    #expect(throws: UsageError("it was not written by --resume; use another file")) {
      try ResumeState(head: "{}".utf8)
    }
    var state = try ResumeState(head: head.utf8)
    for columns in [#"["a","b"]"#, "null"] {
      try state.add(#"{"rows":1,"next":null,"columns":\#(columns)}"#.utf8)
    }
    #expect(state.position.columns == ["a", "b"] && state.position.rows == 2)
  }
}
