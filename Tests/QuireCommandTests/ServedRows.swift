import Foundation
import QuireTesting

/// The rows of the servers in these tests. Their ids are in no order.
struct ServedRows: Sendable {
  static let size = 20
  var count: Int

  /// Returns the id at a position. The ids below position 1,021, a prime, are unique.
  static func id(_ position: Int) -> Int { position * 389 % 1_021 + 1 }

  var ids: [Int] { (0..<count).map(Self.id) }
  var pageCount: Int { (count + Self.size - 1) / Self.size }

  func rows(from offset: Int, _ limit: Int = size) -> Range<Int> {
    (max(0, offset)..<max(0, offset) + max(0, limit)).clamped(to: 0..<count)
  }

  static func json(_ positions: Range<Int>) -> String {
    let rows = positions.map {
      #"{"id":\#(id($0)),"position":\#($0),"price":1.10,"title":"Row \#($0)"}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  func page(_ positions: Range<Int>, _ members: String = "") -> LoopbackResponse {
    .json(#"{"rows":\#(Self.json(positions))\#(members.isEmpty ? "" : "," + members)}"#)
  }

  func page(number: Int, _ members: String = "") -> LoopbackResponse {
    page(rows(from: (number - 1) * Self.size), members)
  }
}

extension LoopbackRequest {
  /// Returns a whole number in the query.
  func number(_ name: String) -> Int? { query(name).flatMap { Int($0) } }

  /// Decodes the body, independently of the client's decoder.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}

/// A server with one kind of paging, and the options for it.
struct PagingStyle: Sendable, CustomStringConvertible {
  var description: String
  var path = "/rows"
  var options: [String]
  /// Whether the paging is detected without options.
  var isDetected = false
  var serve: @Sendable (LoopbackRequest, ServedRows) -> LoopbackResponse

  init(
    _ description: String, path: String = "/rows", _ options: String, isDetected: Bool = false,
    serve: @escaping @Sendable (LoopbackRequest, ServedRows) -> LoopbackResponse
  ) {
    self.description = description
    self.path = path
    self.options = options.split(separator: " ").map(String.init)
    self.isDetected = isDetected
    self.serve = serve
  }

  private struct Start: Decodable {
    struct Key: Decodable { var behind: Int }
    var start: Key?
  }

  private struct Query: Decodable {
    struct Variables: Decodable {
      var first: Int?
      var after: String?
    }
    var query: String
    var variables: Variables
  }

  private static func linked(
    _ request: LoopbackRequest, _ served: ServedRows, base: String
  ) -> (page: LoopbackResponse, next: String?) {
    let number = request.number("page") ?? 1
    let next = number < served.pageCount ? "\(base)?page=\(number + 1)" : nil
    return (served.page(number: number), next)
  }

  static let all: [PagingStyle] = [
    PagingStyle("page number without facts", "--paging page", isDetected: true) {
      $1.page(number: $0.number("page") ?? 1)
    },
    PagingStyle(
      "page number from 0, number of pages", "--first-page 0 --page-param p --pages meta.pages"
    ) { $1.page(number: ($0.number("p") ?? -9) + 1, #""meta":{"pages":\#($1.pageCount)}"#) },
    PagingStyle(
      "page number and number of pages", "--paging page --pages total_pages", isDetected: true
    ) {
      let number = $0.number("page") ?? 1
      return $1.page(number: number, #""page":\#(number),"total_pages":\#($1.pageCount)"#)
    },
    PagingStyle(
      "page number in the path, size in the query", path: "/rows/{page}",
      "--page-param path:page --size 20 --size-param n --paging page"
    ) { request, served in
      guard request.number("n") == ServedRows.size else { return .status(400) }
      return served.page(number: request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0)
    },
    PagingStyle("number of the next page", "--paging page --next-page meta.next") {
      let number = $0.number("page") ?? 1
      return $1.page(
        number: number, #""meta":{"next":\#(number < $1.pageCount ? "\(number + 1)" : "null")}"#)
    },
    PagingStyle("404 after the last page", "--paging page --end-status 404") {
      let number = $0.number("page") ?? 1
      return number <= max(1, $1.pageCount) ? $1.page(number: number) : .status(404)
    },
    PagingStyle(
      "facts in headers", "--paging page --next-page header:X-Next-Page --total header:X-Total",
      isDetected: true
    ) {
      let number = $0.number("page") ?? 1
      return $1.page(number: number).with(
        "X-Next-Page", number < $1.pageCount ? "\(number + 1)" : ""
      ).with("X-Total", "\($1.count)")
    },
    PagingStyle(
      "facts as JSON in a header", "--paging page --pages header:X-Pagination#pages"
    ) {
      $1.page(number: $0.number("page") ?? 1).with(
        "X-Pagination", #"{"pages":\#($1.pageCount)}"#)
    },
    PagingStyle(
      "offset, number of rows",
      "--offset-param skip --limit-param take --size 20 --total total"
    ) {
      $1.page(
        $1.rows(from: $0.number("skip") ?? -9, $0.number("take") ?? 0), #""total":\#($1.count)"#)
    },
    PagingStyle("offset and limit", "--paging offset --size 20 --total total", isDetected: true) {
      let (offset, limit) = ($0.number("offset") ?? 0, $0.number("limit") ?? 20)
      return $1.page(
        $1.rows(from: offset, limit),
        #""offset":\#(offset),"limit":\#(limit),"total":\#($1.count)"#)
    },
    PagingStyle("cursor in the body", "--cursor meta.next_cursor", isDetected: true) {
      let from = $0.query("cursor").flatMap { Int($0.dropFirst(2)) } ?? 0
      let next = from + ServedRows.size
      return $1.page(
        $1.rows(from: from),
        #""meta":{"next_cursor":\#(next < $1.count ? "\"at\(next)\"" : "null")}"#)
    },
    PagingStyle(
      "cursor that is a number, as a header", "--cursor next --cursor-into header:X-Cursor"
    ) {
      let from = $0.header("X-Cursor").flatMap { Int($0) } ?? 0
      let next = from + ServedRows.size
      return $1.page($1.rows(from: from), next < $1.count ? #""next":\#(next)"# : "")
    },
    PagingStyle(
      "cursor that is an object, in the JSON of a POST",
      "--cursor last --cursor-into body:start --body {}"
    ) {
      let body: Start? = $0.json()
      let rows = $1.rows(from: body?.start?.behind ?? 0)
      return $1.page(
        rows, rows.upperBound == $1.count ? "" : #""last":{"behind":\#(rows.upperBound)}"#)
    },
    PagingStyle("cursor in a header", "--cursor header:X-Next") {
      let from = $0.query("cursor").flatMap { Int($0) } ?? 0
      let next = from + ServedRows.size
      return $1.page($1.rows(from: from)).with("X-Next", next < $1.count ? "\(next)" : "")
    },
    PagingStyle(
      "cursor that is an object in the JSON of a header",
      "--cursor header:X-Page#next --cursor-into members:"
    ) {
      let from = $0.number("behind") ?? 0
      let next = from + ServedRows.size
      return $1.page($1.rows(from: from)).with(
        "X-Page", next < $1.count ? #"{"next":{"behind":\#(next)}}"# : "{}")
    },
    PagingStyle("Link header", "--paging link", isDetected: true) {
      let (page, next) = linked($0, $1, base: "/rows")
      return page.with("Link", next.map { #"<\#($0)>; rel="next""# } ?? "")
    },
    PagingStyle("address of the next page", "--next next", isDetected: true) {
      let number = $0.number("page") ?? 1
      let host = "http://" + ($0.header("Host") ?? "")
      let next = linked($0, $1, base: host + "/rows").next
      return $1.page(number: number, #""next":\#(next.map { "\"\($0)\"" } ?? "null")"#)
    },
    PagingStyle("link in an array of relations", "--next rel:next@links") {
      let next = linked($0, $1, base: "").next
      let links = next.map { #"{"rel":"next","href":"\#($0)"}"# } ?? ""
      return $1.page(
        number: $0.number("page") ?? 1, #""links":[\#(links)]"#)
    },
    PagingStyle(
      "values of the last row", "--keyset position=behind,id=query:behind_id --size 20"
    ) { request, served in
      let behind = request.number("behind")
      guard behind.map(ServedRows.id) == request.number("behind_id") else { return .status(400) }
      return served.page(
        served.rows(from: behind.map { $0 + 1 } ?? 0, request.number("limit") ?? 0))
    },
    PagingStyle(
      "Relay", "--paging relay --connection data.rows --size 20 --body {\"query\":\"q\"}"
    ) { request, served in
      guard request.method == "POST", let body: Query = request.json() else { return .status(400) }
      let start = body.variables.after.flatMap { Int($0) }.map { $0 + 1 } ?? 0
      let rows = served.rows(from: start, body.variables.first ?? 0)
      return .json(
        """
        {"data":{"rows":{"nodes":\(ServedRows.json(rows)),"pageInfo":{"hasNextPage":\
        \(rows.upperBound < served.count),"endCursor":"\(rows.upperBound - 1)"}}}}
        """)
    },
    PagingStyle("Range", "--paging range --size 20") { request, served in
      let ends = request.header("Range")?.dropFirst("items=".count).split(separator: "-") ?? []
      guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]) else {
        return .status(400)
      }
      let rows = served.rows(from: first, last - first + 1)
      guard !rows.isEmpty else { return .status(416) }
      var response = served.page(rows)
        .with("Content-Range", "items \(rows.lowerBound)-\(rows.upperBound - 1)/\(served.count)")
      response.status = 206
      return response
    },
    PagingStyle("one response", "--paging none") { $1.page(0..<$1.count) },
  ]
}
