import ItemMapping
import ListReading
import ListSync
import QuireTesting
import SQLiteFile
import ServerAPI
import Support
import TestSupport
import Testing

@testable import QuireCollect

/// Lists of rows that come, go and come back while they are read, with programs that are killed and faults of the server.
/// The shop's own history is what decides.
@Suite(.timeLimit(.minutes(20))) struct ChildHistoryTests {
  @Test func `no row is lost that is there, none stands twice, and after faults stop the next run converges`()
    async throws
  {
    var (kills, gone, comebacks, failed, exact) = (0, 0, 0, 0, 0)
    for start in try SeededGenerator.runs(Thoroughness.runs(150, full: 4_000), failed: [367, 657, 661]) {
      var random = start
      let lists = try CollectedLists()
      let shop = Shop(&random)
      let books = shop.plan(&random)
      var problems: [String] = []
      var collector: (Collector, KilledSink)?
      func program() throws -> (Collector, KilledSink) {
        if let collector { return collector }
        let sink = KilledSink(try SQLiteSink(lists.path)) { batch in
          gone += batch.deletes.count
          problems += shop.problems(of: batch)
        }
        let made = (Collector(shop.server, CollectPlan([books]), into: sink), sink)
        collector = made
        return made
      }
      shop.setRates(changes: random.nextUnit() * 0.4, faults: random.nextUnit() * 0.2)
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        let (runner, sink) = try program()
        let end = [KilledSink.End.none, .none, .before, .after, .diskFull].randomElement(using: &random) ?? .none
        sink.plan(end, after: Int.random(in: 0..<12, using: &random))
        do {
          for outcome in try await runner.run() { failed += outcome.children.reduce(0) { $0 + $1.failed } }
        } catch is KilledSink.Killed {
          kills += 1
          collector = nil
        } catch is CollectError {
          kills += 1
          collector = nil
        }
        if Int.random(in: 0..<3, using: &random) == 0 { collector = nil }
        comebacks += shop.restore(&random)
      }
      shop.setRates(changes: 0, faults: 0)
      collector = nil
      _ = try await program().0.run()
      let last = try await program().0.run()[0].children[0]
      #expect(problems.isEmpty, "\(problems), \(start)")
      let database = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
      let isThere = try database.number("SELECT count(*) FROM sqlite_master WHERE name = 'reviews'") > 0
      let live =
        try !isThere
        ? ""
        : database.text(
          """
          SELECT group_concat(_quire_parent || ':' || _quire_row, ' ') FROM
          (SELECT * FROM reviews WHERE _quire_gone_at IS NULL ORDER BY _quire_parent, _quire_id)
          """)
      // Counted pages don't always prove that a row is gone.
      #expect(last.failed == 0 && (last.heldBack == 0 || shop.isPaged), "\(last), \(start)")
      if last.heldBack == 0 {
        #expect(live == shop.text, "\(start)")
        exact += 1
      } else {
        #expect(Set(live.split(separator: " ")).isSuperset(of: shop.text.split(separator: " ")), "\(start)")
      }
      #expect(try database.number("SELECT count(*) FROM _quire_failures") == 0, "\(start)")
      #expect(try database.text("PRAGMA integrity_check") == "ok", "\(start)")
    }
    #expect(
      kills > 0 && gone > 0 && comebacks > 0 && failed > 0 || Thoroughness.current == .brief,
      "\(kills) kills, \(gone) rows gone, \(comebacks) back, \(failed) lists failed")
    print(
      "exact: \(exact), kills: \(kills), rows gone: \(gone), books back: \(comebacks), lists that failed: \(failed)")
  }

  @Test func `a program may be killed at any batch`() async throws {
    for deletes in [CollectList.Deletes.soft, .hard] {
      var batch = 0
      var wasKilled = true
      while wasKilled {
        wasKilled = false
        for end in [KilledSink.End.before, .after, .diskFull] {
          if try await isKilled(at: batch, end, deletes) { wasKilled = true }
        }
        batch += 1
      }
      #expect(batch > 10, "\(batch)")
    }
  }

  /// Kills a program at one batch of a run in which books come and go, and checks what the next run makes of it.
  private func isKilled(at batch: Int, _ end: KilledSink.End, _ deletes: CollectList.Deletes) async throws -> Bool {
    let lists = try CollectedLists()
    var books = CollectedLists.list("books") { ($0.deletes, $0.deleteLimit) = (deletes, .none) }
    var reviews = CollectList("reviews", Call("/books/{id}/reviews"), items: .root)
    (reviews.paging, reviews.deletes, reviews.deleteLimit) = (.single, deletes, .none)
    books.children = [reviews]
    lists["books"] = #"[{"id":1},{"id":2},{"id":3}]"#
    lists["books/1/reviews"] = #"[{"id":1},{"id":2}]"#
    lists["books/2/reviews"] = #"[{"id":1}]"#
    lists["books/3/reviews"] = #"[{"id":5},{"id":6}]"#
    try await lists.collect(books)
    lists["books"] = #"[{"id":2},{"id":3},{"id":4}]"#
    lists["books/2/reviews"] = #"[{"id":1,"v":2},{"id":2}]"#
    lists["books/3/reviews"] = #"[{"id":6}]"#
    lists["books/4/reviews"] = #"[{"id":1}]"#
    var wasKilled = false
    do {
      let sink = KilledSink(try SQLiteSink(lists.path)) { _ in }
      sink.plan(end, after: batch)
      _ = try await Collector(lists.server, CollectPlan([books]), into: sink).run()
    } catch is KilledSink.Killed { wasKilled = true } catch is CollectError { wasKilled = true }
    try await lists.collect(books)
    let live = try lists.text(
      """
      SELECT group_concat(_quire_parent || ':' || _quire_row, ' ') FROM
      (SELECT * FROM reviews WHERE _quire_gone_at IS NULL ORDER BY _quire_parent, _quire_id)
      """)
    #expect(live == #"2:{"id":1,"v":2} 2:{"id":2} 3:{"id":6} 4:{"id":1}"#, "\(batch) \(end) \(deletes)")
    return wasKilled
  }
}

