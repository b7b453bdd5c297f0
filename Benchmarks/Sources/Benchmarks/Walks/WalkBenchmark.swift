import CPeer
import Foundation
import Quire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A walk over a list, page after page, against libcurl and URLSession that fetch the same pages and look
/// at none of them; and 200 typed loops, and 200 lists, at once, in a process that does nothing else.
struct WalkBenchmark {
  static let rounds = 11
  static let pages = 2_000
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let list = yardstick.rows(pages: Self.pages)
    let server = Server("http://127.0.0.1", transport: CurlTransport())
    let session = RequestBenchmark.session()
    let costs = try await Task.detached {
      try await compare(
        [
          Contestant("libcurl") {
            try peer(peer_pages(list, Int32(Self.pages), RequestBenchmark.buffer))
          },
          Contestant("walk") { try await Self.walk(list, server) },
          Contestant("walk, one ahead") { try await Self.walk(list, server, parallel: 2) },
          Contestant("URLSession") {
            for page in 0..<Self.pages {
              guard let url = URL(string: "\(list)?limit=100&offset=\(page * 100)") else { return }
              _ = try await session.data(from: url)
            }
          },
        ], rounds: Self.rounds)
    }.value
    for who in ["libcurl", "walk", "walk, one ahead", "URLSession"] {
      report.note(
        String(
          format: "page after page, %@: %.1f µs wall, %.1f µs CPU for each", who,
          costs.median(who, \.wall) * 1e6 / Double(Self.pages),
          costs.median(who, \.cpu) * 1e6 / Double(Self.pages)))
    }
    for (who, name) in [
      ("walk", "walk, page after page"),
      ("walk, one ahead", "walk, the next page requested meanwhile"),
    ] {
      report.add(
        "\(name): wall, times libcurl one by one",
        costs.ratio(who, to: "libcurl", what: \.wall), atMost: 1.15)
      report.add(
        "\(name): times faster than URLSession",
        costs.ratio("URLSession", to: who, what: \.wall), atLeast: 5)
    }
    try addCrowds(&report)
  }

  private static func walk(
    _ list: String, _ server: Server, parallel: Int = 1
  ) async throws {
    let walk = PageWalk(
      server, Call(list), items: "data.list",
      paging: .offset(limit: 100, endsBy: .total("data.total")), parallel: parallel)
    var rows = 0
    while let page = try await walk.next() { rows += page.rows.count }
    guard rows == pages * 100 else { throw BenchmarkError("\(rows) rows") }
  }

  private func addCrowds(_ report: inout Report) throws {
    var results: [String: [WalkCrowd.Result]] = [:]
    for round in 0..<Rounds.count(5) {
      let clients = WalkCrowd.clients
      for client in round.isMultiple(of: 2) ? clients : clients.reversed() {
        let text = try output(of: ["crowd", client, yardstick.rows(pages: WalkCrowd.pages)])
        results[client, default: []].append(
          try JSONDecoder().decode(WalkCrowd.Result.self, from: Data(text.utf8)))
      }
    }
    for (client, results) in results.sorted(by: { $0.key < $1.key }) {
      func middle(_ what: KeyPath<WalkCrowd.Result, Double>) -> Double {
        Estimate(results.map { $0[keyPath: what] }).median
      }
      report.note(
        String(
          format: "200 %@ at once: %.0f pages/s, p50 %.1f ms, p99 %.1f ms, %.0f MiB", client,
          middle(\.pagesPerSecond), middle(\.p50), middle(\.p99), middle(\.memory)))
    }
    func ratio(_ client: String, to other: String) -> Estimate {
      let pairs = zip(results[client] ?? [], results[other] ?? [])
      return Estimate(pairs.map { $0.pagesPerSecond / $1.pagesPerSecond })
    }
    report.add(
      "200 typed loops at once: pages a second, times URLSession + JSONDecoder",
      ratio("loops", to: "urlsession"), atLeast: 5)
    report.add(
      "200 typed loops at once: the slowest page of a hundred, times the median",
      Estimate((results["loops"] ?? []).map { $0.p99 / $0.p50 }), atMost: 3)
    report.add(
      "200 typed loops at once: memory of the process, MiB",
      Estimate((results["loops"] ?? []).map(\.memory)), atMost: 80)
    report.add(
      "200 lists at once: pages a second, times typed loops",
      ratio("models", to: "loops"), atLeast: 0.7)
  }
}
