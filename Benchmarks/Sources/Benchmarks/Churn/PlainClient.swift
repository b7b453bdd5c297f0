import Quire

/// Reads a list as most programs do: page after page, until a page says that it is the last one.
struct PlainClient {
  static let query = "query { rows }"

  struct Row: Decodable {
    var id: Int
    var key: Int
  }

  let server: Server
  let limit: Int
  /// Whether a row with an id that it already has is dropped.
  let dropsDuplicates: Bool
  private(set) var ids: [Int] = []
  private var known: Set<Int> = []

  init(_ server: Server, limit: Int, dropsDuplicates: Bool) {
    self.server = server
    self.limit = limit
    self.dropsDuplicates = dropsDuplicates
  }

  mutating func readPages() async throws {
    var number = 1
    while try await keep(rows(["page": number])) { number += 1 }
  }

  mutating func readOffsets() async throws {
    var offset = 0
    while try await keep(rows(["offset": offset, "limit": limit])) { offset += limit }
  }

  mutating func readKeys() async throws {
    var page = try await rows(["limit": limit])
    while keep(page), let last = page.last {
      page = try await rows(["after": last.key, "limit": limit])
    }
  }

  mutating func readConnection() async throws {
    var after: String?
    repeat {
      let connection = try await connection(after: after)
      keep(connection.nodes)
      after = connection.pageInfo.hasNextPage ? connection.pageInfo.endCursor : nil
    } while after != nil
  }

  private func rows(_ params: Params) async throws -> [Row] {
    try await server.send(Call("/rows", params: params), as: [Row].self, at: "rows")
  }

  private struct Connection: Decodable {
    struct PageInfo: Decodable {
      var hasNextPage: Bool
      var endCursor: String?
    }

    var nodes: [Row]
    var pageInfo: PageInfo
  }

  private func connection(after: String?) async throws -> Connection {
    let variables: JSONAny = ["first": .int(limit), "after": after.map { .string($0) } ?? nil]
    let body: JSONAny = ["query": .string(Self.query), "variables": variables]
    return try await server.send(
      Call("/graphql", method: .post, body: .json(body)), as: Connection.self, at: "data.rows")
  }

  /// Keeps the rows of a page and returns whether there may be another one: a short page is the last.
  @discardableResult private mutating func keep(_ page: [Row]) -> Bool {
    for row in page where known.insert(row.id).inserted || !dropsDuplicates { ids.append(row.id) }
    return page.count == limit
  }
}
