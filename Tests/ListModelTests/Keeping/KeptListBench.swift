import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport

@testable import ListModel
@testable import ListReading

/// Lists of one server that are kept in one store, one after the other.
@MainActor final class KeptListBench {
  let store = TestCacheStore()
  let transport: MockTransport
  let clock = ManualClock()
  var policy = DuplicatePolicy.keepFirst
  var paging = Paging.pageNumber(size: 3, first: 0, endsBy: .hasNext("more"))
  var partition: String?
  var version = 0
  var window: ListWindow?

  init(_ transport: MockTransport) { self.transport = transport }

  /// Returns a list with this many full pages of three rows.
  convenience init(pages: Int) {
    self.init(
      MockTransport { request in
        .json(ListBench.page(request.query["page"].flatMap { Int($0) } ?? 0, of: pages))
      })
  }

  func server() -> Server {
    Server("https://test", transport: transport) {
      $0.retry = .never
      $0.time = clock.timeSource
      $0.cachePartition = partition
    }
  }

  func list(
    _ address: String = "/rows", configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) -> ListModel<Row> {
    ListModel<Row>(server(), address, items: "rows", paging: paging) {
      $0.duplicates = policy
      $0.window = window
      $0.prefetchDistance = 0
      $0.keeping = ListKeeping(in: store, version: version)
      configure(&$0)
    }
  }

  /// The rows that a new list restores.
  func restored() async -> [Int] {
    let list = list()
    _ = await list.restore().outcome
    return list.ids
  }

  var requestedPages: [String] { transport.requests.map { $0.query["page"] ?? "-" } }
}

extension ListModel<Row> {
  var ids: [Int] { (0..<rows.count).map { rows.row(at: $0)?.item?.id ?? -1 } }
}
