import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// A row of a served list.
struct ServedRow: Decodable, Identifiable, Sendable {
  let id: Int
}

extension ServedList {
  /// The declaration of its paging.
  var paging: Paging {
    switch way {
    case .pages, .pagesRefusedAfterEnd:
      return total == .absent ? .pageNumber() : .pageNumber(endsBy: .total("total"))
    case .pagesOfAnySize, .pagesOfCappedSize:
      return total == .absent
        ? .pageNumber(size: pageSize, sizeParameter: "size")
        : .pageNumber(size: pageSize, sizeParameter: "size", endsBy: .total("total"))
    case .offsets, .offsetsOfCappedSize, .offsetsRoundedToPages, .offsetsWithinLimit:
      return total == .absent
        ? .offset(limit: pageSize) : .offset(limit: pageSize, endsBy: .total("total"))
    case .ranges: return .range(size: pageSize)
    case .links: return .link
    case .linksOfAnySize: return total == .absent ? .link : .link(total: .body("total"))
    case .nextAddresses:
      return total == .absent ? .nextURL(at: "next") : .nextURL(at: "next", total: "total")
    case .keys:
      return .keyset(["key"], into: [.query("after")], isUnique: true, limit: pageSize)
    case .keysWithTies: return .keyset(["group"], into: [.query("after")], limit: pageSize)
    case .cursors, .countingCursors, .snapshots:
      return total == .absent
        ? .cursor(at: "next") : .cursor(at: "next", endsBy: .total("total"))
    case .relay, .countingRelay: return .relay(connection: "data.rows", size: pageSize)
    }
  }

  /// The call for its first page.
  var call: Call {
    switch way {
    case .relay, .countingRelay:
      let query = Array(#"{"query":"query { rows }"}"#.utf8)
      return Call("/graphql", body: .bytes(query, contentType: "application/json"))
    default: return Call("/rows")
    }
  }

  /// Where its rows are.
  var items: JSONPath {
    switch way {
    case .relay, .countingRelay: "data.rows.nodes"
    default: "rows"
    }
  }
}

extension ServedList.Claim {
  /// Creates the claim of a list or a walk.
  init(_ consistency: Consistency) {
    if case .mayLack(let count) = consistency.claim {
      self = .mayLack(atMost: count)
    } else {
      self.init(consistency.claim.name, given: consistency.assumptions.map(\.rawValue))
    }
  }
}

extension ServedRun {
  /// A server over a transport, which never retries.
  func server(_ transport: (any Transport)? = nil) -> Server {
    Server("https://test", transport: transport ?? self.transport) { $0.retry = .never }
  }

  /// A list of its rows.
  @MainActor func list(
    _ level: Consistency.Level, transport: (any Transport)? = nil
  ) -> ListModel<ServedRow> {
    ListModel<ServedRow>(
      server(transport), list.call, reading: .decodables(at: list.items), paging: list.paging,
      identity: .id
    ) { $0.consistency = level }
  }

  /// Reads all rows with a walk.
  func walk(
    _ server: Server? = nil, _ paging: Paging? = nil, consistency level: Consistency.Level = .seams
  ) async throws -> (reading: ServedHistories.Reading, walk: PageWalk) {
    let walk = PageWalk(
      server ?? self.server(), list.call, items: list.items, paging: paging ?? list.paging,
      identity: .by("id"), consistency: level)
    var ids: [Int] = []
    // A request that fails because of a fault succeeds when it is repeated.
    var faultsLeft = list.faults.count
    while true {
      do {
        guard let page = try await walk.next() else { break }
        ids += page.rows.compactMap { $0["id"]?.int }
      } catch {
        faultsLeft -= 1
        guard faultsLeft >= 0 else { throw error }
      }
    }
    return ((ids, ServedList.Claim(walk.consistency)), walk)
  }
}

extension PageWalk {
  /// Expects that the walk has ended as incomplete, with this in the reason.
  func expectIncomplete(_ reason: String, location: SourceLocation = #_sourceLocation) {
    guard case .incomplete(let error) = end else {
      Issue.record("ended as \(String(describing: end))", sourceLocation: location)
      return
    }
    #expect("\(error)".contains(reason), "\(error)", sourceLocation: location)
  }
}
