import CPeer
import Foundation
import Quire

/// Measures what users feel and holds it against the best that can be had beside it, in one run.
///
/// Without arguments all rows are measured, printed and written to `latest.json`. The other
/// commands are the processes that it starts for itself.
@main
struct Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "serve": exit(peer_serve(33_000))
    case "stream-memory": try await StreamBenchmark.printMemory(url: arguments.last ?? "")
    default: try await measure()
    }
  }

  static func measure() async throws {
    // First of all, while nothing has been used yet.
    var report = Report()
    let idle = IdleBenchmark()
    let yardstick = try Yardstick()
    try await idle.run(yardstick, &report)
    try await RequestBenchmark(yardstick).run(&report)
    try await StreamBenchmark(yardstick).run(&report)
    report.print()
    try report.write(to: "latest.json")
  }
}
