import Foundation
import QuireTesting

/// Shows what clients lose while a list changes before each of their requests: the same changes for each client.
///
/// With `SEEDS` in the environment each mean is that of so many runs.
struct ChurnCommand {
  private static let rows = 2_000

  private let seeds: UInt64
  private let table: ChurnTable
  private var runs = 0
  /// The runs of Quire with a false claim or a row twice.
  private var failures: [String] = []

  static func run(_ arguments: ArraySlice<String>) async throws {
    guard arguments.allSatisfy({ $0 == "--markdown" }) else {
      throw BenchmarkError("churn takes --markdown and nothing else")
    }
    let text = ProcessInfo.processInfo.environment["SEEDS"] ?? "20"
    guard let seeds = UInt64(text), seeds > 0 else {
      throw BenchmarkError("SEEDS should be a number above 0, found “\(text)”")
    }
    var command = ChurnCommand(
      seeds: seeds, table: ChurnTable(clients: ChurnClient.all, isMarkdown: !arguments.isEmpty))
    try await command.run()
  }

  private init(seeds: UInt64, table: ChurnTable) {
    self.seeds = seeds
    self.table = table
  }

  private mutating func run() async throws {
    print("\(Self.rows) rows, \(ChurnWay.pageSize) a page; means of \(seeds) seeds")
    for line in table.legend + [""] + table.header() { print(line) }
    for way in ChurnWay.all {
      for line in table.section(way) { print(line) }
      for kind in way.kinds {
        var figures: [ChurnFigures] = []
        for client in table.clients { figures.append(try await read(way, kind, client)) }
        print(table.row(way, kind, figures))
        runs += Int(seeds)
      }
    }
    print("\nFalse claims of Quire, and rows that it has twice: \(failures.count) in \(runs) runs.")
    for failure in failures { print(failure) }
    guard failures.isEmpty else {
      throw BenchmarkError("Quire was wrong in \(failures.count) runs, see above")
    }
  }

  private mutating func read(
    _ way: ChurnWay, _ kind: ChurnKind, _ client: ChurnClient
  ) async throws -> ChurnFigures {
    var figures = ChurnFigures()
    for seed in 0..<seeds {
      let run = ServedRun(
        ServedList(
          rows: Self.rows, pageSize: ChurnWay.pageSize, by: way.served, total: way.total,
          churn: .random(seed: seed, kind.rates)))
      let reading = try await client.read(run, way)
      let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
      figures.add(verdict, requests: run.requestCount)
      if client.claims, verdict.isFalse || !verdict.doubled.isEmpty {
        failures.append("\(way.name), \(kind.name), seed \(seed): \(verdict)")
      }
    }
    return figures
  }
}
