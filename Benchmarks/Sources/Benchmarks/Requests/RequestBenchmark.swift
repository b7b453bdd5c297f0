import CPeer
import Foundation
import Quire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A page of 33 KB over keep-alive on this machine, one after another and 64 at a time, against
/// libcurl driven from C with the body thrown away, and against URLSession.
struct RequestBenchmark {
  static let rounds = 11
  static let count = 4_000
  static let width = 64
  /// The same receive buffer for libcurl as Quire asks of it, so that both read a page at once.
  static let buffer = 64 << 10
  let yardstick: Yardstick
  let machine: Machine

  init(_ yardstick: Yardstick, _ machine: Machine) {
    (self.yardstick, self.machine) = (yardstick, machine)
  }

  func run(_ report: inout Report) async throws {
    let page = yardstick.page
    let server = Server(
      "http://127.0.0.1:\(yardstick.port)",
      transport: CurlTransport { $0.connectionsPerHost = Self.width })
    let session = Self.session()
    guard let url = URL(string: page) else { throw BenchmarkError("no address") }

    // From a detached task: one on the main actor would pay for a hop that others do not pay.
    let oneByOne = try await Task.detached {
      try await compare(
        [
          Contestant("libcurl") {
            try peer(peer_sequential(page, Int32(Self.count), Self.buffer))
          },
          Contestant("Quire") {
            for _ in 0..<Self.count { _ = try await server.send(Call("/page")) }
          },
          Contestant("URLSession") {
            for _ in 0..<Self.count { _ = try await session.data(from: url) }
          },
          // From the caller to the thread of the transport and back.
          Contestant("two wake-ups") { _ = peer_wake_up(Int32(Self.count)) },
        ], rounds: Self.rounds)
    }.value
    // Where waking a thread costs more than a page, that is what would be measured.
    if machine.wakeUp > 15 {
      report.add(
        "one by one: wall, times libcurl and two wake-ups",
        oneByOne.ratio("Quire", to: "libcurl", "two wake-ups", what: \.wall), atMost: 1.1)
    } else {
      report.add(
        "one by one: wall, times libcurl", oneByOne.ratio("Quire", to: "libcurl", what: \.wall),
        atMost: 1.3)
    }
    add("one by one", oneByOne, urlSessionGoal: 4, &report)

    let atOnce = try await Task.detached {
      try await compare(
        [
          Contestant("libcurl") {
            try peer(peer_concurrent(page, Int32(Self.count), Int32(Self.width), Self.buffer))
          },
          // Each caller asks for an address of its own, so that none is served by another's answer.
          Contestant("Quire") {
            try await Self.concurrently { caller in
              _ = try await server.send(Call("/page", params: ["caller": caller]))
            }
          },
          Contestant("URLSession") {
            try await Self.concurrently { _ in _ = try await session.data(from: url) }
          },
        ], rounds: Self.rounds)
    }.value
    report.add(
      "64 callers: wall, times libcurl", atOnce.ratio("Quire", to: "libcurl", what: \.wall),
      atMost: 1.25)
    add("64 callers", atOnce, urlSessionGoal: 8, &report)
  }

  private func add(
    _ name: String, _ comparison: Comparison, urlSessionGoal: Double, _ report: inout Report
  ) {
    for who in ["libcurl", "Quire", "URLSession"] {
      let each = 1e6 / Double(Self.count)
      report.note(
        String(
          format: "%@, %@: %.1f µs wall, %.1f µs CPU for each page", name, who,
          comparison.median(who, \.wall) * each, comparison.median(who, \.cpu) * each))
    }
    report.add(
      "\(name): CPU, times libcurl", comparison.ratio("Quire", to: "libcurl", what: \.cpu),
      atMost: 1.8)
    report.add(
      "\(name): times faster than URLSession",
      comparison.ratio("URLSession", to: "Quire", what: \.wall), atLeast: urlSessionGoal)
  }

  private static func concurrently(
    _ work: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<width {
        group.addTask { for _ in 0..<(count / width) { try await work(caller) } }
      }
      try await group.waitForAll()
    }
  }

  static func session(_ connections: Int = width) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = connections
    return URLSession(configuration: configuration)
  }
}

/// A peer that failed must not count as a fast one.
func peer(_ bytes: Int64) throws {
  if bytes <= 0 { throw BenchmarkError("the peer failed") }
}
