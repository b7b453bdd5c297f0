import Foundation
import QuireTesting
import TestSupport
import Testing

@testable import ServerAPI

/// The effects of a transport on its process. Each test has its own process.
@Suite(.timeLimit(.minutes(1))) struct CurlTransportProcessTests {
  @Test func `the thread of an idle transport never wakes up`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport()
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      let thread = try #require(ownThread(named: "quire-curl"))
      // Only the system reports when the thread is idle: it then waits on a condition and not on a
      // socket, where it would wake up every second.
      try #require(thread.waitsIn != nil)
      while thread.waitsIn != "futex" { sched_yield() }
      let before = thread.switches
      // Meanwhile, a second transport serves calls for a while.
      let other = CurlTransport()
      for _ in 0..<200 { _ = try await other.send(HTTPRequest(.get, server.url())) }
      try #require(thread.waitsIn == "futex")
      try #require(thread.switches == before)
    }
  }

  @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  func `a process can exit while TLS calls are in flight`() async {
    await #expect(processExitsWith: .success) {
      // libcurl initializes OpenSSL first, as in a program without a server in it.
      _ = CurlLibrary.shared
      let authority = try CertificateAuthority.shared()
      let identity = try authority.identity(.valid)
      let server = try LoopbackServer(tls: identity) { _ in .filler(count: 1 << 30) }
      let transport = CurlTransport { $0.tls.authorities = .file(authority.certificatePath) }
      let url = try server.url()
      let entered = Gate()
      for _ in 0..<6 {
        Task.detached {
          var request = HTTPRequest(.get, url, limits: .unlimitedBody)
          request.receiver = { _ in entered.open() }
          _ = try await transport.send(request)
        }
      }
      try await entered.pass()
      exit(0)
    }
  }

  @Test func `a released transport leaves no threads or descriptors`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .filler(count: 100_000) }
      let url = try server.url()
      func use() async throws {
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<40 { group.addTask { _ = try await transport.send(HTTPRequest(.get, url)) } }
          try await group.waitForAll()
        }
      }
      try await use()
      for number in 0..<server.acceptedConnections { try await server.connectionClosed(number) }
      while ownThread(named: "quire-curl") != nil { sched_yield() }
      let before = openDescriptors()
      let known = server.acceptedConnections
      for _ in 0..<20 { try await use() }
      for number in known..<server.acceptedConnections {
        try await server.connectionClosed(number)
      }
      while ownThread(named: "quire-curl") != nil { sched_yield() }
      // The server closes a socket after a short delay; a leak runs into the time limit.
      while openDescriptors() > before { sched_yield() }
    }
  }
}

/// A thread of this process, as the system reports it.
private struct OwnThread {
  let path: String

  /// `futex` while it waits on a lock or a condition, another text while it does anything else;
  /// `nil` if the system does not report it.
  var waitsIn: String? {
    guard let text = systemText(path + "/syscall") else { return nil }
    #if arch(x86_64)
      let futex = "202"
    #else
      let futex = "98"
    #endif
    return text.split(separator: " ").first.map { $0 == futex ? "futex" : String($0) }
  }

  /// The number of times it went to sleep.
  var switches: Int {
    let text = systemText(path + "/status") ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? -1
  }
}

private func ownThread(named name: String) -> OwnThread? {
  let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  for path in all.map({ "/proc/self/task/" + $0 }) {
    let text = systemText(path + "/comm")
    if text?.hasPrefix(name) == true { return OwnThread(path: path) }
  }
  return nil
}

/// The content of a system file; `nil` if its thread has ended.
///
/// A read can fail after the file was opened if the thread ends in between. Foundation's readers
/// then lose their buffer, which leak checking reports.
private func systemText(_ path: String) -> String? {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(file, &bytes, bytes.count)
  return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
}

/// The number of descriptors, but for those of the system's own loop, which it opens with its first timer and keeps: one
/// that polls, one that wakes it, and timers.
private func openDescriptors() -> Int {
  let folder = "/proc/self/fd/"
  let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  let kinds = all.map {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) ?? ""
  }
  let polls = kinds.count { $0.hasSuffix("[eventpoll]") }
  return kinds.count { !$0.hasSuffix("[timerfd]") } - 2 * polls
}
