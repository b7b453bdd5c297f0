import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Two programs that keep the same list in one store, and that are ended at any moment.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SharedKeepingTests {
  @Test func `lists of two programs restore rows without holes, whatever the store has of them`()
    async throws
  {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(20, full: 5_000)) {
      let world = SharedKeepingWorld(seeded, LoggedStore())
      for _ in 0..<30 where world.problem == nil { await world.step() }
      if world.problem == nil { await world.end() }
      guard let problem = world.problem else { continue }
      Issue.record("\(seeded): \(problem) after \(world.steps) with \(world.paging)")
      return
    }
  }

  @Test func `so they do with a database each`() async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(8, full: 300)) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let world = SharedKeepingWorld(
        seeded, SQLiteCacheStore(folder: folder), SQLiteCacheStore(folder: folder))
      for _ in 0..<30 where world.problem == nil { await world.step() }
      if world.problem == nil { await world.end() }
      guard let problem = world.problem else { continue }
      Issue.record("\(seeded): \(problem) after \(world.steps) with \(world.paging)")
      return
    }
  }
}

/// A store that can lose what was written last, as if the program had been killed.
private final class LoggedStore: CacheStore {
  private enum Write {
    case put(CacheEntry)
    case remove(CacheSelection)
  }

  private let log = Lock<[Write]>([])
  private let store = Lock(TestCacheStore())

  var salt: [UInt8] { [1] }
  var problems: [CacheProblem] { [] }
  var writes: Int { log.withLock { $0.count } }

  func entries(for key: CacheKey) -> [CacheEntry] { store.withLock { $0 }.entries(for: key) }

  func put(_ entry: CacheEntry) {
    log.withLock { $0.append(.put(entry)) }
    store.withLock { $0 }.put(entry)
  }

  func remove(_ selection: CacheSelection) {
    log.withLock { $0.append(.remove(selection)) }
    store.withLock { $0 }.remove(selection)
  }

  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] { [] }
  func flush() async {}

  /// Undoes the last writes.
  func lose(_ count: Int) {
    let left = log.withLock { log in
      log.removeLast(min(count, log.count))
      return log
    }
    let fresh = TestCacheStore()
    for write in left {
      switch write {
      case .put(let entry): fresh.put(entry)
      case .remove(let selection): fresh.remove(selection)
      }
    }
    store.withLock { $0 = fresh }
  }
}

/// Two lists of a server whose rows stay, in one store.
@MainActor private final class SharedKeepingWorld {
  private var random: SeededGenerator
  private let stores: [any CacheStore]
  private var versions = [0, 0]
  private var lists: [ListModel<Row>] = []
  private var loads: [Load] = []
  let paging: Paging
  private let window: ListWindow?
  private let transport: MockTransport
  private(set) var steps: [String] = []
  private(set) var problem: String?

  init(_ seeded: SeededGenerator, _ stores: any CacheStore...) {
    random = seeded
    self.stores = stores
    let failures = Lock(seeded)
    transport = MockTransport { request in
      let isBroken = failures.withLock { Int.random(in: 0..<12, using: &$0) == 0 }
      if isBroken, request.headers["quiet"] == nil { return .failure(.connectRefused) }
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      let offset = request.query["offset"].flatMap { Int($0) } ?? number * 3
      let more = offset + 3 < 24
      let next = more ? #""/rows?page=\#(offset / 3 + 1)""# : "null"
      return .json(
        page(offset..<min(24, offset + 3), #""more":\#(more),"total":24,"next":\#(next)"#))
    }
    let ways: [Paging] = [
      .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")),
      .offset(limit: 3, endsBy: .total("total")), .automatic,
    ]
    paging = ways[Int.random(in: 0..<3, using: &random)]
    window = Bool.random(using: &random) ? .rows(9) : nil
    lists = [list(0), list(1)]
  }

  private func list(_ number: Int, isQuiet: Bool = false) -> ListModel<Row> {
    ListModel<Row>(
      Server("https://test", transport: transport) {
        $0.retry = .never
        $0.cachePartition = "user"
        if isQuiet { $0.headers["quiet"] = "1" }
      }, "/rows", items: "rows", paging: paging
    ) {
      $0.window = window
      $0.prefetchDistance = 0
      $0.keeping = ListKeeping(in: store(number), as: "list", version: versions[number])
    }
  }

  private func store(_ number: Int) -> any CacheStore { stores[number % stores.count] }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  func step() async {
    let one = number(2)
    let text = await act(one)
    steps.append("\(one): \(text)")
    check(lists[one])
    if number(3) == 0, let load = loads.last { _ = await load.outcome }
    if number(4) == 0 { await Task.yield() }
  }

  private func act(_ one: Int) async -> String {
    let list = lists[one]
    switch number(20) {
    case 0..<2:
      loads.append(list.refresh())
      return "refresh"
    case 2..<9:
      loads.append(list.loadNextPage())
      return "next"
    case 9..<11:
      loads.append(list.loadPreviousPage())
      return "previous"
    case 11:
      let page = number(6)
      loads.append(list.loadPage(page))
      return "page \(page)"
    case 12:
      let row = number(24)
      list.rowsWillAppear(row..<row + 3)
      return "see \(row)"
    case 13:
      store(one).remove(CacheSelection())
      return "clear"
    case 14:
      versions[one] = number(2)
      return "version"
    case 15:
      await store(one).flush()
      return "flush"
    case 16:
      if let store = store(one) as? LoggedStore {
        lists[one] = self.list(one)
        store.lose(number(8))
        return "killed"
      }
      return "-"
    default: return await relaunch(one)
    }
  }

  private func relaunch(_ one: Int) async -> String {
    let list = list(one)
    lists[one] = list
    let load = list.restore()
    loads.append(load)
    guard number(3) > 0 else { return "restoring" }
    switch await load.outcome {
    case .replaced, .notNeeded, .cancelled: break
    case let outcome: note("a restore ended as \(outcome)")
    }
    return "restored \(list.ids)"
  }

  private func check(_ list: ListModel<Row>) {
    // Rows of evicted pages are not there, but have a place.
    let ids = list.ids
    guard let first = ids.enumerated().first(where: { $0.element >= 0 }) else { return }
    let start = first.element - first.offset
    for (place, id) in ids.enumerated() where id >= 0 && id != start + place {
      note("rows are \(ids)")
    }
  }

  func end() async {
    for load in loads { _ = await load.outcome }
    for one in 0..<2 {
      let list = list(one, isQuiet: true)
      _ = await list.restore().outcome
      check(list)
      let restored = list.ids
      var outcome = await list.loadAll()
      if case .reachedEnd(.complete) = outcome {
      } else if !restored.isEmpty {
        note("the list restored as \(restored) goes on to \(outcome): \(list.ids)")
      }
      while case .prepended = await list.loadPreviousPage().outcome {}
      check(list)
      _ = await list.refresh().outcome
      outcome = await list.loadAll()
      if outcome != .reachedEnd(.complete) { note("the list ended as \(outcome)") }
      if list.count != 24 { note("rows are \(list.ids)") }
      check(list)
      await store(one).flush()
      lists[one] = list
    }
  }

  private func note(_ text: String) { if problem == nil { problem = text } }
}
