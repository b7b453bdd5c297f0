import CPeer
import Foundation

/// What figures depend on besides the program, and whether the machine was left alone.
struct Machine {
  /// How long one thread takes to wake another, in µs. Half a page is spent with it where it is high.
  let wakeUp: Double
  private let load: String
  private let before: Times
  /// The part of the time in which somebody else had the processor, just before.
  private let busy: Double

  /// Looks at the machine for a second.
  init() async throws {
    let first = Times()
    try await Task.sleep(for: .seconds(1))
    before = Times()
    load = Self.averageLoad()
    busy = before.busy(since: first)
    // The mean of many: where both threads are on one processor it takes far less, and the scheduler chooses.
    let times = (0..<40).map { _ in peer_wake_up(250) * 1e6 }
    guard times.allSatisfy({ $0 >= 0 }) else { throw BenchmarkError("no thread could be started") }
    wakeUp = times.reduce(0, +) / Double(times.count)
  }

  /// The facts for a report, at its end.
  func facts() -> [String: String] {
    let steal = Times().steal(since: before)
    var facts = [
      "processor": "\(Self.processor()), \(ProcessInfo.processInfo.activeProcessorCount) cores",
      "load before and after": "\(load) and \(Self.averageLoad())",
      "time stolen by other machines": String(format: "%.1f %%", steal * 100),
      "wake-up of a thread": String(format: "%.1f µs", wakeUp),
    ]
    if busy > 0.05 || steal > 0.01 {
      facts["warning"] = String(
        format: "the machine was not quiet: %.0f %% of it was in use before, %.1f %% was stolen",
        busy * 100, steal * 100)
    }
    return facts
  }

  private static func processor() -> String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
  }

  private static func averageLoad() -> String {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    return text.split(separator: " ").first.map(String.init) ?? "unknown"
  }

  /// What all processors did since the machine was started, in ticks.
  private struct Times {
    private let ticks: [Double]

    init() {
      let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first ?? ""
      // user nice system idle iowait irq softirq steal; guests are contained in user and nice.
      ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    }

    func busy(since other: Times) -> Double { 1 - part([3, 4], since: other) }
    func steal(since other: Times) -> Double { part([7], since: other) }

    private func part(_ columns: [Int], since other: Times) -> Double {
      let grown = zip(ticks, other.ticks).map { $0 - $1 }
      let all = grown.reduce(0, +)
      guard grown.count == 8, all > 0 else { return 0 }
      return columns.reduce(0) { $0 + grown[$1] } / all
    }
  }
}
