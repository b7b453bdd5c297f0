import Foundation
import Quire
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Many walks at once in a process of their own, whose rows become values of a `Decodable` type.
struct WalkCrowd {
  static let walks = 200
  /// So many pages has each.
  static let pages = 25

  struct Result: Codable {
    var pagesPerSecond: Double
    /// How long half of the pages and all but one of a hundred took, in ms.
    var p50: Double
    var p99: Double
    /// The largest resident size of the process, in MiB.
    var memory: Double
  }

  /// How long pages took, in the order in which they came.
  private final class Notes: Sendable {
    private let times = Mutex<[Double]>([])
    func add(_ time: Double) { times.withLock { $0.append(time) } }
    var sorted: [Double] { times.withLock { $0.sorted() } }
  }

  private let walk: @Sendable (_ note: @escaping @Sendable (Double) -> Void) async throws -> Int

  /// `crowd quire|urlsession URL`
  init(_ arguments: [String]) throws {
    guard arguments.count == 3 else { throw BenchmarkError("crowd quire|urlsession URL") }
    let list = arguments[2]
    if arguments[1] == "quire" {
      let server = Server(
        "http://127.0.0.1", transport: CurlTransport { $0.connectionsPerHost = Self.walks })
      walk = { try await Self.quire(server, list, $0) }
    } else {
      let session = RequestBenchmark.session(Self.walks)
      walk = { try await Self.urlSession(session, list, $0) }
    }
  }

  func print() async throws {
    let start = Cost.now().wall
    let notes = Notes()
    let rows = try await withThrowingTaskGroup(of: Int.self) { [walk] group in
      for _ in 0..<Self.walks {
        group.addTask { try await walk { notes.add($0) } }
      }
      return try await group.reduce(0, +)
    }
    let time = Cost.now().wall - start
    guard rows == Self.walks * Self.pages * 100 else { throw BenchmarkError("\(rows) rows came") }
    let sorted = notes.sorted
    let result = Result(
      pagesPerSecond: Double(sorted.count) / time, p50: sorted[sorted.count / 2] * 1e3,
      p99: sorted[sorted.count * 99 / 100] * 1e3, memory: Double(peakMemory()) / 1024)
    Swift.print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
  }

  @concurrent private static func quire(
    _ server: Server, _ list: String, _ note: @Sendable (Double) -> Void
  ) async throws -> Int {
    let walk = PageWalk(
      server, Call(list), items: "data.list",
      paging: .offset(limit: 100, endsBy: .total("data.total")))
    let decoder = ItemDecoder()
    var count = 0
    var start = Cost.now().wall
    while let page = try await walk.next() {
      let rows = try page.rows.map { try decoder.decode(BookRow.self, from: $0) }
      count += rows.count
      note(Cost.now().wall - start)
      start = Cost.now().wall
    }
    return count
  }

  @concurrent private static func urlSession(
    _ session: URLSession, _ list: String, _ note: @Sendable (Double) -> Void
  ) async throws -> Int {
    struct Page: Decodable {
      struct Content: Decodable { var list: [BookRow] }
      var data: Content
    }
    var count = 0
    for page in 0..<pages {
      let start = Cost.now().wall
      guard let url = URL(string: "\(list)?limit=100&offset=\(page * 100)") else { break }
      let (data, _) = try await session.data(from: url)
      count += try JSONDecoder().decode(Page.self, from: data).data.list.count
      note(Cost.now().wall - start)
    }
    return count
  }
}
