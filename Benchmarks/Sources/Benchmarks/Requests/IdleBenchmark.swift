import Foundation
import Quire

/// What a client costs that has nothing to do.
struct IdleBenchmark {
  static let interval = 3.0

  func run(_ yardstick: Yardstick, _ report: inout Report) async throws {
    let server = Server("http://127.0.0.1:\(yardstick.port)", transport: CurlTransport())
    report.add("threads before the first request", Estimate(Double(loopThreads().count)), atMost: 0)
    _ = try await server.send(Call("/page"))
    // The loop has to come to rest before it is watched.
    try await Task.sleep(for: .milliseconds(200))
    let threads = loopThreads()
    let before = threads.map(wakeups).reduce(0, +)
    try await Task.sleep(for: .seconds(Self.interval))
    let after = threads.map(wakeups).reduce(0, +)
    guard threads.count == 1 else { throw BenchmarkError("\(threads.count) threads, expected 1") }
    report.add(
      "idle client: wake-ups a second", Estimate(Double(after - before) / Self.interval), atMost: 0)
    withExtendedLifetime(server) {}
  }

  /// The threads of transports in this process.
  private func loopThreads() -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.filter { text("/proc/self/task/\($0)/comm") == "quire-curl\n" }
  }

  /// How often a thread went to sleep or was put there.
  private func wakeups(_ thread: String) -> Int {
    text("/proc/self/task/\(thread)/status").split(separator: "\n")
      .filter { $0.contains("ctxt_switches") }
      .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
      .reduce(0, +)
  }

  private func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
