import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Pages of a closure and of a server: the same histories lead to the same rows, events, claims and ends.
@Suite(.timeLimit(.minutes(30))) struct ServedClosureTests {
  private static let ways: [ServedList.Way] = [
    .pages, .pagesRefusedAfterEnd, .pagesOfAnySize, .pagesOfCappedSize, .offsets, .offsetsOfCappedSize,
    .offsetsRoundedToPages, .offsetsWithinLimit, .cursors, .countingCursors, .snapshots,
  ]

  @Test(arguments: ways)
  func `a loop over a closure has the rows, claims and end of one over HTTP`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    for number in 0..<UInt64(Thoroughness.runs(8, full: 500)) {
      let list = histories.list(seed: seed &+ number)
      for level in Consistency.Level.allCases {
        for hasVersion in [false, true] where way == .snapshots || !hasVersion {
          let overHTTP = try await read(ServedRun(list).loop(level, hasVersion))
          let overClosure = try await read(ServedRun(list).closureLoop(level, hasVersion))
          #expect(overHTTP == overClosure, "\(level), seed \(seed &+ number): \(list)")
        }
      }
    }
  }

  @Test(arguments: ways)
  func `a loop over a closure resumes as one over HTTP`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    for number in 0..<UInt64(Thoroughness.runs(20, full: 1_000)) {
      let list = histories.list(seed: seed &+ number)
      let (http, closure) = (ServedRun(list), ServedRun(list))
      var (first, second) = ([Row](), [Row]())
      let stop = Int(number) % 7 + 1
      let loop = http.loop(.seams, false)
      let closureLoop = closure.closureLoop(.seams, false)
      // A list that ends as incomplete throws.
      while first.count < stop, let row = try? await loop.row() { first.append(row) }
      while second.count < stop, let row = try? await closureLoop.row() { second.append(row) }
      #expect(first == second)
      guard let place = loop.checkpoint, let otherPlace = closureLoop.checkpoint else {
        #expect(loop.checkpoint == nil && closureLoop.checkpoint == nil)
        continue
      }
      let known = first.map { RowID($0.id) }
      let text = PageWalk.Checkpoint(text: otherPlace.text)
      let rest = try await read(http.loop(.seams, false, from: place, known))
      let otherRest = try await read(closure.closureLoop(.seams, false, from: text, known))
      #expect(rest == otherRest, "seed \(seed &+ number): \(list)")
    }
  }

  @MainActor @Test(arguments: ways)
  func `a list over a closure has the rows, events, claims and end of one over HTTP`(
    way: ServedList.Way
  ) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    for number in 0..<UInt64(Thoroughness.runs(4, full: 200)) {
      let list = histories.list(seed: seed &+ number)
      for level in Consistency.Level.allCases {
        let (http, closure) = (ServedRun(list), ServedRun(list))
        let overHTTP = await show(http.plainList(level))
        let overClosure = await show(closure.closureList(level))
        #expect(overHTTP == overClosure, "\(level), seed \(seed &+ number): \(list)")
      }
    }
  }

  /// What a loop has read.
  private struct Read: Equatable {
    var rows: [Row] = []
    var end: ListEnd?
    var error: LoadError?
    var claim: Consistency
    var pages: Int
    var total: Int?
    var gone: [RowID]
  }

  private func read(_ loop: ItemWalk<Row>) async throws -> Read {
    var rows: [Row] = []
    var failure: LoadError?
    do throws(LoadError) {
      for try await row in loop { rows.append(row) }
    } catch {
      failure = error
    }
    return Read(
      rows: rows, end: loop.end, error: failure, claim: loop.walk.consistency.timeless, pages: loop.walk.pages,
      total: loop.walk.total, gone: loop.walk.goneIDs)
  }

  /// What a list shows: after all pages, a refresh, an edit and all pages again.
  private struct Shown: Equatable {
    var rows: [[Row]] = []
    var events: [ListEvent] = []
    var claims: [Consistency] = []
    var states: [LoadState] = []
    var facts: [PageFacts.Link?] = []
  }

  @MainActor private func show(_ list: ListModel<Row>) async -> Shown {
    let recorder = EventRecorder()
    list.follow(recorder)
    var result = Shown()
    func note() {
      result.rows.append(Array(list.rows.items))
      result.claims.append(list.consistency.timeless)
      result.states += [list.refreshState, list.state(of: .next), list.state(of: .previous)]
      result.facts.append(list.page?.facts.next)
    }
    await list.loadAll(upTo: 6)
    note()
    await list.loadAll()
    note()
    _ = await list.refresh().outcome
    note()
    if let last = list.rows.items.last, let edit = try? list.edit(.remove(RowID(last.id))) { list.confirm(edit) }
    await list.loadAll()
    note()
    result.events = recorder.events
    return result
  }
}

