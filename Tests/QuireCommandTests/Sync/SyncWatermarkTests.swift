import Foundation
import QuireTesting
import Support
import Testing

@testable import QuireCommand

/// `quire sync` with stamps.
@Suite(.timeLimit(.minutes(5))) struct SyncWatermarkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The rows of a server, newest first.
  private final class Rows: Sendable {
    private let state = Lock((stamps: (1...60).map { (id: $0, at: $0) }, next: 61))

    /// Adds a row with a stamp that is late.
    func add(late: Int = 0) {
      state.withLock { state in
        state.stamps.append((state.next, state.next - late))
        state.next += 1
      }
    }

    var ids: Set<Int> { Set(state.withLock { $0.stamps.map(\.id) }) }

    func remove(_ id: Int) { state.withLock { $0.stamps.removeAll { $0.id == id } } }

    func response(_ request: LoopbackRequest) -> LoopbackResponse {
      let stamps = state.withLock { $0.stamps }
      let since = request.number("since") ?? 0
      let sorted = stamps.filter { $0.at >= since }.sorted { ($0.at, $0.id) > ($1.at, $1.id) }
      let page = sorted.dropFirst(request.number("offset") ?? 0).prefix(request.number("limit") ?? 10)
      let rows = page.map { #"{"id":\#($0.id),"version":0,"seen":{"at":\#($0.at)}}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"total":\#(sorted.count)}"#)
    }
  }

  private func sync(_ server: LoopbackServer, _ options: String...) async throws -> QuireProcess.Result {
    let arguments = [
      "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--total", "total", "--state",
      folder.file("state"),
    ]
    return try await QuireProcess(arguments + options, appendingTo: folder.file("feed")).end()
  }

  private var feed: SyncFeed { SyncFeed(folder.text("feed")) }

  @Test(arguments: [["--newest-first", "seen.at"], ["--since-param", "since=seen.at"]])
  func `short rounds read what is new, and a full one what is gone or was missed`(words: [String]) async throws {
    let rows = Rows()
    let server = try LoopbackServer { rows.response($0) }
    func round() async throws -> QuireProcess.Result { try await sync(server, words[0], words[1], "--full", "3") }
    #expect(try await round().status == 0)
    rows.add()
    rows.add(late: 3)
    let requests = server.requestCount
    let short = try await round()
    #expect(short.status == 0 && short.errors == "", "\(short.errors)")
    #expect(server.requestCount <= requests + 4 && feed.rows.count == 62 && feed.rounds.last?.full == false)
    #expect(feed.rounds.last?.watermark?.lateness == 1, "\(feed.rounds)")
    rows.remove(30)
    rows.add()
    #expect(try await round().status == 0)
    #expect(feed.rows.count == 63 && feed.rows[30] != nil && feed.rounds.last?.full == false)
    #expect(try await round().status == 0)
    #expect(feed.rows.count == 62 && feed.rows[30] == nil && feed.rounds.last?.full == true, "\(feed.rounds)")
    // Far below the mark, where short rounds don't look.
    rows.add(late: 50)
    for isFull in [false, false, true] {
      let result = try await round()
      #expect(
        result.status == 0 && feed.rounds.last?.full == isFull
          && feed.rounds.last?.watermark?.missed == (isFull ? 1 : 0))
      #expect(result.errors.contains("1 row is new or changed below the last mark") == isFull, "\(result.errors)")
    }
    #expect(feed.rows.count == 63 && feed.problems.isEmpty && feed.rounds.last?.watermark?.lateness == 49)
  }

  @Test func `after kills at any moment, full rounds make the feed the list, and each line is there once`() async throws
  {
    var random = try SeededGenerator.fromEnvironment()
    let rows = Rows()
    let server = try LoopbackServer { rows.response($0) }
    let arguments = [
      "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--total", "total", "--newest-first",
      "seen.at", "--full", "4", "--max-deletes", "all", "--quiet", "--state", folder.file("state"),
    ]
    for number in 0..<Thoroughness.runs(12, full: 300) {
      let process = try QuireProcess(
        arguments + ["--every", "0.002s", "--rate", "400/s"], appendingTo: folder.file("feed"))
      let sent = server.requestCount
      for request in sent..<sent + Int.random(in: 1...15, using: &random) {
        if Int.random(in: 0..<4, using: &random) == 0 { rows.add(late: Int.random(in: 0...3, using: &random)) }
        if Int.random(in: 0..<8, using: &random) == 0 { rows.remove(Int.random(in: 1...60, using: &random)) }
        _ = try await server.request(at: request)
      }
      // Some time after the request, while its page is compared and written.
      for _ in 0..<Int.random(in: 0...300, using: &random) { await Task.yield() }
      process.send(SIGKILL)
      let result = await process.end()
      try #require(result.wasKilled, "\(result.errors) after \(number) kills, \(random)")
    }
    // The rest of the round that was killed, and rounds up to a full one that no change disturbs.
    for _ in 0..<5 { _ = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end() }
    #expect(feed.problems.isEmpty && Set(feed.rows.keys) == rows.ids, "\(feed.problems), \(random)")
    // A full round that is killed before it has looked at its first page again is followed by another one.
    let numbers = feed.rounds.map(\.round)
    #expect(numbers == Array(Set(numbers)).sorted(), "\(numbers), \(random)")
    #expect(feed.rounds.contains { !$0.full } && feed.rounds.contains { $0.full }, "\(random)")
  }

  @Test func `a list that is not sorted is read to its end, and the notes say why`() async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"rows":[{"id":1,"version":0,"at":1},{"id":2,"version":0,"at":2}],"total":2}"#)
    }
    for round in 1...2 {
      let result = try await sync(server, "--newest-first", "at")
      #expect(result.status == 0 && feed.rounds.last?.full == true)
      #expect(result.errors.contains("round \(round): the list is not sorted newest first: 2 comes after 1"))
    }
  }

  @Test(arguments: [
    (["--since-param", "updated_at"], "--since-param must be the name of a parameter and the path of the stamp"),
    (["--since-param", "=updated_at"], "as updated_after=updated_at, found “=updated_at”"),
    (["--newest-first", "at", "--since-param", "since=at"], "--newest-first and --since-param can't be used together"),
    (["--newest-first", "at", "--full", "0"], "--full must be a whole number of at least 1, found “0”"),
    (["--full", "5"], "--full needs --newest-first or --since-param"),
    (["--newest-first", "["], "--newest-first"),
    (["--newest-first", "seen.att"], "--newest-first: no row of the first page has seen.att; did you mean"),
    (["--since-param", "since=when"], "--since-param: no row of the first page has when; check the path"),
  ])
  func `bad options are refused with what to do`(options: [String], expected: String) async throws {
    let rows = Rows()
    let server = try LoopbackServer { rows.response($0) }
    let words = [
      "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--state", folder.file("state"),
    ]
    let result = try await QuireProcess(words + options, appendingTo: folder.file("feed")).end()
    #expect(result.status == 1 && result.errors.contains(expected), "\(result.errors)")
    #expect(folder.text("feed") == "")
  }

  @Test func `another path starts over with a full round, and another address needs another state`() async throws {
    let rows = Rows()
    let server = try LoopbackServer { rows.response($0) }
    for (path, isFull) in [("seen.at", true), ("seen.at", false), ("id", true), ("id", false)] {
      #expect(try await sync(server, "--newest-first", path).status == 0)
      #expect(feed.rounds.last?.full == isFull, "\(path)")
    }
    #expect(feed.rows.count == 60 && feed.problems.isEmpty)
    let other = try await QuireProcess(
      ["sync", server.baseURL + "/others", "--newest-first", "id", "--state", folder.file("state")]
    ).end()
    #expect(other.status == 1 && other.errors.contains("it belongs to another list: the address differs"))
  }
}
