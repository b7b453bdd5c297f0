import FoundationEssentials
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI

/// A row of the catalog.
struct CatalogueRow: Decodable, Identifiable, Equatable, Sendable {
  let id: Int
}

/// The rows of every server in these tests, in an order that is neither ascending nor descending, so
/// that misplaced rows show.
struct Catalogue: Sendable {
  /// The number of rows per page.
  static let size = 50
  let count: Int

  /// The id at a position. All are different below 1,021, which is a prime.
  static func id(_ position: Int) -> Int { position * 389 % 1_021 + 1 }

  var ids: [Int] { (0..<count).map(Self.id) }
  var pageCount: Int { (count + Self.size - 1) / Self.size }
  var isLastPageFull: Bool { count % Self.size == 0 }

  /// The positions on the page after this many rows.
  func positions(from offset: Int, _ limit: Int = size) -> Range<Int> {
    (offset..<offset + max(0, limit)).clamped(to: 0..<count)
  }

  /// Rows as JSON.
  static func rows(_ positions: Range<Int>) -> String {
    let rows = positions.map { #"{"id":\#(id($0)),"position":\#($0),"title":"Row \#($0)"}"# }
    return "[\(rows.joined(separator: ","))]"
  }

  /// A page with rows and, around them, other members.
  static func page(_ positions: Range<Int>, _ members: String = "") -> LoopbackResponse {
    .json(#"{"rows":\#(rows(positions))\#(members.isEmpty ? "" : "," + members)}"#)
  }
}

extension LoopbackRequest {
  /// A whole number in the query.
  func number(_ name: String) -> Int? { query(name).flatMap { Int($0) } }

  /// The body, decoded by another decoder than the client's.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}

/// A list over libcurl.
@MainActor func catalogueList(
  _ loopback: LoopbackServer, _ call: Call = Call("/rows"), items: JSONPath = "rows",
  paging: Paging, transport: any Transport = CurlTransport(),
  configure: (inout ListSettings<CatalogueRow>) -> Void = { _ in }
) -> ListModel<CatalogueRow> {
  let server = Server(loopback.baseURL, transport: transport) { $0.retry = .never }
  return ListModel(
    server, call, reading: .decodables(at: items), paging: paging, identity: .id,
    configure: configure)
}

extension ListModel<CatalogueRow> {
  /// The ids of all rows.
  var ids: [Int] { rows.items.map(\.id) }
}