/// Books and their reviews, which change by chance while they are read. No id comes twice, but books come back.
private final class Shop: Sendable {
  private struct State {
    var random: SeededGenerator
    var changes = 0.0
    var faults = 0.0
    /// The version of each review of each book.
    var books: [Int: [Int: Int]] = [:]
    var away: [Int: [Int: Int]] = [:]
    /// Books that were away, and may be deleted still by a round that saw that.
    var returned: Set<Int> = []
    var next = 1

    mutating func change(mayRemove: Bool = true) {
      let book = books.keys.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        books[next] = [:]
        next += 1
      case 1 where mayRemove:
        if let book { away[book] = books.removeValue(forKey: book) }
      case 2, 3, 4:
        if let book {
          books[book]?[next] = 0
          next += 1
        }
      case 5:
        if let book, let review = books[book]?.keys.sorted().randomElement(using: &random) {
          books[book]?[review] = nil
        }
      default:
        if let book, let review = books[book]?.keys.sorted().randomElement(using: &random) {
          books[book]?[review, default: 0] += 1
        }
      }
    }
  }

  private let state: Lock<State>
  private let size: Int?
  var isPaged: Bool { size != nil }

  init(_ random: inout SeededGenerator) {
    var state = State(random: random)
    for _ in 0..<Int.random(in: 0...60, using: &random) { state.change(mayRemove: false) }
    size = Bool.random(using: &random) ? Int.random(in: 2...4, using: &random) : nil
    _ = random.next()
    self.state = Lock(state)
  }

  func setRates(changes: Double, faults: Double) { state.withLock { ($0.changes, $0.faults) = (changes, faults) } }

  /// Brings books back.
  func restore(_ random: inout SeededGenerator) -> Int {
    let isMeant = Bool.random(using: &random)
    return state.withLock { state in
      guard isMeant, let book = state.away.keys.sorted().last else { return 0 }
      state.books[book] = state.away.removeValue(forKey: book)
      state.returned.insert(book)
      return 1
    }
  }

  func plan(_ random: inout SeededGenerator) -> CollectList {
    var books = CollectList("books", Call("/books"), items: "rows", id: "id")
    var reviews = CollectList("reviews", Call("/books/{id}/reviews"), items: "rows", id: "id")
    books.deletes = Bool.random(using: &random) ? .soft : .hard
    reviews.deletes = Bool.random(using: &random) ? .soft : .hard
    (books.deleteLimit, reviews.deleteLimit) = (.none, .none)
    (books.consistency, reviews.consistency) = (.whole, .whole)
    let paging = size.map { Paging.pageNumber(size: $0, sizeParameter: "size", endsBy: .total("total")) } ?? .single
    (books.paging, reviews.paging) = (.single, paging)
    books.children = [reviews]
    return books
  }

  var server: Server {
    Server("https://test", transport: MockTransport { [self] request in response(request) }) { $0.retry = .never }
  }

  private func response(_ request: HTTPRequest) -> MockResponse {
    state.withLock { state in
      if state.random.nextUnit() < state.changes { state.change() }
      if state.random.nextUnit() < state.faults {
        if Bool.random(using: &state.random) {
          return .failure(.connectionLost(bytesReceived: 0, reused: false))
        }
        return .status([403, 500, 503].randomElement(using: &state.random) ?? 500)
      }
      let parts = request.url.path.split(separator: "/")
      if parts.count == 1 { return .json(Self.json(state.books.keys.sorted().map { "{\"id\":\($0)}" })) }
      guard let book = Int(parts[1]), let reviews = state.books[book] else { return .status(404) }
      let rows = reviews.keys.sorted().map { Self.row($0, reviews[$0] ?? 0) }
      guard let size else { return .json(Self.json(rows)) }
      let page = Int(request.url.query?.firstMatch(of: /page=(\d+)/)?.1 ?? "1") ?? 1
      let start = min(rows.count, (page - 1) * size)
      return .json(Self.json(Array(rows[start..<min(rows.count, start + size)]), of: rows.count))
    }
  }

  private static func row(_ id: Int, _ version: Int) -> String { "{\"id\":\(id),\"v\":\(version)}" }

  private static func json(_ rows: [String], of total: Int? = nil) -> String {
    "{\"rows\":[\(rows.joined(separator: ","))],\"total\":\(total ?? rows.count)}"
  }

  /// What a batch deletes that is there.
  func problems(of batch: CollectBatch) -> [String] {
    state.withLock { state in
      batch.deletes.compactMap { id in
        guard case .number(let id) = id else { return nil }
        guard let parent = batch.list.parent?.row, case .number(let book) = parent else {
          return state.books[id] == nil || state.returned.contains(id) ? nil : "the book \(id) is deleted and there"
        }
        return state.books[book]?[id] == nil ? nil : "the review \(id) of \(book) is deleted and there"
      }
    }
  }

  /// All reviews that are there.
  var text: String {
    state.withLock { state in
      state.books.keys.sorted().flatMap { book in
        (state.books[book] ?? [:]).sorted { $0.key < $1.key }.map { "\(book):\(Self.row($0.key, $0.value))" }
      }.joined(separator: " ")
    }
  }
}
