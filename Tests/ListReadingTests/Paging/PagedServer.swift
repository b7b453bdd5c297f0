import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// The response of a server in memory.
struct PagedReply {
  var json: JSONAny = [:]
  var headers: HTTPHeaders = [:]
  var status = 200
}

/// The path of the rows in the pages of these tests.
let itemsPath: JSONPath = "items"

/// Creates a response of a server in memory, as a strategy receives it.
func pageResponse(
  _ paging: Paging, at key: PageKey? = nil, call: Call = Call("/books"), _ json: JSONAny = [:],
  headers: HTTPHeaders = [:], status: Int = 200, url: String = "https://api.test/books",
  itemsPath: JSONPath = itemsPath
) throws -> PageResponse {
  let key = key ?? paging.strategy.first
  var asked = call
  try paging.strategy.apply(key, to: &asked)
  let document = try JSONDocument(json.text())
  return PageResponse(
    key: key, call: asked,
    response: HTTPResponse(status: status, headers: headers, url: try WebURL(url)),
    envelope: document.root, itemsPath: itemsPath,
    count: document.root[itemsPath]?.count ?? 0)
}

/// The result of a walk over a list.
struct Walk {
  /// The rows in the order of the list.
  var rows: [Int] = []
  /// The calls, in order.
  var calls: [Call] = []
  /// The link that ended the walk.
  var last = PageFacts.Link.end
  var problems: [PagingError] = []
  var facts: [PageFacts] = []
}

enum Direction { case forward, backward }

/// Loads all pages from a server function, as a list does, but keeps every row so that
/// duplicates show.
func walk(
  _ paging: Paging, from key: PageKey? = nil, _ direction: Direction = .forward,
  call: Call = Call("/books"), most: Int = 100, with server: (Call) throws -> PagedReply
) throws -> Walk {
  var walk = Walk()
  var link = PageFacts.Link.page(key ?? paging.strategy.first)
  while case .page(let key) = link, walk.calls.count < most {
    var asked = call
    try paging.strategy.apply(key, to: &asked)
    walk.calls.append(asked)
    let reply = try server(asked)
    if reply.status >= 400, paging.strategy.isEnd(reply.status, for: key) {
      link = .end
      break
    }
    let url = try WebURL("https://api.test").resolving(asked.address)
    let root = try JSONDocument(reply.json.text()).root
    let page = (root[itemsPath]?.elements).map { Array($0) } ?? []
    let rows = page.compactMap { $0["id"]?.int }
    walk.rows = direction == .forward ? walk.rows + rows : rows + walk.rows
    let facts = paging.strategy.facts(
      in: PageResponse(
        key: key, call: asked,
        response: HTTPResponse(status: reply.status, headers: reply.headers, url: url),
        envelope: root, itemsPath: itemsPath, count: page.count))
    walk.problems += facts.problems
    walk.facts.append(facts)
    link = direction == .forward ? facts.next : facts.previous
  }
  walk.last = link
  return walk
}

/// The rows `0..<count` of a list, split into pages.
struct Shelf {
  var count: Int
  /// The largest number of rows that the server sends, whatever the request.
  var cap = Int.max

  func rows(from offset: Int, _ limit: Int) -> JSONAny {
    let start = min(max(0, offset), count)
    let end = min(count, start + min(limit, cap))
    return .array((start..<end).map { ["id": .int($0), "at": .int($0 * 10)] })
  }
}

extension Call {
  func number(_ name: String) -> Int? { params[name].flatMap { Int($0) } }
}

/// List sizes at which ends may be off by one, with pages of 20.
let sizes = [0, 1, 19, 20, 21, 40, 41]
