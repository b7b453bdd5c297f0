import Foundation
import Quire
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Many loops over lists at once in a process of their own, whose rows become values of a `Decodable` type.
struct WalkCrowd {
  /// Typed loops, lists with all rows in memory, and URLSession with JSONDecoder.
  static let clients = ["loops", "models", "urlsession"]
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

  /// `crowd CLIENT URL`
  init(_ arguments: [String]) throws {
    guard arguments.count == 3, Self.clients.contains(arguments[1]) else {
      throw BenchmarkError("crowd \(Self.clients.joined(separator: "|")) URL")
    }
    let list = arguments[2]
    let server = Server(
      "http://127.0.0.1", transport: CurlTransport { $0.connectionsPerHost = Self.walks })
    switch arguments[1] {
    case "loops": walk = { try await Self.loop(server, list, $0) }
    case "models": walk = { try await Self.model(server, list, $0) }
    default:
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

  private static let paging = Paging.offset(limit: 100, endsBy: .total("data.total"))

  @concurrent private static func loop(
    _ server: Server, _ list: String, _ note: @Sendable (Double) -> Void
  ) async throws -> Int {
    let books = server.items(BookRow.self, list, at: "data.list", paging: paging)
    var start = Cost.now().wall
    while let page = try await books.nextPage() {
      guard page.report.isClean else { throw BenchmarkError("\(page.report)") }
      note(Cost.now().wall - start)
      start = Cost.now().wall
    }
    return books.count
  }

  @MainActor private static func model(
    _ server: Server, _ list: String, _ note: @Sendable (Double) -> Void
  ) async throws -> Int {
    let model = ListModel<BookRow>(
      server, list, items: "data.list", paging: paging, identity: .by { $0.id })
    while model.hasMore {
      let start = Cost.now().wall
      let outcome = await model.loadNextPage().outcome
      if case .failed(let error) = outcome { throw error }
      note(Cost.now().wall - start)
    }
    return model.count
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
