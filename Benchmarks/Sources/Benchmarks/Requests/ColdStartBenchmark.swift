import CPeer
import Foundation
import Quire

/// 64 callers of a transport that has no connection yet, over http and https, against libcurl driven from C.
struct ColdStartBenchmark {
  static let rounds = 11
  /// Transports for each measurement.
  static let starts = 5
  static let width = 64
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    try await measure("http", yardstick.port, authority: nil, &report)
    let folder = FileManager.default.temporaryDirectory.path + "/quire-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
    try Self.makeCertificate(certificate, key)
    let secure = try Yardstick(["serve-tls", "\(yardstick.port)", certificate, key])
    try await measure("https", secure.port, authority: certificate, &report)
    withExtendedLifetime(secure) {}
  }

  private func measure(
    _ scheme: String, _ port: Int, authority: String?, _ report: inout Report
  ) async throws {
    let base = "\(scheme)://127.0.0.1:\(port)"
    let costs = try await Task.detached {
      try await compare(
        [
          Contestant("libcurl") {
            for _ in 0..<Self.starts {
              try peer(
                peer_cold(
                  base + "/page", Int32(Self.width), RequestBenchmark.buffer, authority ?? ""))
            }
          },
          Contestant("Quire") {
            for _ in 0..<Self.starts { try await Self.start(base, authority: authority) }
          },
        ], rounds: Self.rounds)
    }.value
    for who in ["libcurl", "Quire"] {
      report.note(
        String(
          format: "cold start over %@, %@: %.1f ms wall, %.1f ms CPU for 64 callers", scheme, who,
          costs.median(who, \.wall) * 1e3 / Double(Self.starts),
          costs.median(who, \.cpu) * 1e3 / Double(Self.starts)))
    }
    report.add(
      "cold start over \(scheme), 64 callers: wall, times libcurl",
      costs.ratio("Quire", to: "libcurl", what: \.wall), atMost: 1.5)
  }

  private static func start(_ base: String, authority: String?) async throws {
    let transport = CurlTransport {
      $0.connectionsPerHost = width
      if let authority { $0.authorities = .file(authority) }
    }
    let server = Server(base, transport: transport)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<width {
        group.addTask { _ = try await server.send(Call("/page", params: ["caller": caller])) }
      }
      try await group.waitForAll()
    }
  }

  private static func makeCertificate(_ certificate: String, _ key: String) throws {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
      "-out", certificate,
    ]
    openssl.standardError = Pipe()
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw BenchmarkError("openssl failed") }
  }
}