extension ServedClosureTests {
  /// A row of a served list with what an update changes.
  struct Row: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    let version: Int
  }
}

/// Records all events but those with the time of a response.
@MainActor private final class EventRecorder: ListObserver {
  var events: [ListEvent] = []

  func notify(_ step: ListEvents<ServedClosureTests.Row>.Step) {
    if case .didUpdateFreshness = step.event { return }
    events.append(step.event)
  }

  func close() {}
}

extension Consistency {
  /// The claim without the times of the responses.
  fileprivate var timeless: Consistency {
    var claim = self
    claim.moments = nil
    return claim
  }
}

extension ItemWalk {
  fileprivate func row() async throws -> Item? {
    var iterator = makeAsyncIterator()
    return try await iterator.next()
  }
}

extension ServedRun {
  fileprivate typealias Row = ServedClosureTests.Row

  fileprivate func loop(
    _ level: Consistency.Level, _ hasVersion: Bool, from place: PageWalk.Checkpoint? = nil,
    _ known: [RowID] = []
  ) -> ItemWalk<Row> {
    ItemWalk(
      PageWalk(
        server(), list.call, items: list.items, paging: list.paging, identity: .by("id"),
        consistency: level, version: hasVersion ? "version" : nil, from: place, knownIDs: known),
      reading: .decodables())
  }

  fileprivate func closureLoop(
    _ level: Consistency.Level, _ hasVersion: Bool, from place: PageWalk.Checkpoint? = nil,
    _ known: [RowID] = []
  ) -> ItemWalk<Row> {
    func make<Place>(
      _ paging: ClosurePaging<Place>, _ params: @escaping @Sendable (Place) -> Params
    ) -> ItemWalk<Row> {
      ItemWalk(
        of: Row.self, paging: paging, consistency: level, from: place, knownIDs: known
      ) { [self] place in try await page(params(place), hasVersion) }
    }
    return opened(Opener(byNumber: make, bySize: make, byOffset: make, byCursor: make))
  }

  @MainActor fileprivate func plainList(_ level: Consistency.Level) -> ListModel<Row> {
    ListModel<Row>(
      server(), list.call, reading: .decodables(at: list.items), paging: list.paging, identity: .id
    ) { $0.consistency = level }
  }

  @MainActor fileprivate func closureList(_ level: Consistency.Level) -> ListModel<Row> {
    func make<Place>(
      _ paging: ClosurePaging<Place>, _ params: @escaping @Sendable (Place) -> Params
    ) -> ListModel<Row> {
      ListModel(of: Row.self, paging: paging, configure: { $0.consistency = level }) { [self] place in
        try await page(params(place), false)
      }
    }
    return opened(Opener(byNumber: make, bySize: make, byOffset: make, byCursor: make))
  }

  /// Makes a list or a loop for each kind of place.
  fileprivate struct Opener<Opened> {
    let byNumber: (ClosurePaging<Int>, @escaping @Sendable (Int) -> Params) -> Opened
    let bySize:
      (
        ClosurePaging<(number: Int, size: Int)>, @escaping @Sendable ((number: Int, size: Int)) -> Params
      ) -> Opened
    let byOffset:
      (
        ClosurePaging<(offset: Int, limit: Int)>, @escaping @Sendable ((offset: Int, limit: Int)) -> Params
      ) -> Opened
    let byCursor: (ClosurePaging<String?>, @escaping @Sendable (String?) -> Params) -> Opened
  }

  private func opened<Opened>(_ opener: Opener<Opened>) -> Opened {
    switch list.way {
    case .pages, .pagesRefusedAfterEnd: opener.byNumber(.pageNumber()) { ["page": $0] }
    case .pagesOfAnySize, .pagesOfCappedSize:
      opener.bySize(.pageNumber(size: list.pageSize)) { ["page": $0.number, "size": $0.size] }
    case .cursors, .countingCursors, .snapshots:
      opener.byCursor(.cursor) { ["cursor": $0] }
    default:
      opener.byOffset(.offset(limit: list.pageSize)) { ["offset": $0.offset, "limit": $0.limit] }
    }
  }

  /// A page as the client of a program would return it.
  private func page(_ params: Params, _ hasVersion: Bool) async throws -> Page<Row> {
    struct Body: Decodable {
      let rows: [Row]
      let next: String?
      let total: Int?
      let version: String?
    }
    let body: Body = try await server().send(Call("/rows", params: params), as: Body.self)
    return Page(
      body.rows, next: body.next, total: body.total, version: hasVersion ? body.version : nil)
  }
}
