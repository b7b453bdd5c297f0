#if LIBCURL
  import Foundation
  import QuireTesting
  import ServerAPI
  import TestSupport
  import Testing

  /// Proxies of both kinds, Unix sockets and host overrides.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportProxyTests {
    @Test func `plain requests go to the proxy, with credentials for it`()
      async throws
    {
      let proxy = try LoopbackProxy(user: "me", password: "s e:cret")
      let server = try LoopbackServer { request in .text(request.target) }
      let transport = CurlTransport {
        $0.proxy = .http(proxy.baseURL, user: "me", password: "s e:cret")
      }
      let url = try WebURL("http://any.name.test:\(server.port)/a?b=c")
      let response = try await transport.send(HTTPRequest(.get, url))
      #expect(response.body.utf8Text == "/a?b=c")
      #expect(proxy.requests.map(\.kind) == [.forward])
      #expect(proxy.requests.map(\.target) == [url.description])
      // The server does not get them.
      #expect(try await server.request(at: 0).header("Proxy-Authorization") == nil)
    }

    @Test(arguments: ["p%41:s/w", "100%", "%zz", "a@b c", "ä"])
    func `credentials reach the proxy unchanged`(_ text: String) async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let proxy = try LoopbackProxy(user: text.replacing(":", with: ""), password: text)
      let transport = CurlTransport {
        $0.proxy = .http(proxy.baseURL, user: text.replacing(":", with: ""), password: text)
      }
      let response = try await transport.send(HTTPRequest(.get, try server.url()))
      #expect(response.status == 200)
    }

    @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
    func `TLS requests go through a tunnel and the certificate is the server's`() async throws {
      let authority = try CertificateAuthority.shared()
      let proxy = try LoopbackProxy(user: "me", password: "secret")
      let server = try LoopbackServer(tls: authority.identity(.valid)) { _ in .text("x") }
      func transport(_ password: String) -> CurlTransport {
        CurlTransport {
          $0.proxy = .http(proxy.baseURL, user: "me", password: password)
          $0.authorities = .file(authority.certificatePath)
        }
      }
      let known = transport("secret")
      let headers: HTTPHeaders = ["Authorization": "Bearer private"]
      for _ in 0..<2 {
        let request = HTTPRequest(.get, try server.url(), headers: headers)
        let response = try await known.send(request)
        #expect(response.body.utf8Text == "x")
        #expect(response.headers["Connection"] == nil)
      }
      #expect(proxy.requests.map(\.kind) == [.tunnel])
      #expect(proxy.requests.map(\.target) == ["127.0.0.1:\(server.port)"])
      let head = String(decoding: proxy.requests[0].head, as: UTF8.self)
      #expect(!head.contains("private"))
      #expect(
        await transport("wrong").failure(HTTPRequest(.get, try server.url()))
          == .proxy("the proxy responded with 407"))
      // The certificate must be for the name in the address.
      let other = HTTPRequest(.get, try WebURL("https://other.test:\(server.port)/"))
      #expect(await known.failure(other) == .tls(.wrongHost))
    }

    @Test func `a SOCKS proxy gets the host name, not an address`() async throws {
      let proxy = try LoopbackProxy()
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.proxy = .socks5("127.0.0.1:\(proxy.port)") }
      let url = try WebURL("http://any.name.test:\(server.port)/")
      #expect(try await transport.send(HTTPRequest(.get, url)).body.utf8Text == "x")
      #expect(proxy.requests.map(\.kind) == [.socks5])
      #expect(proxy.requests.map(\.target) == ["any.name.test:\(server.port)"])
      let closed = try LoopbackDeadEnd.refusing()
      let kind = await transport.failure(
        HTTPRequest(.get, try WebURL("http://any.name.test:\(closed.port)/")))
      guard case .proxy = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
    }

    @Test(arguments: ["http", "https"])
    func `a proxy that refuses, closes the connection or is not a proxy is named as the cause`(
      scheme: String
    ) async throws {
      let target = try WebURL("\(scheme)://any.name.test/")
      let refusing = try LoopbackDeadEnd.refusing()
      let closing = try LoopbackServer { _ in .fault(.close(.requestHeadRead)) }
      let garbage = try LoopbackServer { _ in .fault(.garbageStatusLine) }
      let absent = try LoopbackServer()
      absent.enqueue(.fault(.close(.accepted)))
      let proxies: [CurlTransport.Proxy] = [
        .http(refusing.baseURL), .socks5("127.0.0.1:\(refusing.port)"),
        .socks5("127.0.0.1:\(absent.port)"), .http("http://no.such.proxy.invalid:3128"),
        .http(closing.baseURL), .http(garbage.baseURL),
      ]
      for (index, proxy) in proxies.enumerated() {
        let transport = CurlTransport { $0.proxy = proxy }
        let kind = await transport.failure(HTTPRequest(.get, target))
        switch kind {
        case .proxy: break
        // In forwarded requests, the proxy's response can't be distinguished from the server's.
        case .connectionLost, .protocolViolation:
          #expect(index >= 4 && scheme == "http", "\(proxy)")
        default: #expect(kind == .proxy(""), "number \(index)")
        }
      }
    }

    @Test(arguments: [
      "htp://me:secret@127.0.0.1:1", "http://me:secret@127.0.0.1:1", "me:secret@no.such.invalid:1",
      "http://me:secret@127.0.0.1:99999999", "socks9://me:secret@x:1",
      "https://me:secret@127.0.0.1:1",
    ])
    func `an error never contains the password of the proxy`(address: String) async throws {
      for proxy in [CurlTransport.Proxy.http(address), .socks5(address)] {
        let transport = CurlTransport { $0.proxy = proxy }
        do throws(RequestError) {
          _ = try await transport.send(HTTPRequest(.get, WebURL("http://127.0.0.1:1/")))
          Issue.record("it succeeded")
        } catch {
          #expect(!"\(error) \(error.kind)".contains("secret"))
        }
      }
    }

    @Test func `the environment names a proxy only for transports that use it`() async {
      await #expect(processExitsWith: .success) {
        let proxy = try LoopbackProxy()
        let server = try LoopbackServer { _ in .text("x") }
        for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
          setenv(name, proxy.baseURL, 1)
        }
        setenv("no_proxy", "direct.test", 1)
        let url = try server.url()
        _ = try await CurlTransport().send(HTTPRequest(.get, url))
        try #require(proxy.requests.isEmpty)
        let transport = CurlTransport { $0.proxy = .environment }
        _ = try await transport.send(HTTPRequest(.get, url))
        try #require(proxy.requests.map(\.kind) == [.forward])
        // Hosts in no_proxy, and all hosts if nothing is set, are connected directly.
        let closed = try LoopbackDeadEnd.refusing()
        setenv("no_proxy", "127.0.0.1", 1)
        let direct = await CurlTransport { $0.proxy = .environment }.failure(
          HTTPRequest(.get, try WebURL(closed.baseURL)))
        try #require(direct == .connectRefused)
      }
    }

    @Test func `a Unix socket replaces every host`() async throws {
      let path = NSTemporaryDirectory() + "quire-\(UInt32.random(in: .min ... .max)).sock"
      var configuration = LoopbackConfiguration()
      configuration.address = .unix(path: path)
      let server = try LoopbackServer(configuration) { request in .text(request.target) }
      let transport = CurlTransport { $0.unixSocket = path }
      for _ in 0..<2 {
        let request = HTTPRequest(.get, try WebURL("http://no.such.name.invalid/a"))
        #expect(try await transport.send(request).body.utf8Text == "/a")
      }
      #expect(try await server.request(at: 0).header("Host") == "no.such.name.invalid")
      #expect(server.acceptedConnections == 1)
      let missing = CurlTransport { $0.unixSocket = path + ".none" }
      let kind = await missing.failure(HTTPRequest(.get, try WebURL("http://x.test/")))
      guard case .connectFailed = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
    }

    @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
    func `a host override does not change the expected certificate`() async throws {
      let authority = try CertificateAuthority.shared()
      let right = try LoopbackServer(tls: authority.identity(.wrongHost)) { _ in .text("x") }
      let transport = CurlTransport {
        $0.authorities = .file(authority.certificatePath)
        $0.hostOverrides = [
          "elsewhere.test:443": "127.0.0.1:\(right.port)",
          "other.test:443": "127.0.0.1:\(right.port)",
        ]
      }
      let url = try WebURL("https://elsewhere.test/")
      #expect(try await transport.send(HTTPRequest(.get, url)).body.utf8Text == "x")
      #expect(try await right.request(at: 0).header("Host") == "elsewhere.test")
      let other = HTTPRequest(.get, try WebURL("https://other.test/"))
      #expect(await transport.failure(other) == .tls(.wrongHost))
    }

    static let contradictions: [(String, @Sendable (inout CurlTransport.Configuration) -> Void)] = [
      ("proxy", { $0.proxy = .http("") }), ("proxy", { $0.proxy = .socks5("", user: "a") }),
      ("unixSocket", { $0.unixSocket = "" }),
      ("unixSocket", { $0.unixSocket = String(repeating: "a", count: 200) }),
      ("hostOverrides", { $0.hostOverrides = ["api.test": "127.0.0.1:80"] }),
      ("hostOverrides", { $0.hostOverrides = ["api.test:80": "127.0.0.1"] }),
      ("hostOverrides", { $0.hostOverrides = ["api.test:80": "127.0.0.1:x"] }),
      ("hostOverrides", { $0.hostOverrides = ["a.test:80": "b:80", "A.test.:80": "c:80"] }),
      ("pins", { $0.pins = ["API.test": pins, "api.test.": pins] }),
      ("pins", { $0.pins = ["api.test:443": pins] }),
      ("pins", { $0.pins = ["https://api.test": pins] }),
    ]
    static let pins = CurlTransport.PinnedKeys(
      current: String(repeating: "A", count: 43) + "=",
      backup: String(repeating: "B", count: 43) + "=")

    @Test(arguments: contradictions.indices)
    func `a setting without effect is rejected by name`(index: Int) async throws {
      let (word, change) = Self.contradictions[index]
      let transport = CurlTransport(configure: change)
      let kind = await transport.failure(HTTPRequest(.get, try WebURL("http://127.0.0.1:1/")))
      guard case .invalidRequest(let defect) = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
      #expect(defect.place == .configuration)
      #expect(defect.problem.contains(word))
    }
  }
#endif
