#if LIBCURL
  import Foundation
  import QuireTesting
  import ServerAPI
  import Support
  import Testing

  /// The memory cost of hostile responses. Each test has its own process, where nothing else uses memory.
  @Suite(.timeLimit(.minutes(1)), .enabled(if: !isSanitized, "sanitizers take memory of their own"))
  struct CurlTransportMemoryTests {
    @Test func `an announced length costs no memory before the bytes arrive`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in
          .fault(.raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\nx".utf8)))
        }
        let growth = try await memoryGrowth {
          for _ in 0..<4 {
            var request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody)
            request.timeouts.idle = .milliseconds(100)
            try #require(await CurlTransport().failure(request) != nil)
          }
        }
        try #require(growth < 24 << 20, "\(growth >> 20) MiB")
      }
    }

    @Test func `a decompression bomb is stopped before it uses much more than its limit`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .bomb(decodedBytes: 1 << 30) }
        let growth = try await memoryGrowth {
          let kind = await CurlTransport().failure(HTTPRequest(.get, try server.url()))
          try #require(kind == .tooLarge(.decompressionRatio, allowed: 200))
        }
        try #require(growth < 32 << 20, "\(growth >> 20) MiB")
      }
    }

    @Test func `a body compressed to a thousandth streams in little memory`() async {
      await #expect(processExitsWith: .success) {
        let size = 300 << 20
        let server = try LoopbackServer { _ in .bomb(decodedBytes: size) }
        let growth = try await memoryGrowth {
          let received = Lock(0)
          var request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody)
          request.limits.decompressionRatio = .max
          request.receiver = { piece in received.withLock { $0 += piece.count } }
          _ = try await CurlTransport().send(request)
          try #require(received.withLock { $0 } == size)
        }
        try #require(growth < 16 << 20, "\(growth >> 20) MiB")
      }
    }

    @Test func `a slow receiver slows the server down instead of filling memory`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .filler(count: 200 << 20) }
        let other = try LoopbackServer { _ in .text("x") }
        let transport = CurlTransport()
        let growth = try await memoryGrowth {
          let gate = Gate()
          var request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody)
          request.receiver = { _ in try await gate.pass() }
          let slow = request
          let task = Task { try await transport.send(slow) }
          await gate.reached()
          for _ in 0..<500 { _ = try await transport.send(HTTPRequest(.get, other.url())) }
          gate.open()
          try #require(try await task.value.timings.decodedBytes == 200 << 20)
        }
        try #require(growth < 16 << 20, "\(growth >> 20) MiB")
      }
    }
  }

  /// Set by the targets that build with a sanitizer.
  private let isSanitized = ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] != nil

  /// Returns the growth of the process's peak memory during `work`.
  private func memoryGrowth(_ work: () async throws -> Void) async throws -> Int {
    // Creates connections and threads and loads libraries before the measurement.
    let server = try LoopbackServer { _ in .text("warm") }
    _ = try await CurlTransport().send(HTTPRequest(.get, server.url()))
    let before = residentBytes()
    try await work()
    return peakResidentBytes() - before
  }
#endif
