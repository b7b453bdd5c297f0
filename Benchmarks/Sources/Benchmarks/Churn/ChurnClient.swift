import Quire
import QuireTesting

/// A client that reads a list while it changes.
enum ChurnClient {
  /// Keeps every row it gets.
  case plain
  /// Keeps each id once.
  case byID
  /// A walk, at the level of the way of paging.
  case quire

  static let all = [ChurnClient.plain, .byID, .quire]

  var name: String {
    switch self {
    case .plain: "keeps every row"
    case .byID: "drops duplicates"
    case .quire: "Quire"
    }
  }

  /// Whether it says how sure it is.
  var claims: Bool {
    self == .quire
  }

  /// Reads all rows, and returns what it has and claims.
  func read(_ run: ServedRun, _ way: ChurnWay) async throws -> ServedHistories.Reading {
    let server = Server("https://test", transport: run.transport) { $0.retry = .never }
    switch self {
    case .plain: return (try await Self.readPlainly(server, way, dropsDuplicates: false), .nothing)
    case .byID: return (try await Self.readPlainly(server, way, dropsDuplicates: true), .nothing)
    case .quire:
      let walk = PageWalk(
        server, way.call, items: way.items, paging: way.paging, identity: .by("id"),
        consistency: way.level)
      var ids: [Int] = []
      while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
      return (ids, Self.claim(walk.consistency))
    }
  }

  private static func claim(_ sure: Consistency) -> ServedList.Claim {
    if case .mayLack(let count) = sure.claim { return .mayLack(atMost: count) }
    return ServedList.Claim(sure.claim.name, given: sure.assumptions.map(\.rawValue))
  }

  private static func readPlainly(
    _ server: Server, _ way: ChurnWay, dropsDuplicates: Bool
  ) async throws -> [Int] {
    var client = PlainClient(server, limit: ChurnWay.pageSize, dropsDuplicates: dropsDuplicates)
    try await way.read(&client)
    return client.ids
  }
}
