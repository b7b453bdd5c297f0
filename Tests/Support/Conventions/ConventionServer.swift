import Foundation
package import ItemMapping
package import QuireTesting
package import ServerAPI
import Support

/// Plays a convention: responds to requests as its server would, without a network.
///
/// The rows are numbered from 1. Parameters that the server doesn't know are ignored, or refused where it is strict.
package final class ConventionServer: Sendable {
  package let convention: Convention
  package let rows: [JSONAny]
  private let size: Int
  private let first: Int
  private let kind: String
  private let place: String
  private let sizePlace: String?
  private let log = Lock<[String]>([])

  package init(_ convention: Convention) {
    self.convention = convention
    let template = convention.spec["row"] ?? ["id": "{n}", "name": "Row {n}"]
    rows = (1...(convention.number("rows") ?? 23)).map {
      ConventionTemplate(values: ["n": .int($0)]).fill(template) ?? .null
    }
    size = convention.number("size") ?? 5
    let words = convention.words("place")
    kind = words.first ?? ""
    place = words.last ?? ""
    first = convention.number("first") ?? (kind == "number" ? 1 : 0)
    sizePlace = convention.text("sizeParameter")
  }

  /// The addresses and bodies that were requested.
  package var requests: [String] { log.withLock { $0 } }

  package var transport: MockTransport { MockTransport { self.respond($0) } }

  package func respond(_ request: HTTPRequest) -> MockResponse {
    let sent = Sent(request)
    log.withLock { $0.append(request.url.description + (sent.text.isEmpty ? "" : " " + sent.text)) }
    if convention.body != nil, request.method != .post { return .status(405) }
    if convention.flag("strict"), let other = unknownParameter(in: sent) {
      return .json(#"{"error":"unknown parameter \#(other)"}"#, status: 400)
    }
    var page = Page(offset: 0, size: size, count: 0)
    if let text = sizePlace.flatMap(sent.value)?.plain {
      guard let asked = Int(text), asked > 0 else { return .status(400) }
      page.size = min(asked, convention.number("largest") ?? 1000)
    }
    guard find(&page, sent) else { return .status(400) }
    if page.offset >= rows.count, page.offset > 0 {
      switch convention.spec["beyond"] {
      case .int(let status)?: return .json(#"{"error":"no such page"}"#, status: status)
      case .string("last")?: page.offset = (rows.count - 1) / page.size * page.size
      default: break
      }
    }
    page.count = max(0, min(page.size, rows.count - page.offset))
    return response(page, sent)
  }

  private func unknownParameter(in sent: Sent) -> String? {
    let known =
      Sent.pairs(in: convention.address).map(\.name) + [place, sizePlace ?? ""]
      + convention.words("accepts")
    return sent.query.map(\.name).first { !known.contains($0) }
  }

  // MARK: - Place

  private struct Page {
    var offset: Int
    var size: Int
    var count: Int
    var end: Int { offset + count }
  }

  /// Finds which page is requested. Returns false where the request is invalid.
  private func find(_ page: inout Page, _ sent: Sent) -> Bool {
    if kind == "range" {
      let ends = sent.headers["Range"]?.split(separator: "=").last?.split(separator: "-") ?? []
      guard ends.count == 2, let from = Int(ends[0]), let to = Int(ends[1]) else { return true }
      (page.offset, page.size) = (from, min(size, to - from + 1))
      return true
    }
    guard let value = sent.value(place), value.plain != "",
      value.plain != convention.text("initial")
    else { return true }
    switch kind {
    case "number":
      guard let number = Int(value.plain), number >= 0 else { return false }
      page.offset = max(0, number - first) * page.size
    case "offset":
      guard let number = Int(value.plain), number >= 0 else { return false }
      page.offset = max(0, number - first)
    default:
      let known = (0...rows.count).first { token(after: $0)?.plain == value.plain }
      guard let known else { return false }
      page.offset = known
    }
    return true
  }

  private func token(after offset: Int) -> JSONAny? {
    ConventionTemplate(values: [
      "offset": .int(offset), "key": .int(offset), "page": .int(offset / size + first),
    ]).fill(convention.spec["token"] ?? "c{offset}")
  }

  // MARK: - Response

  private func response(_ page: Page, _ sent: Sent) -> MockResponse {
    let template = ConventionTemplate(values: values(of: page, sent)) { form, which in
      self.address(form, which, page, sent)
    }
    var headers: HTTPHeaders = [:]
    if convention.text("type") != "" {
      headers["Content-Type"] = convention.text("type") ?? "application/json"
    }
    for (name, value) in convention.spec["headers"]?.object ?? [:] {
      switch template.fill(value) {
      case .array(let parts)?: headers.add(name, parts.map(\.plain).joined(separator: ", "))
      case let value?: headers.add(name, value.plain)
      case nil: break
      }
    }
    let body = template.fill(convention.spec["response"] ?? "{rows}") ?? .null
    return MockResponse(
      status: convention.number("status") ?? 200, headers: headers,
      body: ResponseBody(body.utf8()))
  }

  private func values(of page: Page, _ sent: Sent) -> [String: JSONAny] {
    let index = page.offset / page.size
    let pages = (rows.count + page.size - 1) / page.size
    let isLast = page.end >= rows.count
    var values: [String: JSONAny] = [
      "rows": .array(Array(rows[min(page.offset, rows.count)..<min(page.end, rows.count)])),
      "count": .int(page.count), "total": .int(rows.count), "pages": .int(pages),
      "page": .int(index + first), "firstPage": .int(first), "lastPage": .int(pages - 1 + first),
      "size": .int(page.size), "more": .bool(!isLast), "done": .bool(isLast),
      "offset": .int(page.offset + (kind == "offset" ? first : 0)), "from": .int(page.offset + 1),
      "to": .int(page.end), "end": .int(page.end - 1), "left": .int(rows.count - page.end),
    ]
    if !isLast {
      values["next"] = true
      values["nextPage"] = .int(index + 1 + first)
      values["nextOffset"] = .int(page.end + (kind == "offset" ? first : 0))
    }
    if index > 0 {
      values["prev"] = true
      values["prevPage"] = .int(index - 1 + first)
      values["prevOffset"] = .int(max(0, page.offset - page.size))
    }
    if !isLast || convention.flag("always") { values["token"] = token(after: page.end) }
    if page.offset > 0 { values["sent"] = token(after: page.offset) }
    if page.count > 0 {
      values["firstKey"] = .int(page.offset + 1)
      values["key"] = .int(page.end)
    }
    return values
  }

  /// Returns the address of another page: absolute, from the root, only its query, or only its file.
  private func address(_ form: String, _ which: String, _ page: Page, _ sent: Sent) -> String? {
    let offset: Int
    switch which {
    case "self": offset = page.offset
    case "next":
      guard page.end < rows.count || convention.flag("always") else { return nil }
      offset = page.end
    case "prev":
      guard page.offset > 0 else { return nil }
      offset = max(0, page.offset - page.size)
    case "first": offset = 0
    case "last": offset = (rows.count - 1) / page.size * page.size
    default: return nil
    }
    var (path, query) = (sent.path, sent.query)
    let value =
      switch kind {
      case "number": "\(offset / page.size + first)"
      case "offset": "\(offset + first)"
      default: token(after: offset)?.plain ?? ""
      }
    if place == "path" {
      path = Sent.replaceNumber(in: path, with: value)
    } else {
      query.removeAll { $0.name == place }
      query.append((place, value))
    }
    let text =
      query.isEmpty
      ? "" : "?" + query.map { "\($0.name.escaped)=\($0.value.escaped)" }.joined(separator: "&")
    return switch form {
    case "url": sent.origin + path + text
    case "path": path + text
    case "query": text
    case "file": (path.split(separator: "/").last.map(String.init) ?? "") + text
    default: String(text.dropFirst())
    }
  }
}

/// The parts of a request that may say which page is meant.
private struct Sent {
  var origin: String
  var path: String
  var query: [(name: String, value: String)]
  var headers: HTTPHeaders
  var text = ""
  var json: JSONAny?

  init(_ request: HTTPRequest) {
    origin = request.url.origin.description
    path = request.url.path
    query = Self.pairs(in: "?" + (request.url.query ?? ""))
    headers = request.headers
    for case .bytes(let bytes) in request.body?.pieces ?? [] {
      text += String(decoding: bytes, as: UTF8.self)
    }
    json = try? JSONAny(parsing: text)
  }

  func value(_ place: String) -> JSONAny? {
    if place == "path" { return Self.number(in: path).map { .string(String($0)) } }
    if place.hasPrefix("body:") { return json?.at(place.dropFirst(5)) }
    if place.hasPrefix("header:") { return headers[String(place.dropFirst(7))].map(JSONAny.string) }
    return query.first { $0.name == place }.map { .string($0.value) }
  }

  static func pairs(in address: String) -> [(name: String, value: String)] {
    let query = address.firstIndex(of: "?").map { address[address.index(after: $0)...] } ?? ""
    return query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]).unescaped, parts.count > 1 ? String(parts[1]).unescaped : "")
    }
  }

  private static func number(in path: String) -> Substring? {
    path.split { !$0.isNumber }.last
  }

  static func replaceNumber(in path: String, with value: String) -> String {
    guard let number = number(in: path) else { return path }
    return path[..<number.startIndex] + value + path[number.endIndex...]
  }
}

extension String {
  fileprivate var unescaped: String {
    replacing("+", with: " ").removingPercentEncoding ?? self
  }

  fileprivate var escaped: String {
    addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_.~:$[]*,"))) ?? self
  }
}
