import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI

extension CatalogueStyle {
  private static let size = Catalogue.size

  private struct Query: Decodable {
    struct Variables: Decodable {
      var first: Int?
      var after: String?
      var last: Int?
      var before: String?
    }
    var query: String
    var variables: Variables
  }

  private static let query = Call(
    "/graphql",
    body: .bytes(Array(#"{"query":"query { rows }"}"#.utf8), contentType: "application/json"))

  /// A Relay connection whose cursors are positions, such as `at49`.
  private static func connection(
    _ request: LoopbackRequest, _ catalogue: Catalogue
  ) -> LoopbackResponse {
    guard request.method == "POST", let body: Query = request.json(), !body.query.isEmpty else {
      return .status(400)
    }
    func position(_ cursor: String?) -> Int? { cursor.flatMap { Int($0.dropFirst("at".count)) } }
    let rows: Range<Int>
    switch (body.variables.first, body.variables.last) {
    case (let first?, nil):
      let start = position(body.variables.after).map { $0 + 1 } ?? 0
      rows = catalogue.positions(from: start, first)
    case (nil, let last?):
      let end = position(body.variables.before) ?? catalogue.count
      rows = max(0, end - last)..<end
    default: return .status(400)
    }
    return .json(
      """
      {"data":{"rows":{"nodes":\(Catalogue.rows(rows)),"totalCount":\(catalogue.count),\
      "pageInfo":{"hasNextPage":\(rows.upperBound < catalogue.count),\
      "hasPreviousPage":\(rows.lowerBound > 0),\
      "startCursor":"at\(rows.lowerBound)","endCursor":"at\(rows.upperBound - 1)"}}}}
      """)
  }

  /// All other ways of paging.
  static let others = [
    CatalogueStyle(
      "keyset of two fields of the last row",
      .keyset(["position", "id"], into: ["behind", "behind_id"], limit: size), ending: .shortPage
    ) { request, catalogue in
      let behind = request.number("behind")
      guard behind.map(Catalogue.id) == request.number("behind_id") else { return .status(400) }
      return Catalogue.page(
        catalogue.positions(from: behind.map { $0 + 1 } ?? 0, request.number("limit") ?? 0))
    },
    CatalogueStyle(
      "Relay, forward", .relay(connection: "data.rows", size: size), query,
      items: "data.rows.nodes", serve: connection),
    CatalogueStyle(
      "two closures",
      .custom(first: PageKey(.number(0))) { key, call in
        guard case .number(let number) = key.place else { return }
        call.params["chapter"] = "\(number)"
      } facts: { response in
        guard case .number(let number) = response.key.place, response.count == size else {
          return PageFacts(next: .end)
        }
        return PageFacts(next: .page(PageKey(.number(number + 1))))
      }, ending: .shortPage
    ) { request, catalogue in
      Catalogue.page(catalogue.positions(from: (request.number("chapter") ?? 0) * size))
    },
    CatalogueStyle("one response", .single, ending: .onlyPage) { _, catalogue in
      Catalogue.page(0..<catalogue.count)
    },
  ]

  /// A conversation: it starts with its last rows and only grows backward.
  static let backward = CatalogueStyle(
    "Relay, backward", .relay(connection: "data.rows", size: size, startsAtEnd: true), query,
    items: "data.rows.nodes", middle: .end, serve: connection)
}
