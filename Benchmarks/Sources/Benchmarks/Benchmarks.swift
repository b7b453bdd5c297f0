import CPeer
import Foundation
import Quire

/// Measures what users feel and holds it against the best that can be had beside it, in one run.
///
/// Without arguments all rows are measured, printed and written to `latest.json`; with names of
/// parts only those. `counts` counts instructions instead, `scale` measures how costs grow, and `churn` shows what
/// clients lose. The other commands are the processes that it starts for itself.
@main
struct Benchmarks {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      // What counts has to have the main thread for itself.
      if arguments.first == "count", arguments.count == 3 {
        return try CountedRun.print(arguments[1], folder: arguments[2])
      }
    } catch { fail(error) }
    Task {
      do { try await run(arguments) } catch { fail(error) }
      exit(0)
    }
    dispatchMain()
  }

  private static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }

  private static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "serve": exit(serve())
    case "serve-tls": exit(peer_serve_tls(Int32(arguments[1]) ?? 0, arguments[2], arguments[3]))
    case "counts": try CountsCommand.run(arguments.dropFirst())
    case "scale": try await ScaleBenchmark(try Yardstick()).run(Array(arguments.dropFirst()))
    case "churn": try await ChurnCommand.run(arguments.dropFirst())
    case "crawl": exit(peer_crawl(arguments[1], Int32(arguments[2]) ?? 0) < 0 ? 1 : 0)
    case "crowd": try await WalkCrowd(arguments).print()
    case "stream-memory": try await StreamBenchmark.printMemory(url: arguments.last ?? "")
    case "list-memory":
      let rows = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1_000_000
      try await ListBenchmark.printMemory(arguments[1], rows: rows)
    default: try await measure(arguments.map(Part.init))
    }
  }

  /// Serves until the process ends.
  private static func serve() -> Int32 {
    let pages = MappingPages()
    let (list, late, rows) = (
      Array(pages.books(1_000).utf8), Array(pages.books(20).utf8), Array(pages.rows(100).utf8)
    )
    return peer_serve(33_000, list, list.count, late, late.count, rows, rows.count)
  }

  enum Part: String, CaseIterable {
    case idle, requests, walks, cache, streams, mapping, list, stored, command, crawls

    init(_ name: String) throws {
      guard let part = Part(rawValue: name) else {
        let names = Part.allCases.map(\.rawValue).joined(separator: ", ")
        throw BenchmarkError("there is no “\(name)”, only \(names)")
      }
      self = part
    }
  }

  static func measure(_ chosen: [Part]) async throws {
    let parts = chosen.isEmpty ? Part.allCases : chosen
    let machine = try await Machine()
    for (name, fact) in machine.facts().sorted(by: { $0.key < $1.key }) {
      print("\(name): \(fact)")
    }
    var report = Report()
    // First of all, while nothing has been used yet.
    let idle = IdleBenchmark()
    let yardstick = try Yardstick()
    if parts.contains(.idle) { try await idle.run(yardstick, &report) }
    if parts.contains(.requests) {
      try await RequestBenchmark(yardstick, machine).run(&report)
      try await ColdStartBenchmark(yardstick).run(&report)
    }
    if parts.contains(.walks) { try await WalkBenchmark(yardstick).run(&report) }
    if parts.contains(.cache) { try await CacheBenchmark(yardstick).run(&report) }
    if parts.contains(.streams) { try await StreamBenchmark(yardstick).run(&report) }
    if parts.contains(.mapping) { try await MappingBenchmark().run(&report) }
    if parts.contains(.list) { try await ListBenchmark(yardstick).run(&report) }
    if parts.contains(.stored) { try await StoredListBenchmark(yardstick).run(&report) }
    if parts.contains(.command) { try CommandStart(yardstick).run(&report) }
    if parts.contains(.crawls) { try await CrawlBenchmark(yardstick).run(&report) }
    report.machine = machine.facts()
    print("")
    report.print()
    for (name, fact) in report.machine.sorted(by: { $0.key < $1.key }) { print("\(name): \(fact)") }
    try report.write(to: "latest.json")
  }
}
