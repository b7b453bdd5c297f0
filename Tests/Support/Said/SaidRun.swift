import Foundation
package import QuireTesting
import ServerAPI
import Support

/// A server of a list with what it has responded so far.
package final class SaidRun: Sendable {
  package let server: SaidServer
  private let log = Lock<[SaidResponse]>([])
  /// More requests than this are a failure.
  package static let mostRequests = 400

  package init(_ server: SaidServer) { self.server = server }

  package var responses: [SaidResponse] { log.withLock { $0 } }

  package func respond(_ request: SaidRequest) -> SaidResponse {
    var response = server.response(to: request)
    log.withLock { log in
      if log.count >= Self.mostRequests { response.status = 500 }
      log.append(response)
    }
    return response
  }

  package var transport: MockTransport {
    MockTransport { request in
      let response = self.respond(SaidRequest(request))
      var mock = MockResponse.json(response.body, status: response.status)
      for (name, value) in response.headers { mock.headers.add(name, value) }
      return mock
    }
  }

  package func loopback() throws(LoopbackError) -> LoopbackServer {
    try LoopbackServer { request in
      let said = self.respond(SaidRequest(request))
      var response = LoopbackResponse.json(said.body)
      response.status = said.status
      for (name, value) in said.headers { response = response.with(name, value) }
      return response
    }
  }
}

/// A request for a page, in memory or from a socket.
package struct SaidRequest: Sendable {
  let query: [String: String]
  let range: String?
  let variables: Variables?
  let text: String

  struct Variables: Decodable {
    var first: Int?
    var after: String?
  }

  private struct Query: Decodable { var variables: Variables? }

  init(_ request: HTTPRequest) {
    query = Dictionary(
      request.url.queryParams.items.map { ($0.name, $0.value.texts.first ?? "") },
      uniquingKeysWith: { first, _ in first })
    range = request.headers["Range"]
    variables = Self.variables(in: (try? request.body?.bytes()) ?? [])
    text = Self.text(query, range, variables)
  }

  package init(_ request: LoopbackRequest) {
    query = Dictionary(
      request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    range = request.header("Range")
    variables = Self.variables(in: request.body)
    text = Self.text(query, range, variables)
  }

  /// Creates a request for so many rows from a position on.
  package init(offset: Int, limit: Int) {
    query = ["offset": "\(offset)", "limit": "\(limit)"]
    (range, variables) = (nil, nil)
    text = Self.text(query, nil, nil)
  }

  private static func variables(in body: [UInt8]) -> Variables? {
    try? JSONDecoder().decode(Query.self, from: Data(body)).variables
  }

  private static func text(
    _ query: [String: String], _ range: String?, _ variables: Variables?
  ) -> String {
    let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let after = variables.map { "after \($0.after ?? "nothing"), \($0.first ?? 0)" }
    return "?"
      + ([items.joined(separator: "&"), range, after].compactMap(\.self))
      .joined(separator: " ")
  }

  /// Whether it has a number of rows.
  var hasSize: Bool {
    range != nil || variables?.first != nil || query["limit"] != nil || query["per_page"] != nil
  }

  func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }

  /// The positions of a `Range` header.
  var positions: (first: Int, count: Int)? {
    let ends = range?.split(separator: "=").last?.split(separator: "-").compactMap { Int($0) }
    guard let ends, ends.count == 2, ends[0] <= ends[1] else { return nil }
    return (ends[0], ends[1] - ends[0] + 1)
  }
}
