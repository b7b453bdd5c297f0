import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support

/// A row of a served list.
struct SyncedRow: ItemValue, Equatable, Sendable {
  var id = 0
  var version = 0

  static var fields: FieldTable {
    FieldTable(SyncedRow.self) { f in
      f(\.id, "id", .required)
      f(\.version, "version")
    }
  }
}

/// A served list that changes before requests, and fails some of them, as long as the test wants it.
final class ChurningList: Transport {
  struct Churn: Sendable {
    var random: SeededGenerator
    var changes = 0.0
    var faults = 0.0
  }

  let run: ServedRun
  let churn: Lock<Churn>

  init(_ list: ServedList, _ random: SeededGenerator) {
    run = ServedRun(list)
    churn = Lock(Churn(random: random))
  }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let (change, fails) = churn.withLock { churn -> (ServedList.Change?, Bool) in
      let fails = churn.random.nextUnit() < churn.faults
      guard churn.random.nextUnit() < churn.changes else { return (nil, fails) }
      let place = Int.random(in: 0..<20, using: &churn.random)
      switch Int.random(in: 0..<3, using: &churn.random) {
      case 0: return (.insert(at: place), fails)
      case 1: return (.delete(at: place), fails)
      default: return (.update(at: place), fails)
      }
    }
    if let change { run.change(change) }
    if fails { throw RequestError(.connectionLost(bytesReceived: 0, reused: false)) }
    return try await run.transport.send(request)
  }

  func setRates(changes: Double, faults: Double) {
    churn.withLock { ($0.changes, $0.faults) = (changes, faults) }
  }

  var paging: Paging {
    let (way, size) = (run.list.way, run.list.pageSize)
    let hasTotal = run.list.total != .absent
    switch way {
    case .pagesOfAnySize, .pagesOfCappedSize:
      return hasTotal
        ? .pageNumber(size: size, sizeParameter: "size", endsBy: .total("total"))
        : .pageNumber(size: size, sizeParameter: "size")
    case .offsets, .offsetsOfCappedSize:
      return hasTotal ? .offset(limit: size, endsBy: .total("total")) : .offset(limit: size)
    case .keys: return .keyset(["key"], into: [.query("after")], isUnique: true, limit: size)
    case .cursors, .snapshots: return .cursor(at: "next")
    default: return hasTotal ? .pageNumber(endsBy: .total("total")) : .pageNumber()
    }
  }

  static let ways: [ServedList.Way] = [
    .pages, .pagesOfAnySize, .pagesOfCappedSize, .offsets, .offsetsOfCappedSize, .keys, .cursors, .snapshots,
  ]

  /// A sync that goes on from records.
  func sync(_ records: [[UInt8]], _ level: Consistency.Level) throws -> ListSync<SyncedRow> {
    let server = Server("https://test", transport: self) { $0.retry = .never }
    let sync = ListSync<SyncedRow>(
      server, Call("/rows"), reading: .items(at: "rows"), paging: paging, consistency: level,
      from: try SyncState(records: records))
    sync.deleteLimit = .none
    return sync
  }
}

/// What a program has that stores a feed.
final class FeedTable {
  var rows: [Int: Int] = [:]
  var records: [[UInt8]] = []
  var receipts: [SyncReceipt] = []
  var problems: [String] = []
  /// Whether the next step fails to be stored.
  var failsNext = false

  struct Failure: Error {}

  func store(_ step: SyncStep<SyncedRow>, there: Set<Int>) throws {
    if failsNext {
      failsNext = false
      throw Failure()
    }
    for change in step.changes {
      guard case .number(let id) = change.id else { continue }
      switch change {
      case .insert(_, let row):
        if rows.updateValue(row.version, forKey: id) != nil { problems.append("\(id) is inserted twice") }
      case .update(_, let row):
        if rows.updateValue(row.version, forKey: id) == nil { problems.append("\(id) is updated and not there") }
      case .delete:
        if rows.removeValue(forKey: id) == nil { problems.append("\(id) is deleted and not there") }
        if there.contains(id) { problems.append("\(id) is reported as gone and is there") }
      }
    }
    records.append(step.record)
    if let receipt = step.receipt { receipts.append(receipt) }
  }
}
