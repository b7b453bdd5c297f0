import Quire
import QuireTesting

/// A way of paging: how the server serves it, how Quire declares it, and how a plain client reads it.
struct ChurnWay: Sendable {
  static let pageSize = 20

  let name: String
  /// The changes that the table shows for it.
  let kinds: [ChurnKind]
  let served: ServedList.Way
  var total = ServedList.Total.absent
  var call = Call("/rows")
  var items: JSONPath = "rows"
  let paging: Paging
  /// How much Quire requests.
  var level = Consistency.Level.seams
  let read: @Sendable (inout PlainClient) async throws -> Void

  static let all = [
    ChurnWay(
      name: "page number, no total",
      kinds: [.still, .deleteAtHead, .insertAtHead, .both], served: .pages, paging: .pageNumber()
    ) { try await $0.readPages() },
    ChurnWay(
      name: "page number, with a total", kinds: ChurnKind.all, served: .pages, total: .exact,
      paging: .pageNumber(endsBy: .total("total"))
    ) { try await $0.readPages() },
    ChurnWay(
      name: "page number with a size, `whole`", kinds: ChurnKind.all, served: .pagesOfCappedSize,
      paging: .pageNumber(size: pageSize, sizeParameter: "size"), level: .whole
    ) { try await $0.readPages() },
    ChurnWay(
      name: "offset, any limit", kinds: ChurnKind.all, served: .offsets,
      paging: .offset(limit: pageSize)
    ) { try await $0.readOffsets() },
    ChurnWay(
      name: "offset, at most 20 rows", kinds: ChurnKind.few, served: .offsetsOfCappedSize,
      paging: .offset(limit: pageSize)
    ) { try await $0.readOffsets() },
    ChurnWay(
      name: "keyset by a unique key", kinds: ChurnKind.few, served: .keys,
      paging: .keyset(["key"], into: [.query("after")], isUnique: true, limit: pageSize)
    ) { try await $0.readKeys() },
    relay("Relay, cursors with a key", .relay),
    relay("Relay, cursors with a number", .countingRelay),
  ]

  private static func relay(_ name: String, _ served: ServedList.Way) -> ChurnWay {
    ChurnWay(
      name: name, kinds: ChurnKind.few, served: served,
      call: Call("/graphql", body: .json(["query": .string(PlainClient.query)])),
      items: "data.rows.nodes", paging: .relay(connection: "data.rows", size: pageSize)
    ) { try await $0.readConnection() }
  }
}
