import CPeer
import Foundation
import Quire
import Synchronization

/// A body of one gigabyte that goes to a receiver, against libcurl that throws it away.
struct StreamBenchmark {
  static let bytes = 1 << 30
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let address = yardstick.stream(Self.bytes)
    let costs = try await Task.detached {
      try await compare(
        [
          Contestant("libcurl") { try peer(peer_sequential(address, 1, 256 << 10)) },
          Contestant("Quire") { try await Self.receive(address) },
        ], rounds: 11)
    }.value
    for who in ["libcurl", "Quire"] {
      report.note(
        String(
          format: "1 GiB streamed, %@: %.2f GB/s, %.2f s CPU", who,
          Double(Self.bytes) / costs.median(who, \.wall) / 1e9, costs.median(who, \.cpu)))
    }
    report.add(
      "1 GiB streamed: part of libcurl's rate", costs.ratio("libcurl", to: "Quire", what: \.wall),
      atLeast: 0.85)
    report.add(
      "1 GiB streamed: CPU, times libcurl", costs.ratio("Quire", to: "libcurl", what: \.cpu),
      atMost: 1.5)
    let memory = try output(of: ["stream-memory", address])
    guard let mebibytes = Double(memory) else { throw BenchmarkError("no figure: \(memory)") }
    report.add("1 GiB streamed: extra memory in MiB", Estimate(mebibytes), atMost: 4)
  }

  private static func receive(_ address: String) async throws {
    let received = Mutex(0)
    _ = try await Server("http://127.0.0.1").stream(Call(address)) { piece in
      received.withLock { $0 += piece.count }
    }
    guard received.withLock({ $0 }) == bytes else { throw BenchmarkError("not all arrived") }
  }

  /// Prints by how much the peak of this process grows: in a process that has done nothing else but
  /// one small exchange, which brings in the libraries.
  static func printMemory(url: String) async throws {
    let page = url.replacing(/stream.*/, with: "page")
    _ = try await Server("http://127.0.0.1").send(Call(page))
    let before = peakMemory()
    try await receive(url)
    print(Double(peakMemory() - before) / 1024)
  }
}
