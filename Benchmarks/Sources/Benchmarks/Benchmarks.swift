import CPeer
import Foundation
import Quire

/// Measures what users feel and holds it against the best that can be had beside it, in one run.
///
/// Without arguments all rows are measured, printed and written to `latest.json`; with `idle`,
/// `requests`, `cache`, `streams`, `mapping`, `list`, `stored` or `command` only those. The other
/// commands are the processes that it starts for itself.
@main
struct Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "serve": exit(serve())
    case "stream-memory": try await StreamBenchmark.printMemory(url: arguments.last ?? "")
    case "list-memory": try await ListBenchmark.printMemory(arguments.last ?? "")
    default: try await measure(arguments.map(Part.init))
    }
  }

  /// Serves until the process ends.
  private static func serve() -> Int32 {
    var pages = MappingPages()
    var list = pages.books(1_000)
    var late = pages.books(20)
    return list.withUTF8 { list in
      late.withUTF8 {
        peer_serve(33_000, list.baseAddress, list.count, $0.baseAddress, $0.count)
      }
    }
  }

  enum Part: String, CaseIterable {
    case idle, requests, cache, streams, mapping, list, stored, command

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
    var report = Report()
    // First of all, while nothing has been used yet.
    let idle = IdleBenchmark()
    let yardstick = try Yardstick()
    if parts.contains(.idle) { try await idle.run(yardstick, &report) }
    if parts.contains(.requests) { try await RequestBenchmark(yardstick).run(&report) }
    if parts.contains(.cache) { try await CacheBenchmark(yardstick).run(&report) }
    if parts.contains(.streams) { try await StreamBenchmark(yardstick).run(&report) }
    if parts.contains(.mapping) { try await MappingBenchmark().run(&report) }
    if parts.contains(.list) { try await ListBenchmark(yardstick).run(&report) }
    if parts.contains(.stored) { try await StoredListBenchmark(yardstick).run(&report) }
    if parts.contains(.command) { try CommandBenchmark(yardstick).run(&report) }
    report.print()
    try report.write(to: "latest.json")
  }
}
