internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A request for a page of a served list, in memory or from a socket.
struct ServedRequest: Sendable {
  private let query: [String: String]
  private let range: String?
  private let body: [UInt8]
  let path: String

  init(_ request: HTTPRequest) {
    query = Dictionary(
      request.url.queryParams.items.map { ($0.name, $0.value.texts.first ?? "") },
      uniquingKeysWith: { first, _ in first })
    range = request.headers["Range"]
    body = (try? request.body?.bytes()) ?? []
    path = request.url.path
  }

  init(_ request: LoopbackRequest) {
    query = Dictionary(
      request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    range = request.header("Range")
    body = request.body
    path = request.path
  }

  func text(_ name: String) -> String? { query[name] }

  func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }

  /// The first position of a `Range` header and the number of rows; as many as there are if it is open.
  var positions: (first: Int, most: Int)? {
    let ends = range?.split(separator: "=").last?.split(
      separator: "-", omittingEmptySubsequences: false)
    guard let ends, ends.count == 2, let first = Int(ends[0]) else { return nil }
    guard !ends[1].isEmpty else { return (first, .max) }
    guard let last = Int(ends[1]), first <= last else { return nil }
    return (first, last - first == .max ? .max : last - first + 1)
  }

  struct Variables: Decodable {
    var first: Int?
    var after: String?
  }

  /// The variables of a GraphQL query.
  var variables: Variables? {
    struct Body: Decodable { var variables: Variables }
    return try? JSONDecoder().decode(Body.self, from: Data(body)).variables
  }
}

/// A response of a served list, in memory or for a socket.
struct ServedResponse: Sendable {
  var status = 200
  var headers: [(name: String, value: String)] = []
  var body = ""
  var fault: ServedList.Fault?

  /// The response of a mock transport.
  var mock: MockResponse {
    var response = MockResponse.json(body, status: status)
    for (name, value) in headers { response.headers.add(name, value) }
    switch fault {
    case .slow(let duration): return response.delayed(by: duration)
    case .cut: return response.cut(afterBytes: body.utf8.count / 2)
    default: return response
    }
  }

  /// The response of a server.
  var loopback: LoopbackResponse {
    var response = LoopbackResponse.json(body)
    response.status = status
    for (name, value) in headers { response = response.with(name, value) }
    switch fault {
    case .slow(let duration):
      return response.failing(.slowHead(bytes: 1 << 20, every: duration))
    case .cut: return response.failing(.close(.bodySent(body.utf8.count / 2)))
    default: return response
    }
  }
}
