import QuireTesting
import Support
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
/// The server's TLS, as the system's `openssl s_client` sees it.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSSupport.isAvailable))
struct LoopbackTLSTests {
  private let authority: CertificateAuthority

  init() throws { authority = try CertificateAuthority.shared() }

  @Test func `TLS carries head and body of two responses on one connection`() throws {
    let server = try LoopbackServer(tls: authority.identity()) { .text("secret \($0.path)") }
    let output = try openssl(server.port, trusting: authority, requests: ["/1", "/2"])
    #expect(output.contains("secret /1HTTP/1.1 200 OK\r\n"))
    #expect(output.hasSuffix("secret /2"))
    #expect(server.baseURL == "https://127.0.0.1:\(server.port)")
    #expect(server.requests.map(\.connection) == [0, 0])
  }

  @Test(arguments: [
    (TestIdentity.Kind.valid, "Verification: OK"),
    (.expired, "certificate has expired"),
    (.wrongHost, "hostname mismatch"),
    (.untrusted, "self-signed certificate"),
  ])
  func `each kind of certificate has its own verification result`(
    kind: TestIdentity.Kind, verdict: String
  ) throws {
    let server = try LoopbackServer(tls: authority.identity(kind)) { _ in .text("x") }
    let output = try openssl(server.port, trusting: authority, isQuiet: false)
    #expect(output.contains(verdict))
  }

  @Test func `a separate authority is not trusted by default`() throws {
    let other = try CertificateAuthority()
    let server = try LoopbackServer(tls: other.identity()) { _ in .text("x") }
    let refused = try openssl(server.port, trusting: authority, isQuiet: false)
    #expect(refused.contains("unable to get local issuer certificate"))
    let accepted = try openssl(server.port, trusting: other, isQuiet: false)
    #expect(accepted.contains("Verification: OK"))
  }

  @Test func `a required client certificate admits only clients that have it`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.tls = LoopbackTLS(try authority.identity(), clientAuthority: authority)
    let server = try LoopbackServer(configuration) { _ in .text("welcome") }
    let client = try authority.identity(.client)
    let known = try openssl(
      server.port, trusting: authority,
      options: "-cert '\(client.certificatePath)' -key '\(client.keyPath)'")
    #expect(known.hasSuffix("welcome"))
    #expect(server.failedTLSHandshakes == 0)
    let unknown = try openssl(server.port, trusting: authority)
    #expect(!unknown.contains("welcome"))
    try await server.tlsHandshakesFailed()
    #expect(server.requestCount == 1)
  }

  @Test func `old TLS versions work only without a minimum version`() throws {
    var configuration = LoopbackConfiguration()
    configuration.tls = LoopbackTLS(try authority.identity(), versions: .tls11 ... .tls11)
    let server = try LoopbackServer(configuration) { _ in .text("old") }
    let modern = try openssl(server.port, trusting: authority, options: "-tls1_2")
    #expect(!modern.contains("old"))
    let ancient = try openssl(
      server.port, trusting: authority, options: "-tls1_1 -cipher ALL:@SECLEVEL=0")
    #expect(ancient.hasSuffix("old"))
  }

  @Test func `the pin is the digest of the public key`() throws {
    let identity = try authority.identity()
    let pin = try identity.publicKeyPin()
    #expect(Data(base64Encoded: pin)?.count == 32)
    #expect(
      try shell(
        "openssl pkey -in '\(identity.keyPath)' -pubout -outform der 2>/dev/null"
          + " | openssl dgst -sha256 -binary | base64") == pin + "\n")
    #expect(try authority.identity(.client).publicKeyPin() != pin)
  }

  @Test func `a certificate kind is made once, and removed with the authority`() throws {
    var own: CertificateAuthority? = try CertificateAuthority()
    let paths = [
      try #require(own).certificatePath, try #require(own).identity().certificatePath,
    ]
    #expect(try own?.identity().certificatePath == paths[1])
    #expect(paths.allSatisfy { access($0, R_OK) == 0 })
    own = nil
    #expect(paths.allSatisfy { access($0, F_OK) == -1 })
  }

  @Test(arguments: [LoopbackFault.close(.headSent), .halfClose(.headSent)])
  func `a cut connection differs from an intended end`(fault: LoopbackFault) throws {
    let server = try LoopbackServer(tls: authority.identity())
    server.enqueue(.fault(fault))
    let output = try openssl(server.port, trusting: authority, isQuiet: false)
    let isCut = output.contains("unexpected eof")
    #expect(isCut == (fault == .close(.headSent)))
  }

  @Test func `each server negotiates the protocol it speaks`() throws {
    let plain = try LoopbackServer(tls: authority.identity()) { _ in .text("x") }
    let multiplexing = try LoopbackH2Server(tls: authority.identity())
    let options = "-alpn h2,http/1.1"
    let first = try openssl(plain.port, trusting: authority, isQuiet: false, options: options)
    #expect(first.contains("ALPN protocol: http/1.1"))
    let second = try openssl(
      multiplexing.port, trusting: authority, isQuiet: false, options: options)
    #expect(second.contains("ALPN protocol: h2"))
  }

  @Test func `a client without a handshake is closed when the server stops`() async throws {
    let server = try LoopbackServer(tls: authority.identity())
    let client = try RawClient(port: server.port)
    try await server.accepted(1)
    server.stop()
    #expect(client.readToEnd().end == .closed)
    await server.finished()
  }

  /// Sends requests through `openssl s_client`, the last of which closes the connection, and returns its
  /// output.
  private func openssl(
    _ port: Int, trusting authority: CertificateAuthority, requests: [String] = ["/"],
    isQuiet: Bool = true, options: String = ""
  ) throws -> String {
    var text = ""
    for path in requests {
      let close = path == requests.last ? "Connection: close\\r\\n" : ""
      text += "GET \(path) HTTP/1.1\\r\\n\(close)\\r\\n"
    }
    return try shell(
      "printf '\(text)' | openssl s_client -connect 127.0.0.1:\(port) -ign_eof"
        + " -verify_hostname localhost -CAfile '\(authority.certificatePath)'"
        + " \(isQuiet ? "-quiet 2>/dev/null" : "2>&1") \(options)")
  }

  private func shell(_ command: String) throws -> String {
    let pipe = try #require(popen(command, "r"))
    var out: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&room, 1, room.count, pipe), count > 0 { out += room[..<count] }
    pclose(pipe)
    return String(decoding: out, as: UTF8.self)
  }
}
