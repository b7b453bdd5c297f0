import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI

extension CatalogueStyle {
  private static let size = Catalogue.size

  /// The members around the rows of a numbered page.
  private static func page(
    _ number: Int, of catalogue: Catalogue, _ members: String = ""
  ) -> LoopbackResponse {
    Catalogue.page(catalogue.positions(from: number * size), members)
  }

  private struct NumberBody: Decodable {
    struct Place: Decodable {
      var page: Int
      var size: Int
    }
    var paging: Place
    var shelf: String
  }

  /// Pages that are addressed by number.
  static let numbered = [
    CatalogueStyle(
      "page number, no facts", .pageNumber(size: size), ending: .shortPage, middle: .page(7)
    ) { request, catalogue in
      page((request.number("page") ?? 0) - 1, of: catalogue)
    },
    CatalogueStyle(
      "page number from 0, number of pages",
      .pageNumber(size: size, first: 0, endsBy: .pageCount("meta.pages")), middle: .page(7)
    ) { request, catalogue in
      page(
        request.number("page") ?? -1, of: catalogue, #""meta":{"pages":\#(catalogue.pageCount)}"#)
    },
    CatalogueStyle(
      "page number in the path, only an empty page ends",
      .pageNumber(size: size, parameter: .path("page"), endsBy: .emptyPage), Call("/rows/{page}"),
      ending: .emptyPage, middle: .page(7)
    ) { request, catalogue in
      page((request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0) - 1, of: catalogue)
    },
    CatalogueStyle(
      "page number in the JSON of a POST, number of rows",
      .pageNumber(
        size: size, parameter: .body("paging.page"), sizeParameter: .body("paging.size"),
        endsBy: .total("meta.total")),
      Call(
        "/rows", method: .post,
        body: .bytes(Array(#"{"shelf":"A"}"#.utf8), contentType: "application/json")),
      middle: .page(7), isCounted: true
    ) { request, catalogue in
      guard let body: NumberBody = request.json(), body.shelf == "A", body.paging.size == size
      else { return .status(400) }
      return page(
        body.paging.page - 1, of: catalogue, #""meta":{"total":\#(catalogue.count)}"#)
    },
    CatalogueStyle(
      "page number from 0, number of the last page",
      .pageNumber(size: size, first: 0, endsBy: .lastPage("last")), middle: .page(7)
    ) { request, catalogue in
      page(request.number("page") ?? -1, of: catalogue, #""last":\#(catalogue.pageCount - 1)"#)
    },
    CatalogueStyle(
      "page number, has next", .pageNumber(size: size, endsBy: .hasNext("more")), middle: .page(7)
    ) { request, catalogue in
      let number = (request.number("page") ?? 0) - 1
      return page(number, of: catalogue, #""more":\#(number + 1 < catalogue.pageCount)"#)
    },
    CatalogueStyle(
      "page number, number of the next page",
      .pageNumber(size: size, endsBy: .nextPage("meta.next")), middle: .page(7)
    ) { request, catalogue in
      let number = request.number("page") ?? 0
      let next = number < catalogue.pageCount ? "\(number + 1)" : "null"
      return page(number - 1, of: catalogue, #""meta":{"next":\#(next)}"#)
    },
    CatalogueStyle(
      "page number, 404 after the last page", .pageNumber(size: size, endsBy: .status(404)),
      ending: .shortPage, middle: .page(7)
    ) { request, catalogue in
      let number = (request.number("page") ?? 0) - 1
      return number < max(1, catalogue.pageCount) ? page(number, of: catalogue) : .status(404)
    },
    CatalogueStyle(
      "page number, facts in headers", .pageHeaders(size: size), middle: .page(7), isCounted: true
    ) { request, catalogue in
      let number = request.number("page") ?? 0
      return page(number - 1, of: catalogue)
        .with("X-Next-Page", number < catalogue.pageCount ? "\(number + 1)" : "")
        .with("X-Total", "\(catalogue.count)").with("X-Total-Pages", "\(catalogue.pageCount)")
    },
  ]

  /// Pages that are addressed by the number of rows before them.
  static let counted = [
    CatalogueStyle(
      "offset, no facts", .offset(limit: size), ending: .shortPage, middle: .page(7)
    ) { request, catalogue in
      Catalogue.page(
        catalogue.positions(from: request.number("offset") ?? 0, request.number("limit") ?? 0))
    },
    CatalogueStyle(
      "offset, number of rows",
      .offset(limit: size, parameter: "skip", limitParameter: "take", endsBy: .total("total")),
      middle: .page(7), isCounted: true
    ) { request, catalogue in
      Catalogue.page(
        catalogue.positions(from: request.number("skip") ?? 0, request.number("take") ?? 0),
        #""total":\#(catalogue.count)"#)
    },
    CatalogueStyle(
      "Range, total known", .range(size: size), middle: .page(7), isCounted: true
    ) { request, catalogue in range(request, catalogue, total: "\(catalogue.count)") },
    CatalogueStyle(
      "Range, total unknown", .range(size: size), ending: .shortPage, middle: .page(7)
    ) { request, catalogue in range(request, catalogue, total: "*") },
  ]

  /// 206 with rows, or 416 where there are none.
  private static func range(
    _ request: LoopbackRequest, _ catalogue: Catalogue, total: String
  ) -> LoopbackResponse {
    let ends = request.header("Range")?.dropFirst("items=".count).split(separator: "-") ?? []
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]) else {
      return .status(400)
    }
    let rows = catalogue.positions(from: first, last - first + 1)
    guard !rows.isEmpty else {
      return .status(416).with("Content-Range", "items */\(catalogue.count)")
    }
    var response = Catalogue.page(rows)
      .with("Content-Range", "items \(rows.lowerBound)-\(rows.upperBound - 1)/\(total)")
    response.status = 206
    return response
  }
}
