import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support

/// A served list whose rows have stamps, and which changes before requests: rows come, change and go, some of them with
/// a stamp that is late, and some change without a new stamp.
final class StampedList: Transport {
  struct Row: Sendable {
    var id: Int
    var stamp: Int
    var version = 0
    /// The number of the change that made it so, and how late its stamp was.
    var change = 0
    var lateness = 0
  }

  enum Order: CaseIterable, Sendable { case newestFirst, oldestFirst, byID }
  enum Form: CaseIterable, Sendable { case number, date, dateWithZone }

  /// How often something happens before a request.
  struct Rates: Sendable {
    var changes = 0.0
    var faults = 0.0
    /// The share of changes that are late, and by how much at most.
    var late = 0.0
    var latest = 1
    /// The share of changes that give the row no stamp.
    var silent = 0.0
  }

  struct State: Sendable {
    var rows: [Row] = []
    var now = 1_700_000_000
    var changes = 0
    var requests = 0
    var random: SeededGenerator
    var rates = Rates()
  }

  let order: Order
  let form: Form
  let pageSize: Int
  let hasTotal: Bool
  /// Whether pages lead to each other by the place of their last row, and not by a number of rows.
  let hasCursors: Bool
  let state: Lock<State>

  init(
    rows: Int, pageSize: Int, by order: Order, _ form: Form, hasTotal: Bool,
    hasCursors: Bool = false, _ random: SeededGenerator
  ) {
    (self.order, self.form, self.pageSize) = (order, form, pageSize)
    (self.hasTotal, self.hasCursors) = (hasTotal, hasCursors)
    var state = State(random: random)
    for id in 0..<rows {
      state.now += Int.random(in: 0...9, using: &state.random)
      state.rows.append(Row(id: id, stamp: state.now))
    }
    self.state = Lock(state)
  }

  func text(_ stamp: Int) -> String {
    switch form {
    case .number: return "\(stamp)"
    case .date, .dateWithZone:
      let offset = form == .date ? 0 : 7_200
      let time = CivilTime(seconds: stamp + offset)
      return "\(time?.dayText ?? "")T\(time?.timeText ?? "")" + (offset == 0 ? "Z" : "+02:00")
    }
  }

  func stamp(_ number: Int) -> Stamp {
    guard let stamp = Stamp(text(number)) else { preconditionFailure("\(text(number)) is a stamp") }
    return stamp
  }

  func set(_ rates: Rates) { state.withLock { $0.rates = rates } }

  /// The rows in the order of the list.
  var rows: [Row] { sorted(state.withLock { $0.rows }) }
  var changes: Int { state.withLock { $0.changes } }
  var requests: Int { state.withLock { $0.requests } }

  private func sorted(_ rows: [Row]) -> [Row] { rows.sorted { place($0) < place($1) } }

  /// The place of a row in the order of the list.
  private func place(_ row: Row) -> Int {
    switch order {
    case .newestFirst: -(row.stamp * 10_000 + row.id)
    case .oldestFirst: row.stamp * 10_000 + row.id
    case .byID: row.id
    }
  }

  private static func change(_ state: inout State) {
    state.now += Int.random(in: 0...4, using: &state.random)
    guard state.random.nextUnit() < state.rates.changes else { return }
    state.changes += 1
    let isLate = state.random.nextUnit() < state.rates.late
    let lateness = isLate ? Int.random(in: 1...state.rates.latest, using: &state.random) : 0
    let stamp = state.now - lateness
    let place = state.rows.indices.randomElement(using: &state.random)
    switch (Int.random(in: 0..<5, using: &state.random), place) {
    case (0, let place?): state.rows.remove(at: place)
    case (1...2, let place?):
      state.rows[place].version += 1
      state.rows[place].change = state.changes
      guard state.random.nextUnit() >= state.rates.silent, stamp > state.rows[place].stamp else { break }
      (state.rows[place].stamp, state.rows[place].lateness) = (stamp, lateness)
    default:
      state.rows.append(
        Row(id: 1_000 + state.changes, stamp: stamp, change: state.changes, lateness: lateness))
    }
  }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let (rows, fails) = state.withLock { state in
      Self.change(&state)
      state.requests += 1
      return (state.rows, state.random.nextUnit() < state.rates.faults)
    }
    if fails { throw RequestError(.connectionLost(bytesReceived: 0, reused: false)) }
    let query = Dictionary(
      request.url.queryParams.items.map { ($0.name, $0.value.texts.first ?? "") }, uniquingKeysWith: { $1 })
    var list = sorted(rows)
    if let since = query["since"].flatMap({ Stamp($0) }) { list = list.filter { !stamp($0.stamp).isBelow(since) } }
    if let cursor = query["cursor"].flatMap({ Int($0) }) { list = list.filter { place($0) > cursor } }
    let offset = query["offset"].flatMap { Int($0) } ?? 0
    let page = list.dropFirst(offset).prefix(query["limit"].flatMap { Int($0) } ?? pageSize)
    let quote = form == .number ? "" : "\""
    let texts = page.map { row in
      #"{"id":\#(row.id),"version":\#(row.version),"at":\#(quote)\#(text(row.stamp))\#(quote)}"#
    }
    let total = hasTotal && !hasCursors ? #","total":\#(list.count)"# : ""
    let cursor = page.count < list.count ? page.last.map { "\"\(place($0))\"" } : nil
    let next = hasCursors ? #","next":\#(cursor ?? "null")"# : ""
    let transport = MockTransport { _ in .json(#"{"rows":[\#(texts.joined(separator: ","))]\#(total)\#(next)}"#) }
    return try await transport.send(request)
  }

  /// A sync that goes on from records.
  func sync(
    _ records: [[UInt8]], _ watermark: SyncWatermark?, _ level: Consistency.Level = .whole
  ) throws -> ListSync<SyncedRow> {
    let server = Server("https://test", transport: self) { $0.retry = .never }
    let paging: Paging =
      hasCursors
      ? .cursor(at: "next") : hasTotal ? .offset(limit: pageSize, endsBy: .total("total")) : .offset(limit: pageSize)
    let sync = ListSync<SyncedRow>(
      server, Call("/rows"), reading: .items(at: "rows"), paging: paging, id: "id", consistency: level,
      from: try SyncState(records: records))
    (sync.deleteLimit, sync.watermark) = (.none, watermark)
    return sync
  }
}

/// A client as most are: it reads from the top down to the highest stamp it has seen, and remembers the new one.
struct PlainWatermark {
  var rows: [Int: Int] = [:]
  private var mark: Int?
  private var number = 0

  mutating func round(_ list: StampedList) async throws {
    let server = Server("https://test", transport: list) { $0.retry = .never }
    var (offset, highest) = (0, mark)
    pages: while true {
      let response = try await server.send(
        Call("/rows", params: ["offset": offset, "limit": list.pageSize]))
      let page = try JSONDocument(response.body.bytes).root["rows"]?.elements.map { $0 } ?? []
      for row in page {
        guard let id = row["id"]?.int, let stamp = row["at"]?.int, let version = row["version"]?.int else { continue }
        highest = max(highest ?? stamp, stamp)
        if let mark, stamp <= mark { break pages }
        rows[id] = version
      }
      offset += page.count
      if page.count < list.pageSize { break }
    }
    mark = highest
  }
}
