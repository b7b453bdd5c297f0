internal import ItemMapping
package import ListReading
package import QuireTesting
package import ServerAPI
internal import Support

/// A served list that changes before requests, and fails some of them, as long as the test wants it.
package final class ChurningList: Transport {
  private struct Churn: Sendable {
    var random: SeededGenerator
    var changes = 0.0
    var faults = 0.0
  }

  package let run: ServedRun
  private let churn: Lock<Churn>

  package init(_ list: ServedList, _ random: SeededGenerator) {
    run = ServedRun(list)
    churn = Lock(Churn(random: random))
  }

  package func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
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

  package func setRates(changes: Double, faults: Double) {
    churn.withLock { ($0.changes, $0.faults) = (changes, faults) }
  }

  package var paging: Paging {
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

  package static let ways: [ServedList.Way] = [
    .pages, .pagesOfAnySize, .pagesOfCappedSize, .offsets, .offsetsOfCappedSize, .keys, .cursors, .snapshots,
  ]
}
