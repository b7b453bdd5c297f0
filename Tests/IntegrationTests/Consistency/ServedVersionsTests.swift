import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Walks through lists whose responses have the version of the list in them.
@Suite(.timeLimit(.minutes(5))) struct ServedVersionsTests {
  /// What the version of a server says.
  enum Honesty: CaseIterable {
    /// It changes with the rows.
    case honest
    /// It is always the same.
    case constant
    /// It is another one in each response.
    case random
    /// No response has one.
    case missing
  }

  enum Way: CaseIterable { case offsets, cursors, numbers }

  /// A list that changes before some requests, and what a walk has of it.
  private struct Run {
    var level: Consistency.Level
    var ids: [Int] = []
    var gone: Set<Int> = []
    var consistency: Consistency
    var end: ListEnd?
    var requests: Int
    /// The rows at each request.
    var instants: [[Int]]
  }

  /// The state of a server.
  private struct Shelf {
    var rows: [Int]
    var revision = 1
    var requests = 0
    var instants: [[Int]] = []
    var fresh = 1_000
    var random: SeededGenerator
    /// How likely the list changes before a request.
    var rate: Double
    /// The last request that it changes before.
    var lastChange: Int

    mutating func change() {
      requests += 1
      if requests > 1, requests <= lastChange, Double.random(in: 0..<1, using: &random) < rate {
        revision += 1
        if Bool.random(using: &random), !rows.isEmpty {
          rows.remove(at: Int.random(in: rows.indices, using: &random))
        } else {
          fresh += 1
          rows.insert(fresh, at: Int.random(in: 0...rows.count, using: &random))
        }
      }
      instants.append(rows)
    }
  }

  private func read(
    _ honesty: Honesty, _ way: Way, level: Consistency.Level, seed: UInt64, rate: Double,
    lastChange: Int = .max, rows: Int = 23, declares: Bool = true
  ) async throws -> Run {
    let shelf = Mutex(
      Shelf(
        rows: Array(0..<rows), random: SeededGenerator(seed: seed), rate: rate,
        lastChange: lastChange))
    let transport = MockTransport { request in
      shelf.withLock { shelf in
        shelf.change()
        let start =
          switch way {
          case .offsets: request.query["offset"].flatMap { Int($0) } ?? 0
          case .numbers: 5 * ((request.query["page"].flatMap { Int($0) } ?? 1) - 1)
          case .cursors: request.query["cursor"].flatMap { Int($0) } ?? 0
          }
        let size = request.query["limit"].flatMap { Int($0) } ?? 5
        let page = shelf.rows.dropFirst(start).prefix(size)
        var members = [
          #""rows":[\#(page.map { #"{"id":\#($0)}"# }.joined(separator: ","))]"#
        ]
        let end = start + page.count
        if way == .cursors {
          members.append(#""next":\#(end < shelf.rows.count ? "\"\(end)\"" : "null")"#)
        }
        switch honesty {
        case .honest: members.append(#""revision":\#(shelf.revision)"#)
        case .constant: members.append(#""revision":"v3""#)
        case .random: members.append(#""revision":"r\#(shelf.requests)""#)
        case .missing: break
        }
        return .json("{\(members.joined(separator: ","))}")
      }
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let paging: Paging =
      switch way {
      case .offsets: .offset(limit: 5)
      case .numbers: .pageNumber(size: 5, sizeParameter: nil)
      case .cursors: .cursor(at: "next")
      }
    let walk = PageWalk(
      server, "/rows", items: "rows", paging: paging, identity: .by("id"), consistency: level,
      version: declares ? "revision" : nil)
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    let gone = Set(walk.goneIDs.compactMap { Int("\($0)") })
    return Run(
      level: level, ids: ids, gone: gone, consistency: walk.consistency, end: walk.end,
      requests: shelf.withLock { $0.requests }, instants: shelf.withLock { $0.instants })
  }

  @Test(arguments: Way.allCases, Consistency.Level.allCases)
  func `a list with one version is exact without a second walk`(
    way: Way, level: Consistency.Level
  ) async throws {
    let plain = try await read(.honest, way, level: .any, seed: 1, rate: 0, declares: false)
    #expect(plain.consistency.claim < .exact)
    let run = try await read(.honest, way, level: level, seed: 1, rate: 0)
    #expect(run.consistency.claim == .exact, "\(run.consistency)")
    #expect(run.consistency.assumptions.contains(.version) && run.ids == Array(0..<23))
    #expect(run.requests == plain.requests && run.end == .complete)
  }

  @Test(arguments: Way.allCases, Honesty.allCases)
  func `no claim goes beyond the declared version`(way: Way, honesty: Honesty) async throws {
    let first = try SeededGenerator.fromEnvironment().seed
    var exact = 0
    var lies = 0
    for seed in first..<first &+ UInt64(Thoroughness.runs(150, full: 3_000)) {
      var random = SeededGenerator(seed: seed)
      let level = [Consistency.Level.any, .seams, .exact].randomElement(using: &random) ?? .exact
      let run = try await read(
        honesty, way, level: level, seed: seed, rate: Double.random(in: 0...0.3, using: &random),
        lastChange: Int.random(in: 0...30, using: &random))
      #expect(Set(run.ids).count == run.ids.count)
      #expect(run.requests <= 3 * 8 + 20, "seed \(seed): \(run.requests)")
      guard run.consistency.claim == .exact else {
        #expect(level < .exact || run.end != .complete)
        continue
      }
      let rows = Set(run.ids).subtracting(run.gone)
      let isTrue = run.instants.contains { Set($0) == rows }
      let restsOnVersion = run.consistency.assumptions.contains(.version)
      if honesty == .honest { #expect(isTrue, "seed \(seed), \(level): \(run)") }
      if honesty == .random || honesty == .missing { #expect(!restsOnVersion) }
      #expect(isTrue || restsOnVersion, "seed \(seed), \(level): \(run.consistency)")
      if !isTrue { lies += 1 }
      exact += 1
    }
    if Thoroughness.current == .brief { return }
    if honesty == .honest { #expect(exact > 0) }
    // A check that can't fail shows nothing: a version that never changes makes claims false that rest on it.
    if honesty == .constant { #expect(lies > 0) }
  }

  @Test(arguments: Way.allCases) func `a version that changes once is read again`(way: Way)
    async throws
  {
    var again = 0
    for seed: UInt64 in 0..<30 {
      let run = try await read(.honest, way, level: .exact, seed: seed, rate: 1, lastChange: 3)
      #expect(run.consistency.claim == .exact && run.end == .complete, "\(run)")
      #expect(run.instants.contains { Set($0) == Set(run.ids).subtracting(run.gone) }, "\(run)")
      if run.consistency.assumptions.contains(.version) { again += 1 }
    }
    // Counted pages may also be proven by their number, and a cursor only by its version.
    if way == .cursors { #expect(again == 30) }
  }

  @Test func `a total that changes within one version takes the claim away`() async throws {
    let transport = MockTransport { request in
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      let ids = (0..<12).dropFirst(offset).prefix(5).map { #"{"id":\#($0)}"# }
      return .json(
        #"{"rows":[\#(ids.joined(separator: ","))],"total":\#(offset > 0 ? 12 : 13),"v":3}"#)
    }
    let walk = PageWalk(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .offset(limit: 5, endsBy: .total("total")), identity: .by("id"), consistency: .any,
      version: "v")
    while try await walk.next() != nil {}
    #expect(!walk.consistency.assumptions.contains(.version), "\(walk.consistency)")
  }

  @Test func `a resumed walk remembers the version`() async throws {
    for isSame in [true, false] {
      let requests = ResponseCounter()
      let transport = MockTransport { request in
        let number = requests.next()
        let start = request.query["cursor"].flatMap { Int($0) } ?? 0
        let ids = (0..<12).dropFirst(start).prefix(5).map { #"{"id":\#($0)}"# }
        let next = start + 5 < 12 ? "\"\(start + 5)\"" : "null"
        var response = MockResponse.json(
          #"{"rows":[\#(ids.joined(separator: ","))],"next":\#(next)}"#)
        response.headers.add("X-Revision", isSame ? "a" : "\(number)")
        return response
      }
      let server = Server("https://test", transport: transport)
      func walk(_ checkpoint: PageWalk.Checkpoint?, _ ids: [Int]) -> PageWalk {
        PageWalk(
          server, "/rows", items: "rows", paging: .cursor(at: "next"), identity: .by("id"),
          version: .header("X-Revision"), from: checkpoint, knownIDs: ids.map { RowID($0) })
      }
      let first = walk(nil, [])
      let page = try #require(try await first.next())
      let text = try #require(first.checkpoint?.text)
      let checkpoint: PageWalk.Checkpoint = try #require(PageWalk.Checkpoint(text: text))
      let second = walk(checkpoint, page.rows.compactMap { $0["id"]?.int })
      while try await second.next() != nil {}
      #expect((second.consistency.claim == .exact) == isSame, "\(second.consistency)")
    }
  }

  @MainActor @Test func `a list is exact by its version, until it changes`() async throws {
    for (isSame, refreshes) in [(true, false), (false, false), (true, true)] {
      let requests = ResponseCounter()
      let transport = MockTransport { request in
        let number = requests.next()
        let start = request.query["offset"].flatMap { Int($0) } ?? 0
        let ids = (0..<12).dropFirst(start).prefix(5).map { #"{"id":\#($0)}"# }
        return .json(
          #"{"rows":[\#(ids.joined(separator: ","))],"v":\#(isSame ? number / 3 : number)}"#)
      }
      let list = ListModel<ServedRow>(
        Server("https://test", transport: transport), "/rows", items: "rows",
        paging: .offset(limit: 5)
      ) { $0.version = "v" }
      await list.loadAll()
      // A refresh begins a new claim, with the version of its own pages.
      if refreshes {
        _ = await list.refresh().outcome
        await list.loadAll()
      }
      #expect((list.consistency.claim == .exact) == isSame, "\(list.consistency)")
      #expect(list.consistency.assumptions.contains(.version) == isSame)
    }
  }

  @Test func `a custom paging overlaps by its overlaps`() async throws {
    for hasWindows in [true, false] {
      let requests = ResponseCounter()
      let transport = MockTransport { request in
        let start = request.query["from"].flatMap { Int($0) } ?? 0
        // A row goes before each request but the first.
        let ids = (requests.next()..<60).dropFirst(start).prefix(5).map { #"{"id":\#($0)}"# }
        return .json(#"{"rows":[\#(ids.joined(separator: ","))]}"#)
      }
      let overlap: @Sendable (PageKey, Int) -> PageKey? = { key, rows in
        guard case .offset(let start) = key.place, rows <= start else { return nil }
        return PageKey(.offset(start - rows))
      }
      let paging = Paging.custom(
        first: PageKey(.offset(0)),
        ask: { key, call in
          if case .offset(let start) = key.place { call.params["from"] = "\(start)" }
        },
        facts: { page in
          guard case .offset(let start) = page.key.place, page.count == 5 else {
            return PageFacts(next: .end)
          }
          return PageFacts(next: .page(PageKey(.offset(start + page.count))))
        }, overlap: hasWindows ? overlap : nil)
      let walk = PageWalk(
        Server("https://test", transport: transport), "/rows", items: "rows", paging: paging,
        identity: .by("id"))
      var ids: [Int] = []
      while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
      #expect(Set(ids).count == ids.count)
      #expect((ids == Array(0..<60)) == hasWindows, "\(ids)")
      #expect(walk.consistency.claim == (hasWindows ? .whole : .unproven), "\(walk.consistency)")
    }
  }
}
