#if LIBCURL
  import Foundation
  import QuireTesting
  import ServerAPI
  import TestSupport
  import Testing

  /// Which servers get the client certificate, over real handshakes.
  @Suite(.timeLimit(.minutes(1)), .enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  struct CurlTransportCertificateTests {
    private let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.shared() }

    /// A server that requests a certificate and also accepts a client without one.
    private func server(
      _ handler: @escaping LoopbackServer.Handler = { _ in .text("x") }
    ) throws -> LoopbackServer {
      var tls = LoopbackTLS(try authority.identity(.valid), clientAuthority: authority)
      tls.requiresClientCertificate = false
      var configuration = LoopbackConfiguration()
      configuration.tls = tls
      return try LoopbackServer(configuration, handler: handler)
    }

    private func transport(hasCertificate: Bool = true) throws -> CurlTransport {
      let identity = try authority.identity(.client)
      return CurlTransport {
        $0.authorities = .file(authority.certificatePath)
        if hasCertificate {
          $0.clientCertificate = .init(
            certificate: identity.certificatePath, key: identity.keyPath)
        }
      }
    }

    @Test func `only the origin of the base address gets the certificate`() async throws {
      let other = try server()
      let home = try server { [url = other.baseURL] request in
        request.path == "/away" ? .redirect(to: url + "/landed") : .text("x")
      }
      let client = Server(home.baseURL, transport: try transport())
      _ = try await client.send(Call("/"))
      _ = try await client.send(Call("/away"))
      _ = try await client.send(Call(other.baseURL + "/named"))
      #expect(home.requests.map(\.hasClientCertificate) == [true, true])
      #expect(other.requests.map(\.path) == ["/landed", "/named"])
      #expect(other.requests.map(\.hasClientCertificate) == [false, false])
    }

    @Test func `a call that returns to its origin sends no certificate, over its own connection`()
      async throws
    {
      let home = try server()
      let other = try server { [url = home.baseURL] _ in .redirect(to: url + "/back") }
      home.enqueue(.redirect(to: other.baseURL))
      let client = Server(home.baseURL, transport: try transport())
      _ = try await client.send(Call("/"))
      _ = try await client.send(Call("/again"))
      let requests = home.requests
      #expect(requests.map(\.path) == ["/", "/back", "/again"])
      #expect(requests.map(\.hasClientCertificate) == [true, false, true])
      #expect(requests[0].connection == requests[2].connection)
      #expect(requests[0].connection != requests[1].connection)
    }

    @Test func `a cache separates responses by client certificate`() async throws {
      let home = try server { request in
        .text(request.hasClientCertificate ? "private" : "public")
          .with("Cache-Control", "private, max-age=600")
      }
      let cache = HTTPCache()
      for hasCertificate in [true, false, true, false] {
        let client = Server(home.baseURL, transport: try transport(hasCertificate: hasCertificate)) {
          $0.cache = cache
        }
        let text = try await client.send(Call("/")).body.utf8Text
        #expect(text == (hasCertificate ? "private" : "public"))
      }
      #expect(home.requestCount == 2)
      #expect(await Set(cache.contents().map(\.partition)).count == 2)
    }

    @Test func `two certificates are two identities, and the same one is the same identity`() throws {
      let files = try [TestIdentity.Kind.client, .valid].map(authority.identity)
      let transports = (files + files).map { identity in
        CurlTransport {
          $0.clientCertificate = .init(
            certificate: identity.certificatePath, key: identity.keyPath)
        }
      }
      let identities = transports.map(\.identity)
      #expect(identities[0] == identities[2] && identities[1] == identities[3])
      #expect(Set(identities).count == 2)
      #expect(CurlTransport().identity == nil)
    }

    @Test func `a transport keeps a certificate whose file is removed`() async throws {
      let identity = try authority.identity(.client)
      let copy = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).pem"
      try FileManager.default.copyItem(atPath: identity.certificatePath, toPath: copy)
      let transport = CurlTransport {
        $0.authorities = .file(authority.certificatePath)
        $0.clientCertificate = .init(certificate: copy, key: identity.keyPath)
      }
      try FileManager.default.removeItem(atPath: copy)
      let home = try server()
      _ = try await Server(home.baseURL, transport: transport).send(Call("/"))
      #expect(home.requests.map(\.hasClientCertificate) == [true])
    }
  }
#endif
