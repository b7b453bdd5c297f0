import Foundation
import Quire

/// A fresh page of 33 KB out of the cache, in memory and on disk, against the same page over
/// keep-alive on this machine.
struct CacheBenchmark {
  static let rounds = 11
  static let count = 4_000
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/quire-bench-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let base = "http://127.0.0.1:\(yardstick.port)"
    let network = Server(base)
    let memory = Self.caching(base, .memory())
    let disk = Self.caching(base, .disk(at: URL(filePath: folder)))
    for server in [memory, disk] {
      _ = try await server.send(Call("/page"))
      await server.cache?.flush()
    }
    let comparison = try await Task.detached {
      try await compare(
        [
          Contestant("network") {
            for _ in 0..<Self.count { _ = try await network.send(Call("/page")) }
          },
          Contestant("memory") { try await Self.read(memory) },
          Contestant("disk") { try await Self.read(disk) },
        ], rounds: Self.rounds)
    }.value
    for who in ["network", "memory", "disk"] {
      let each = 1e6 / Double(Self.count)
      report.note(
        String(format: "cached page, %@: %.1f µs", who, comparison.median(who, \.wall) * each))
    }
    report.add(
      "cached page in memory: times faster than loopback",
      comparison.ratio("network", to: "memory", what: \.wall), atLeast: 20)
    report.add(
      "cached page on disk: times faster than loopback",
      comparison.ratio("network", to: "disk", what: \.wall), atLeast: 3)
  }

  private static func caching(_ base: String, _ cache: HTTPCache) -> Server {
    Server(base) {
      $0.cache = cache
    }
  }

  private static func read(_ server: Server) async throws {
    for _ in 0..<count {
      let response = try await server.send(Call("/page"))
      guard response.source.isCache, response.body.count > 30_000 else {
        let why = response.attempts.last?.cache ?? ""
        throw BenchmarkError("the page did not come from the cache: \(why)")
      }
    }
  }
}
