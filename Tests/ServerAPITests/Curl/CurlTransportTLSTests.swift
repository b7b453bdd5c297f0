#if LIBCURL
  import Foundation
  import QuireTesting
  import ServerAPI
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(1)), .enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  struct CurlTransportTLSTests {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.shared() }

    func transport(
      _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> CurlTransport {
      CurlTransport {
        $0.authorities = .file(authority.certificatePath)
        change(&$0)
      }
    }

    func failure(
      _ kind: TestIdentity.Kind, over transport: CurlTransport
    ) async throws -> RequestError.Kind? {
      let server = try LoopbackServer(tls: authority.identity(kind)) { _ in .text("x") }
      return await transport.failure(HTTPRequest(.get, try server.url()))
    }

    @Test func `a server with a trusted certificate is accepted, and its handshake timed`()
      async throws
    {
      let server = try LoopbackServer(tls: authority.identity(.valid)) { _ in .text("x") }
      let response = try await transport().send(HTTPRequest(.get, server.url()))
      #expect(response.body.utf8Text == "x")
      #expect(response.timings.tls > .zero)
    }

    @Test func `authorities can be given as PEM in memory`() async throws {
      let pem = try Array(String(contentsOfFile: authority.certificatePath, encoding: .utf8).utf8)
      #expect(
        try await failure(.valid, over: CurlTransport { $0.authorities = .pem(pem) }) == nil)
    }

    @Test
    func `expired, mismatched and untrusted certificates are different errors`()
      async throws
    {
      #expect(try await failure(.expired, over: transport()) == .tls(.expired))
      #expect(try await failure(.wrongHost, over: transport()) == .tls(.wrongHost))
      #expect(try await failure(.untrusted, over: transport()) == .tls(.untrusted))
      #expect(try await failure(.valid, over: CurlTransport()) == .tls(.untrusted))
    }

    @Test func `a pinned host is accepted if one of its keys matches and rejected otherwise`()
      async throws
    {
      let pin = try authority.identity(.valid).publicKeyPin()
      let other = String(repeating: "A", count: 43) + "="
      let fits = transport { $0.pins["127.0.0.1"] = .init(current: other, backup: pin) }
      #expect(try await failure(.valid, over: fits) == nil)
      let misses = transport {
        $0.pins["127.0.0.1"] = .init(current: other, backup: "B" + other.dropFirst())
      }
      #expect(try await failure(.valid, over: misses) == .tls(.notPinned))
    }

    @Test func `a matching pin does not make an untrusted certificate trusted`() async throws {
      let pin = try authority.identity(.expired).publicKeyPin()
      let pinned = transport {
        $0.pins["127.0.0.1"] = .init(current: pin, backup: String(repeating: "A", count: 43) + "=")
      }
      #expect(try await failure(.expired, over: pinned) == .tls(.expired))
    }

    @Test func `pins without a backup and invalid pins are rejected as settings`() async throws {
      let pin = String(repeating: "A", count: 43) + "="
      let once = transport { $0.pins["h"] = .init(current: pin, backup: pin) }
      let odd = transport { $0.pins["h"] = .init(current: pin, backup: "sha256/abc") }
      for transport in [once, odd] {
        let kind = await transport.failure(HTTPRequest(.get, try WebURL("https://127.0.0.1:1/")))
        guard case .invalidRequest(let defect) = kind else {
          Issue.record("\(String(describing: kind))")
          continue
        }
        #expect(defect.place == .configuration)
      }
    }

    @Test func `a server that requests a client certificate gets the configured one`() async throws {
      var configuration = LoopbackConfiguration()
      var tls = LoopbackTLS(try authority.identity(.valid))
      tls.clientAuthority = authority
      configuration.tls = tls
      let server = try LoopbackServer(configuration) { _ in .text("x") }
      let identity = try authority.identity(.client)
      let known = transport {
        $0.clientCertificate = .init(certificate: identity.certificatePath, key: identity.keyPath)
      }
      #expect(await known.failure(HTTPRequest(.get, try server.url())) == nil)
      #expect(await transport().failure(HTTPRequest(.get, try server.url())) != nil)
      let missing = transport {
        $0.clientCertificate = .init(certificate: "/nowhere.pem", key: identity.keyPath)
      }
      let kind = await missing.failure(HTTPRequest(.get, try server.url()))
      guard case .tls(.clientCertificate) = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
    }

    @Test(arguments: ["localhost.", "LOCALHOST", "LocalHost."])
    func `pins apply to every spelling of their host`(_ spelling: String) async throws {
      let wrong = String(repeating: "A", count: 43) + "="
      let server = try LoopbackServer(tls: authority.identity(.valid)) { _ in .text("x") }
      for (pinned, asked) in [("localhost", spelling), (spelling, "localhost")] {
        let strict = transport {
          $0.pins[pinned] = .init(current: wrong, backup: "B" + wrong.dropFirst())
        }
        let url = try WebURL("https://\(asked):\(server.port)/")
        #expect(await strict.failure(HTTPRequest(.get, url)) == .tls(.notPinned))
      }
    }

    @Test func `a server with only TLS below 1 2 is rejected`() async throws {
      var configuration = LoopbackConfiguration()
      var tls = LoopbackTLS(try authority.identity(.valid))
      tls.versions = .tls10 ... .tls11
      configuration.tls = tls
      let server = try LoopbackServer(configuration) { _ in .text("x") }
      let kind = await transport().failure(HTTPRequest(.get, try server.url()))
      guard case .tls(.handshake) = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
    }

    @Test func `a missing file of certificate authorities is named`() async throws {
      let kind = try await failure(
        .valid, over: CurlTransport { $0.authorities = .file("/nowhere/ca.pem") })
      guard case .invalidRequest(let defect) = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
      #expect(defect.place == .configuration)
      #expect(defect.problem.contains("/nowhere/ca.pem"))
    }
  }
#endif
