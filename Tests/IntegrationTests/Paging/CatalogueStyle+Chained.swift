import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI

extension CatalogueStyle {
  private static let size = Catalogue.size

  /// The page after a cursor such as `from350`.
  private static func offset(_ cursor: String?) -> Int {
    cursor.flatMap { Int($0.dropFirst("from".count)) } ?? 0
  }

  /// The cursors of the neighbours of a page.
  private static func cursors(
    _ offset: Int, _ catalogue: Catalogue
  ) -> (next: String?, previous: String?) {
    (
      offset + size < catalogue.count ? "from\(offset + size)" : nil,
      offset > 0 ? "from\(offset - size)" : nil
    )
  }

  private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

  /// A page with both cursors in its JSON.
  private static func page(_ offset: Int, of catalogue: Catalogue) -> LoopbackResponse {
    let (next, previous) = cursors(offset, catalogue)
    return Catalogue.page(
      catalogue.positions(from: offset),
      #""meta":{"next":\#(quoted(next)),"previous":\#(quoted(previous))}"#)
  }

  private struct CursorBody: Decodable {
    struct Key: Decodable { var behind: Int }
    var start: Key?
  }

  private static func pageNumber(_ request: LoopbackRequest) -> Int { request.number("page") ?? 1 }

  private static func host(_ request: LoopbackRequest) -> String {
    "http://" + (request.header("Host") ?? "")
  }

  /// The addresses of the neighbours of a page.
  private static func addresses(
    _ request: LoopbackRequest, _ catalogue: Catalogue, base: String
  ) -> (next: String?, previous: String?) {
    let number = pageNumber(request)
    return (
      number < catalogue.pageCount ? "\(base)?page=\(number + 1)" : nil,
      number > 1 ? "\(base)?page=\(number - 1)" : nil
    )
  }

  private static func linked(
    _ request: LoopbackRequest, _ catalogue: Catalogue, base: String, hasLast: Bool = false
  ) -> LoopbackResponse {
    let (next, previous) = addresses(request, catalogue, base: base)
    let last = hasLast && next != nil ? "\(base)?page=\(catalogue.pageCount)" : nil
    let links = [
      next.map { #"<\#($0)>; rel="next""# }, previous.map { #"<\#($0)>; rel="prev""# },
      last.map { #"<\#($0)>; rel="last""# },
    ]
    return Catalogue.page(catalogue.positions(from: (pageNumber(request) - 1) * size))
      .with("Link", links.compactMap(\.self).joined(separator: ", "))
  }

  private static func addressed(
    _ request: LoopbackRequest, _ catalogue: Catalogue, base: String
  ) -> LoopbackResponse {
    let (next, previous) = addresses(request, catalogue, base: base)
    return Catalogue.page(
      catalogue.positions(from: (pageNumber(request) - 1) * size),
      #""next":\#(quoted(next)),"previous":\#(quoted(previous)),"count":\#(catalogue.count)"#)
  }

  /// Pages that are addressed by the previous response.
  static let chained = [
    CatalogueStyle(
      "cursor in the JSON, sent in the query", .cursor(at: "meta.next", previous: "meta.previous"),
      middle: .call(Call("/rows", params: ["cursor": "from350"]))
    ) { request, catalogue in page(offset(request.query("cursor")), of: catalogue) },
    CatalogueStyle(
      "cursor in the JSON, sent as a header",
      .cursor(at: "meta.next", into: .header("X-Cursor"), previous: "meta.previous"),
      middle: .call(Call("/rows", headers: ["X-Cursor": "from350"]))
    ) { request, catalogue in page(offset(request.header("X-Cursor")), of: catalogue) },
    CatalogueStyle(
      "cursor that is an object, sent in the JSON of a POST",
      .cursor(at: "last", into: .body("start")), Call("/rows", method: .post)
    ) { request, catalogue in
      let body: CursorBody? = request.json()
      let rows = catalogue.positions(from: body?.start?.behind ?? 0)
      let isLast = rows.upperBound == catalogue.count
      return Catalogue.page(rows, isLast ? "" : #""last":{"behind":\#(rows.upperBound)}"#)
    },
    CatalogueStyle(
      "cursor in a header, sent in the query",
      .cursor(at: .header("X-Next-Cursor"), previous: .header("X-Previous-Cursor")),
      middle: .call(Call("/rows", params: ["cursor": "from350"]))
    ) { request, catalogue in
      let from = offset(request.query("cursor"))
      let (next, previous) = cursors(from, catalogue)
      return Catalogue.page(catalogue.positions(from: from))
        .with("X-Next-Cursor", next ?? "").with("X-Previous-Cursor", previous ?? "")
    },
    CatalogueStyle(
      "Link header with relative addresses", .link,
      middle: .call(Call("/rows", params: ["page": 8]))
    ) { request, catalogue in linked(request, catalogue, base: "/rows") },
    CatalogueStyle(
      "Link header with absolute addresses", .link,
      middle: .call(Call("/rows", params: ["page": 8]))
    ) { request, catalogue in linked(request, catalogue, base: host(request) + "/rows") },
    CatalogueStyle("Link header with the last page", .link, isCounted: true) {
      linked($0, $1, base: "/rows", hasLast: true)
    },
    CatalogueStyle(
      "next and previous address, absolute",
      .nextURL(at: "next", previous: "previous", total: "count"),
      middle: .call(Call("/rows", params: ["page": 8])), isCounted: true
    ) { request, catalogue in addressed(request, catalogue, base: host(request) + "/rows") },
    CatalogueStyle(
      "next and previous address, a query alone", .nextURL(at: "next", previous: "previous"),
      middle: .call(Call("/rows", params: ["page": 8])), isCounted: true
    ) { request, catalogue in addressed(request, catalogue, base: "") },
  ]
}
