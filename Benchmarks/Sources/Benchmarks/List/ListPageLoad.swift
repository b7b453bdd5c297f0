import Foundation
import Quire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A page of 1,000 books from the server to the screen: requested, mapped, freed of duplicates, added to
/// the list, and reported to its delegate; against URLSession, JSONDecoder and an array that grows.
struct ListPageLoad {
  static let rounds = 11
  /// So many loads are measured in one go.
  static let count = 20
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let server = Server("http://127.0.0.1:\(yardstick.port)", transport: CurlTransport())
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    guard let url = URL(string: yardstick.list) else { throw BenchmarkError("no address") }
    let costs = try await compare(
      [
        Contestant("URLSession + JSONDecoder") {
          for _ in 0..<Self.count { try await PlainScreen().load(url, session) }
        },
        Contestant("ListModel of BaseItem") {
          for _ in 0..<Self.count {
            try await ListScreen().load(
              ListModel<BookItem>(
                server, "/list", items: "data.list", paging: .single,
                identity: .by { $0.id }))
          }
        },
        Contestant("ListModel of Decodable") {
          for _ in 0..<Self.count {
            try await ListScreen().load(
              ListModel<BookRow>(
                server, "/list", items: "data.list", paging: .single,
                identity: .by { $0.id }))
          }
        },
      ], rounds: Self.rounds)
    for who in ["URLSession + JSONDecoder", "ListModel of BaseItem", "ListModel of Decodable"] {
      report.note(
        String(
          format: "page of 1,000 rows to the delegate, %@: %.0f µs wall, %.0f µs CPU", who,
          costs.median(who, \.wall) * 1e6 / Double(Self.count),
          costs.median(who, \.cpu) * 1e6 / Double(Self.count)))
    }
    for (name, who, goal) in [
      ("BaseItem", "ListModel of BaseItem", 7.0), ("Decodable", "ListModel of Decodable", 5),
    ] {
      report.add(
        "page to the delegate, \(name): times faster than URLSession + JSONDecoder",
        costs.ratio("URLSession + JSONDecoder", to: who, what: \.wall), atLeast: goal)
    }
  }
}

/// What a program does without a list model.
@MainActor private final class PlainScreen {
  private struct Envelope: Decodable, Sendable {
    struct Content: Decodable, Sendable { var list: [BookRow] }
    var data: Content
  }

  private var books: [BookRow] = []

  func load(_ url: URL, _ session: URLSession) async throws {
    let page = try await Self.page(url, session)
    books.append(contentsOf: page)
    guard books.count == 1_000 else { throw BenchmarkError("\(books.count) rows came") }
  }

  @concurrent private nonisolated static func page(
    _ url: URL, _ session: URLSession
  ) async throws -> [BookRow] {
    let (data, _) = try await session.data(from: url)
    return try JSONDecoder().decode(Envelope.self, from: data).data.list
  }
}

/// The screen of a list: its delegate.
@MainActor private final class ListScreen<Item>: ListModelDelegate {
  private var shown = 0

  func load(_ list: ListModel<Item>) async throws {
    list.delegate = self
    let outcome = await list.refresh().outcome
    guard shown == 1_000 else { throw BenchmarkError("\(shown) rows came: \(outcome)") }
  }

  func listModel(_ model: ListModel<Item>, didChange change: ListChange) {
    shown += change.inserted.reduce(0) { $0 + $1.count }
  }
}
