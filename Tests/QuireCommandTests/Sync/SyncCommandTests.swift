import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// `quire sync` as a process.
@Suite(.timeLimit(.minutes(5))) struct SyncCommandTests {
  private let list: ServedRounds

  init() throws { list = try ServedRounds() }

  private var folder: TemporaryFolder { list.folder }
  private var run: ServedRun { list.run }
  private var server: LoopbackServer { list.server }
  private var arguments: [String] { list.words("sync", "--state", folder.file("state")) }

  private func sync(_ options: String...) async throws -> QuireProcess.Result {
    try await list.end(arguments + options, appendingTo: "feed")
  }

  private var feed: SyncFeed { SyncFeed(folder.text("feed")) }

  @Test func `rounds write what has changed, and what each of them claims`() async throws {
    #expect(try await sync().status == 0)
    #expect(feed.rows.count == 45 && feed.problems.isEmpty, "\(feed.problems)")
    run.change(.delete(at: 3), .insert(at: 0), .update(at: 20))
    let result = try await sync()
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    #expect(Set(feed.rows.keys) == Set(run.ids) && feed.problems.isEmpty)
    let round = try #require(feed.rounds.last)
    #expect(feed.rounds.map(\.round) == [1, 2] && round.claim == "whole" && round.requests == 5, "\(round)")
    #expect((round.inserted, round.updated, round.deleted, round.held_back) == (1, 1, 1, 0))
    #expect(try await sync().status == 0)
    #expect(folder.text("feed").split(separator: "\n").last?.hasPrefix(#"{"op":"round","round":3"#) == true)
  }

  @Test func `deletes that are not proven or too many are held back, and the status says so`() async throws {
    #expect(try await sync().status == 0)
    run.change(.delete(at: 3), .delete(at: 3))
    let unproven = try await sync("--distrust", "order")
    #expect(unproven.status == 3 && feed.rounds.last?.held_back == 2)
    #expect(unproven.errors.contains("2 rows were not in the list and are held back: the claim is unproven"))
    for _ in 0..<12 { run.change(.delete(at: 0)) }
    let many = try await sync()
    #expect(many.status == 3 && many.errors.contains("more than 10 rows would be deleted at once"), "\(many.errors)")
    #expect(feed.rows.count == 45)
    #expect(try await sync("--max-deletes", "all").status == 0)
    #expect(Set(feed.rows.keys) == Set(run.ids))
  }

  @Test func `rows that leave a filter are deleted, and only selected members count as changes`() async throws {
    func run(_ options: String...) async throws -> Int32 {
      try await sync("--where", "@.version < 1", "--select", options[0]).status
    }
    #expect(try await run("id,version") == 0)
    self.run.change(.update(at: 7))
    #expect(try await run("id,version") == 0)
    #expect(feed.rows.count == 44 && feed.rounds.last?.deleted == 1)
    #expect(try await run("id") == 1)
  }

  @Test func `bad states and options are refused with what to do`() async throws {
    #expect(try await sync().status == 0)
    let (state, output) = (folder.text("state"), folder.text("feed"))
    let requests = server.requestCount
    let data = try #require(FileManager.default.contents(atPath: folder.file("state")))
    func result(_ words: [String], _ expected: String) async throws {
      let result = try await QuireProcess(words, appendingTo: folder.file("feed")).end()
      #expect(result.status == 1 && result.errors.contains(expected), "\(result.errors)")
    }
    try await result(
      ["sync", server.baseURL + "/others", "--state", folder.file("state")],
      "it belongs to another list: the address differs")
    try await result(arguments + ["--where", "@.id > 3"], "--where is new; use the address and options")
    try await result(["sync", server.baseURL], "--state is missing")
    try await result(arguments + ["--id", "none"], "--id none can't be used with sync")
    var damaged = data
    damaged[data.count / 2] ^= 1
    try damaged.write(to: URL(fileURLWithPath: folder.file("state")))
    try await result(arguments, "it is damaged after byte")
    try Data("something\n".utf8).write(to: URL(fileURLWithPath: folder.file("state")))
    try await result(arguments, "it was not written by quire sync; use another file")
    // A part of the records is an earlier state, and the output has more than that state knows.
    try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: folder.file("state")))
    try await result(arguments, "nothing was cut")
    #expect(folder.text("feed") == output && server.requestCount == requests)
    try data.write(to: URL(fileURLWithPath: folder.file("state")))
    #expect(try await sync().status == 0)
    #expect(feed.rounds.map(\.round) == [1, 2] && state != "")
  }

  @Test func `ids that change their type are no other rows`() async throws {
    func page(_ ids: [String]) -> LoopbackResponse {
      .json("[" + ids.map { #"{"id":\#($0),"name":"x"}"# }.joined(separator: ",") + "]")
    }
    let server = try LoopbackServer { _ in .status(500) }
    server.enqueue(page(["1", "2"]), page([#""1""#, #""2""#]), page(["1", "2", "3"]))
    let arguments = ["sync", server.baseURL, "--paging", "none", "--state", folder.file("state")]
    func sync() async throws -> QuireProcess.Result {
      try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
    }
    let first = try await sync()
    #expect(first.status == 0)
    let result = try await sync()
    #expect(result.status == 1 && result.output == first.output)
    #expect(result.errors.contains("the id 1 was a number and is a text now"), "\(result.errors)")
    let last = try await sync()
    #expect(last.status == 0 && last.output.contains(#"{"op":"insert","round":2,"id":3"#), "\(last.output)")
    #expect(!last.output.contains(#""op":"delete""#))
  }

  @Test func `with a version of the whole list, a still list takes one request`() async throws {
    let server = try LoopbackServer.versioned(45)
    let arguments = [
      "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--version-at", "header:ETag",
      "--state", folder.file("state"),
    ]
    _ = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
    #expect(feed.rounds.last?.claim == "exact" || feed.rounds.last?.claim == "whole", "\(feed.rounds)")
    let requests = server.requestCount
    #expect(try await QuireProcess(arguments, appendingTo: folder.file("feed")).end().status == 0)
    #expect(server.requestCount == requests + 1 && feed.rounds.last?.same_version == true, "\(feed.rounds)")
    #expect(feed.rounds.last?.requests == 1 && feed.rows.count == 45)
  }

  #if SQLITE
    @Test func `with a cache, a still list is read again without bodies`() async throws {
      let bodies = BodyCounter()
      let server = try LoopbackServer { request in
        let offset = request.number("offset") ?? 0
        let tag = "\"page \(offset)\""
        if request.header("If-None-Match") == tag { return LoopbackResponse(status: 304).with("ETag", tag) }
        bodies.count()
        let rows = (offset..<max(offset, min(45, offset + 10))).map { #"{"id":\#($0),"version":0}"# }
        return .json(#"{"rows":[\#(rows.joined(separator: ","))],"total":45}"#).with("ETag", tag)
      }
      let arguments = [
        "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--total", "total",
        "--cache", folder.file("cache"), "--state", folder.file("state"),
      ]
      _ = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
      let before = (bodies.value, server.requestCount)
      #expect(try await QuireProcess(arguments, appendingTo: folder.file("feed")).end().status == 0)
      #expect(bodies.value == before.0 && server.requestCount > before.1)
      #expect(feed.rounds.last?.claim == "whole" && feed.rounds.last?.inserted == 0 && feed.rows.count == 45)
    }
  #endif

  @Test func `a list that is suddenly empty deletes nothing without a proof`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"rows":[]}"#) }
    server.enqueue(.json(#"{"rows":[{"id":1,"version":0},{"id":2,"version":0}],"total":2}"#))
    let arguments = [
      "sync", server.baseURL, "--paging", "offset", "--size", "10", "--total", "total", "--state", folder.file("state"),
    ]
    #expect(try await QuireProcess(arguments, appendingTo: folder.file("feed")).end().status == 0)
    let result = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
    #expect(result.status == 3 && result.errors.contains("2 rows were not in the list"), "\(result.errors)")
    #expect(feed.rows.count == 2 && feed.rounds.last?.held_back == 2, "\(feed.rounds)")
  }

  @Test func `two syncs never share a state file`() async throws {
    let gate = try LoopbackGate()
    let held = try LoopbackServer { _ in LoopbackResponse.json("[]").held(by: gate) }
    let arguments = ["sync", held.baseURL, "--paging", "none", "--state", folder.file("state")]
    let first = try QuireProcess(arguments)
    await gate.reached()
    let second = try await QuireProcess.run(arguments)
    #expect(second.status == 1 && second.errors.contains("another sync has it open"), "\(second.errors)")
    first.send(SIGKILL)
    _ = await first.end()
    gate.open()
  }

  @Test func `rounds follow each other until an interrupt`() async throws {
    let process = try QuireProcess(arguments + ["--every", "0.001s"], appendingTo: folder.file("feed"))
    // A round takes at most six requests.
    _ = try await server.request(at: 4 * 6)
    process.send(SIGTERM)
    let result = await process.end()
    #expect(result.status == 130 && feed.problems.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("longer than --every 0 s; the next one begins at once"), "\(result.errors)")
    #expect(feed.rounds.map(\.round) == Array(1...feed.rounds.count))
    #expect(try await sync().status == 0)
    #expect(feed.rows.count == 45 && feed.problems.isEmpty)
  }

  @Test func `a failure between rounds is waited out, and one before the first page is not`() async throws {
    server.enqueue(.status(404))
    let first = try await sync("--every", "0.01s")
    #expect(first.status == 2 && folder.text("feed") == "", "\(first.errors)")
    let process = try QuireProcess(
      arguments + ["--every", "0.01s", "--retries", "0"], appendingTo: folder.file("feed"))
    _ = try await server.request(at: server.requestCount + 2 * 6)
    server.enqueue(.status(503))
    _ = try await server.request(at: server.requestCount + 3 * 6)
    process.send(SIGINT)
    let result = await process.end()
    #expect(result.status == 130 && result.errors.contains("it goes on at the next time"), "\(result.errors)")
  }
}

/// Counts responses with a body. `@unchecked`: guarded by its lock.
private final class BodyCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var bodies = 0

  func count() { lock.withLock { bodies += 1 } }
  var value: Int { lock.withLock { bodies } }
}

extension LoopbackServer {
  /// A server of rows whose responses have the version of the whole list, and which answers conditions.
  static func versioned(_ count: Int) throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.header("If-None-Match") == #""v1""# {
        return LoopbackResponse(status: 304).with("ETag", #""v1""#)
      }
      let offset = request.number("offset") ?? 0
      let rows = (offset..<max(offset, min(count, offset + 10))).map { #"{"id":\#($0),"version":0}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))]}"#).with("ETag", #""v1""#)
    }
  }
}
