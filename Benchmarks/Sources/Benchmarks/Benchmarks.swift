import CPeer
import Foundation
import Quire

@main
struct Benchmarks {
  static func main() async throws {
    if CommandLine.arguments.dropFirst().first == "serve" { exit(peer_serve(33_000)) }
    let yardstick = try Yardstick()
    let page = yardstick.page
    let url = try WebURL(page)
    let transport = CurlTransport { $0.connectionsPerHost = 64 }
    func seq(_ n: Int) async throws {
      for _ in 0..<n { _ = try await transport.send(HTTPRequest(.get, url)) }
    }
    let n = 4000
    let r = try await Task.detached {
      try await compare(
        [
          Contestant(name: "raw") {
            if peer_sequential(page, Int32(n)) < 0 { throw BenchmarkError("raw") }
          },
          Contestant(name: "ours") {
            for _ in 0..<n { _ = try await transport.send(HTTPRequest(.get, url)) }
          },
        ], rounds: 5)
    }.value
    for (k, v) in r { print("seq", k, v.wall / Double(n) * 1e6, v.cpu / Double(n) * 1e6) }
    let m = try await Task.detached {
      try await compare(
        [
          Contestant(name: "raw") {
            if peer_concurrent(page, Int32(n), 64) < 0 { throw BenchmarkError("raw") }
          },
          Contestant(name: "ours") {
            try await withThrowingTaskGroup(of: Void.self) { g in
              for _ in 0..<64 {
                g.addTask {
                  for _ in 0..<(n / 64) { _ = try await transport.send(HTTPRequest(.get, url)) }
                }
              }
              try await g.waitForAll()
            }
          },
        ], rounds: 5)
    }.value
    for (k, v) in m { print("64", k, v.wall / Double(n) * 1e6, v.cpu / Double(n) * 1e6) }
  }
}
