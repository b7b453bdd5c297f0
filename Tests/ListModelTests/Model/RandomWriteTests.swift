import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Lists and a value of one server, which are refreshed while the program writes at any time.
@MainActor @Suite(.timeLimit(.minutes(5))) struct RandomWriteTests {
  @Test func `what is refreshed after a write has what was written`() async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(60, full: 10_000)) {
      let world = WriteWorld(seeded)
      for _ in 0..<40 where world.problem == nil { await world.step() }
      await world.end()
      guard let problem = world.problem else { continue }
      Issue.record("\(seeded): \(problem) after \(world.steps)")
      return
    }
  }
}

/// A row with the number of writes when it was read.
private struct Edition: Decodable, Identifiable, Sendable {
  var id: Int
  var writes: Int
}

/// A server that counts writes. Each response has the count at the arrival of its request, and is sent later.
private final class WrittenServer: Sendable {
  let writes = Lock(0)
  /// The gates of the responses that are held.
  let gates = Lock<[Gate]>([])

  func respond(to request: HTTPRequest) -> MockResponse {
    let isRead = request.method == .get
    let count = writes.withLock { count in
      if !isRead { count += 1 }
      return count
    }
    let gate = Gate()
    gates.withLock { $0.append(gate) }
    guard isRead else { return .text("\(count)").held(by: gate) }
    let row = { (id: Int) in #"{"id":\#(id),"writes":\#(count)}"# }
    let offset = request.query["offset"].flatMap { Int($0) } ?? 0
    let rows = (offset..<min(9, offset + 3)).map(row).joined(separator: ",")
    return MockResponse.json(#"{"rows":[\#(rows)],"total":9,"id":0,"writes":\#(count)}"#)
      .headers(["ETag": "\"\(count)\"", "Cache-Control": "max-age=9"]).held(by: gate)
  }
}

@MainActor private final class WriteWorld {
  private var random: SeededGenerator
  private let backend = WrittenServer()
  private let server: Server
  private let lists: [ListModel<Edition>]
  private let value: BaseModel<Edition>
  /// The number of writes that are known to be done.
  private var done = 0
  private var tasks: [Task<Void, Never>] = []
  private(set) var steps: [String] = []
  private(set) var problem: String?

  init(_ seeded: SeededGenerator) {
    random = seeded
    let isCached = Bool.random(using: &random)
    server = Server(
      "https://test", transport: MockTransport { [backend] in backend.respond(to: $0) }
    ) {
      $0.retry = .never
      if isCached { $0.cache = HTTPCache() }
    }
    let policies: [CachePolicy] = [
      .standard, .networkOnly, .networkElseCache, .cacheElseNetwork, .cacheThenNetwork,
    ]
    let policy = policies[Int.random(in: 0..<5, using: &random)]
    lists = (0..<2).map { [server] number in
      ListModel<Edition>(
        number == 0 ? server : server.with { $0.timeouts.total = .seconds(50) }, "/rows",
        items: "rows", paging: .offset(limit: 3, endsBy: .total("total"))
      ) { $0.cachePolicy = policy }
    }
    value = BaseModel(BaseServerAPI(server, "/rows/0"))
    value.cachePolicy = policy
  }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  func step() async {
    steps.append(act())
    for _ in 0..<number(30) { await Task.yield() }
  }

  private func act() -> String {
    let place = number(2)
    let list = lists[place]
    switch number(22) {
    case 0..<5:
      let mode = [RefreshMode.replace, .keepVisible, .splice][number(3)]
      let isFirst = !list.hasLoaded
      let load = list.refresh(mode)
      expect(done, unless: isFirst) {
        guard case .replaced = await load.outcome else { return nil }
        return list.rows.items.first?.writes
      }
      return "\(place) refreshes \(mode), expecting \(done)"
    case 5..<7:
      list.loadNextPage()
      return "\(place) next"
    case 7:
      list.cancel()
      return "\(place) cancels"
    case 8:
      if number(3) == 0 { list.reset() }
      return "\(place) resets, perhaps"
    case 9..<11:
      let isFirst = value.value == nil
      let known = done
      value.load { [weak self] outcome in
        guard case .loaded(let row) = outcome, !isFirst, row.writes < known else { return }
        self?.note("the value of \(row.writes) came after \(known)")
      }
      return "value, expecting \(done)"
    case 11..<14:
      let writer = number(3) == 0 ? server.with { $0.headers["X"] = "1" } : server
      let address = number(2) == 0 ? "/rows/0" : "/rows"
      tasks.append(
        Task { [weak self] in
          let text = try? await writer.send(Call(address, method: .put)).text()
          if let self, let count = text.flatMap({ Int($0) }) { done = max(done, count) }
        })
      return "write \(address)"
    case 14:
      guard let id = list.rows.items.randomElement(using: &random)?.id,
        let edit = try? list.edit(.move(RowID(id), to: .end))
      else { return "-" }
      // Another program writes, of which this one knows by the edit.
      let count = backend.writes.withLock { count in
        count += 1
        return count
      }
      list.confirm(edit)
      let load = list.refresh()
      expect(count, unless: false) {
        guard case .replaced = await load.outcome else { return nil }
        return list.rows.items.first?.writes
      }
      return "\(place) confirms \(count)"
    case 15..<17:
      tasks.append(Task { _ = try? await list.checkForNewRows() })
      return "\(place) probes"
    default:
      let gates = backend.gates.withLock { gates in
        defer { gates = [] }
        return gates
      }
      for gate in gates {
        if number(2) == 0 { gate.open() } else { backend.gates.withLock { $0.append(gate) } }
      }
      return "responses"
    }
  }

  /// Expects rows of a number of writes at least. A first load may show what is stored.
  private func expect(
    _ known: Int, unless isExempt: Bool, _ loaded: @escaping @MainActor () async -> Int?
  ) {
    tasks.append(
      Task { [weak self] in
        guard let writes = await loaded(), !isExempt, writes < known else { return }
        self?.note("rows of \(writes) came after \(known)")
      })
  }

  func end() async {
    let opening = Task { [backend] in
      while !Task.isCancelled {
        for gate in backend.gates.withLock({ $0 }) { gate.open() }
        await Task.yield()
      }
    }
    for task in tasks { await task.value }
    // A first load may show what is stored, a refresh of it may not.
    for list in lists + lists { _ = await list.refresh().outcome }
    for _ in 0..<2 { _ = await value.run() }
    opening.cancel()
    let count = backend.writes.withLock { $0 }
    for list in lists where list.rows.items.first?.writes != count {
      note("the last rows are of \(list.rows.items.map(\.writes)), not \(count)")
    }
    if value.value?.writes != count { note("the last value is not of \(count)") }
  }

  private func note(_ text: String) { if problem == nil { problem = text } }
}
