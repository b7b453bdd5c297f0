import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// The requests of lists that don't change, where nothing but the pages is requested.
@MainActor @Suite(.timeLimit(.minutes(2))) struct PlainRequestTests {
  /// What the requests of a list of eight rows, three a page, have of their own.
  private nonisolated static let requests: [ServedList.Way: [String]] = [
    .pages: ["?page=1", "?page=2", "?page=3"],
    .pagesOfAnySize: ["?page=1&size=3", "?page=2&size=3", "?page=3&size=3"],
    .pagesOfCappedSize: ["?page=1&size=3", "?page=2&size=3", "?page=3&size=3"],
    .pagesRefusedAfterEnd: ["?page=1", "?page=2", "?page=3"],
    .offsets: ["?offset=0&limit=3", "?offset=3&limit=3", "?offset=6&limit=3"],
    .offsetsOfCappedSize: ["?offset=0&limit=3", "?offset=3&limit=3", "?offset=6&limit=3"],
    .offsetsRoundedToPages: ["?offset=0&limit=3", "?offset=3&limit=3", "?offset=6&limit=3"],
    .offsetsWithinLimit: ["?offset=0&limit=3", "?offset=3&limit=3", "?offset=6&limit=3"],
    .ranges: ["Range: items=0-2", "Range: items=3-5", "Range: items=6-8"],
    .links: ["", "?page=2", "?page=3"],
    .linksOfAnySize: ["", "?page=2&size=3", "?page=3&size=3"],
    .nextAddresses: ["", "?page=2", "?page=3"],
    .keys: ["?limit=3", "?limit=3&after=8589934592", "?limit=3&after=21474836480"],
    .keysWithTies: ["?limit=3", "?limit=3&after=1", "?limit=3&after=3"],
    .cursors: ["", "?cursor=k8589934592", "?cursor=k21474836480"],
    .countingCursors: ["", "?cursor=after%203", "?cursor=after%206"],
    .relay: [
      #"{"first":3}"#, #"{"first":3,"after":"k8589934592"}"#,
      #"{"first":3,"after":"k21474836480"}"#,
    ],
    .countingRelay: [
      #"{"first":3}"#, #"{"first":3,"after":"arrayconnection:2"}"#,
      #"{"first":3,"after":"arrayconnection:5"}"#,
    ],
    .snapshots: ["", "?cursor=s1.3", "?cursor=s1.6"],
  ]

  /// The bytes of a request, as far as they depend on the list.
  private func text(_ request: HTTPRequest) -> String {
    // The name of the client has its version in it.
    let fields = request.headers.fields.filter { $0.name != "User-Agent" }
      .map { "\($0.name): \($0.value)" }
    let body = (try? request.body?.bytes()) ?? []
    return
      (["\(request.method.rawValue) \(request.url)"] + fields
      + [String(decoding: body, as: UTF8.self)]).joined(separator: "\n")
  }

  private func expected(_ way: ServedList.Way, _ own: String) -> String {
    let fields = "Accept: */*"
    switch way {
    case .relay, .countingRelay:
      return "POST https://test/graphql\n\(fields)\nContent-Type: application/json\n"
        + #"{"query":"query { rows }","variables":\#(own)}"#
    case .ranges: return "GET https://test/rows\n\(own)\n\(fields)\n"
    default: return "GET https://test/rows\(own)\n\(fields)\n"
    }
  }

  private func requests(
    _ list: ServedList, _ level: Consistency.Level
  ) async -> (requests: [String], list: ListModel<ServedRow>) {
    let run = ServedRun(list)
    let model = run.list(level)
    await model.loadAll()
    return (run.transport.requests.map(text), model)
  }

  @Test(arguments: ServedList.Way.allCases, [Consistency.Level.any, .signs])
  func `a still list is requested as declared, byte for byte`(
    way: ServedList.Way, level: Consistency.Level
  ) async throws {
    let own = try #require(Self.requests[way])
    for total in [ServedList.Total.absent, .exact] {
      let list = ServedList(rows: 8, pageSize: 3, by: way, total: total)
      let (requests, model) = await requests(list, level)
      #expect(requests == own.map { expected(way, $0) })
      #expect(model.consistency.checks == 0)
      // A keyset of groups skips rows where pages don't overlap.
      if way != .keysWithTies { #expect(model.rows.items.map(\.id) == Array(1...8)) }
    }
  }

  @Test(arguments: ServedList.Way.allCases)
  func `a still list and a walk send the same requests at each level`(
    way: ServedList.Way
  ) async throws {
    for level in Consistency.Level.allCases where level < .exact {
      for (rows, total) in [(9, ServedList.Total.absent), (9, .exact), (32, .absent), (32, .exact)] {
        let list = ServedList(rows: rows, pageSize: 3, by: way, total: total)
        let (requests, _) = await requests(list, level)
        let run = ServedRun(list)
        _ = try await run.walk(consistency: level)
        #expect(requests == run.transport.requests.map(text), "\(level), \(total)")
      }
    }
  }
}
