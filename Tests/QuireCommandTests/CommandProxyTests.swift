#if LIBCURL
  import Foundation
  import Quire
  import QuireTesting
  import TestSupport
  import Testing

  @testable import QuireCommand

  /// The proxy that the command uses, and the secrecy of its password.
  @Suite(.timeLimit(.minutes(2))) struct CommandProxyTests {
    private static let served = ServedRows(count: 60)
    private static let password = "hunter2"

    private func server() throws -> LoopbackServer {
      try LoopbackServer { request in
        let number = request.number("page") ?? 1
        return Self.served.page(number: number, #""page":\#(number),"total_pages":3"#)
      }
    }

    /// The address of a host that only a proxy resolves.
    private func remote(_ server: LoopbackServer) -> String { "http://books.test:\(server.port)/" }

    private func run(
      _ words: [String], _ environment: [String: String] = [:]
    ) async throws -> QuireProcess.Result {
      try await QuireProcess(
        ["crawl"] + words + ["--retries", "0"], environment: environment
      ).end()
    }

    private func refusal(_ words: [String], address: String = "https://x/y") -> String? {
      do throws(UsageError) {
        _ = try CrawlOptions(try Arguments([address] + words, for: CrawlCommand.spec))
        return nil
      } catch {
        return error.description
      }
    }

    @Test func `--proxy carries every page and overrides the environment`() async throws {
      let server = try server()
      let unusable = ["http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"]
      for environment in [[:], unusable, ["no_proxy": "*"]] {
        let proxy = try LoopbackProxy()
        let addresses = [proxy.baseURL, "127.0.0.1:\(proxy.port)", proxy.socksURL]
        for (index, address) in addresses.enumerated() {
          let before = proxy.requests.count
          let result = try await run([remote(server), "--proxy", address], environment)
          #expect(result.status == 0, "\(address): \(result.errors)")
          #expect(ids(result.output) == Self.served.ids)
          let requests = proxy.requests.dropFirst(before)
          #expect(!requests.isEmpty && requests.allSatisfy { $0.target.contains("books.test") })
          #expect(requests.allSatisfy { $0.kind == (index == 2 ? .socks5 : .forward) })
        }
      }
    }

    @Test func `socks5 resolves names locally, socks5h in the proxy`() async throws {
      let (server, proxy) = (try server(), try LoopbackProxy())
      let local = try await run([remote(server), "--proxy", "socks5://127.0.0.1:\(proxy.port)"])
      #expect(local.status == 2 && proxy.requests.isEmpty, "\(local.errors)")
      let resolved = try await run([remote(server), "--proxy", proxy.socksURL])
      #expect(resolved.status == 0, "\(resolved.errors)")
      #expect(proxy.requests.first?.target == "books.test:\(server.port)")
      let known = try await run([server.baseURL, "--proxy", "socks5://127.0.0.1:\(proxy.port)"])
      #expect(known.status == 0 && proxy.requests.last?.target == "127.0.0.1:\(server.port)")
    }

    @Test func `without --proxy the environment chooses the proxy and the hosts without one`()
      async throws
    {
      let (server, proxy) = (try server(), try LoopbackProxy())
      for name in ["http_proxy", "all_proxy"] {
        let before = proxy.requests.count
        let result = try await run([remote(server)], [name: proxy.baseURL])
        #expect(result.status == 0 && proxy.requests.count > before, "\(name): \(result.errors)")
      }
      let requests = proxy.requests.count
      let direct = try await run(
        [server.baseURL], ["http_proxy": proxy.baseURL, "no_proxy": "127.0.0.1"])
      #expect(direct.status == 0 && proxy.requests.count == requests)
    }

    @Test func `none ignores the environment`() async throws {
      let (server, proxy) = (try server(), try LoopbackProxy())
      let environment = ["http_proxy": proxy.baseURL, "all_proxy": proxy.baseURL]
      let result = try await run([server.baseURL, "--proxy", "none"], environment)
      #expect(result.status == 0 && ids(result.output) == Self.served.ids, "\(result.errors)")
      #expect(proxy.requests.isEmpty)
      // Without the option the same request uses the proxy.
      #expect(try await run([server.baseURL], environment).status == 0)
      #expect(!proxy.requests.isEmpty)
    }

    @Test func `user and password are percent-decoded for the proxy`()
      async throws
    {
      let server = try server()
      let proxy = try LoopbackProxy(user: "me@home", password: "p%41:s/w")
      let address = "http://me%40home:p%2541%3As%2Fw@127.0.0.1:\(proxy.port)/"
      let result = try await run([remote(server), "--proxy", address])
      #expect(result.status == 0 && ids(result.output) == Self.served.ids, "\(result.errors)")
    }

    @Test func `errors, output and resume files never contain the password of a proxy`()
      async throws
    {
      let server = try server()
      let folder = try TemporaryFolder()
      let proxy = try LoopbackProxy(user: "me", password: "other")
      let secret = "me:\(Self.password)@127.0.0.1"
      let good = try LoopbackProxy(user: "me", password: Self.password)
      let wrong = "http://\(secret):\(proxy.port)"
      // Nothing listens on port 1.
      let cases: [([String], [String: String], Int32)] = [
        (["--proxy", wrong], [:], 2), ([], ["http_proxy": wrong], 2),
        (["--proxy", "http://\(secret):1"], [:], 2), ([], ["http_proxy": "http://\(secret):1"], 2),
        (["--proxy", "socks5h://\(secret):1"], [:], 2),
        ([], ["http_proxy": "ftp://\(secret):1"], 2), ([], ["http_proxy": "http://\(secret):x"], 2),
        (["--proxy", "http://\(secret):\(good.port)", "--explain", "--stats"], [:], 0),
      ]
      for (words, environment, status) in cases {
        let state = folder.file("state")
        let result = try await run([remote(server), "--resume", state] + words, environment)
        #expect(result.status == status, "\(words) \(environment): \(result.errors)")
        #expect(!(result.output + result.errors).contains(Self.password), "\(result.errors)")
        let kept = folder.text("state")
        // Nothing is recorded before a page has come.
        #expect(status == 0 ? kept.contains("quire") : kept.isEmpty)
        #expect(!kept.contains(Self.password) && !kept.contains("me:"))
        try FileManager.default.removeItem(atPath: state)
      }
      let refused = try await run([remote(server), "--proxy", wrong])
      #expect(refused.errors.contains("; check --proxy"), "\(refused.errors)")
    }

    @Test(arguments: [
      ("", "it is empty"), ("http://", "HOST is missing"), ("http://:8080", "HOST is missing"),
      ("http://me:hunter2@proxy.test", "PORT is missing"), ("proxy.test", "PORT is missing"),
      ("socks5h://[::1]", "PORT is missing"),
      ("http://me:hunter2@proxy.test:0", "PORT must be a number from 1 to 65535"),
      ("http://me:hunter2@proxy.test:70000", "PORT must be a number from 1 to 65535"),
      ("http://me:hunter2@proxy.test:80x", "PORT must be a number from 1 to 65535"),
      ("https://me:hunter2@proxy.test:80", "only http, socks5 and socks5h are supported"),
      ("socks4://me:hunter2@proxy.test:80", "only http, socks5 and socks5h are supported"),
      ("http://:hunter2@proxy.test:80", "USER is missing"),
      ("http://@proxy.test:80", "USER is missing"),
      ("http://me:%zzhunter2@proxy.test:80", "USER and PASSWORD must be percent-encoded"),
      ("http://me:hunter2%00@proxy.test:80", "USER and PASSWORD can't contain control characters"),
      ("http://me:hunter2@proxy.test:80/path", "nothing can follow PORT"),
      ("http://me:hunter2@proxy.test:80?q", "nothing can follow PORT"),
      ("http://me:hunter2@pro xy.test:80", "HOST is invalid"),
      ("http://me:hunter2@[::1:80", "HOST is invalid"),
    ])
    func `the error for an invalid proxy leaves out its password`(
      _ address: String, _ reason: String
    ) {
      #expect(
        refusal(["--proxy=\(address)"]) == "invalid --proxy: \(reason);"
          + " use none or [http://|socks5://|socks5h://][USER:PASSWORD@]HOST:PORT")
    }

    @Test func `errors don't repeat a proxy, body or address with a secret`() {
      let proxy = "http://me:hunter2@proxy.test:80"
      #expect(refusal(["--proxy", proxy, "--proxy", "none"]) == "--proxy was given twice")
      #expect(refusal(["--body", "hunter2", "--body", "{}"]) == "--body was given twice")
      #expect(
        refusal(["--header", "Bearer hunter2"])
          == "--header must be 'NAME: VALUE': the name or the colon is missing")
      #expect(
        refusal(["--body", #"{"password": hunter2}"#])
          == "--body is not valid JSON: expected a value at line 1, column 14")
      // The option name is missing, or the address can't contain a password.
      #expect(
        refusal([proxy])?.contains("unexpected argument “http://[redacted]@proxy.test:80”") == true)
      let refused = refusal([], address: "http://me:hunter2@books.test/")
      #expect(refused?.contains("the address “http://[redacted]@books.test/”") == true)
    }

    @Test func `browse accepts the same proxies`() throws {
      let words = ["https://x/y", "--proxy", "socks5h://me:pass@[::1]:1080"]
      let browse = try BrowseOptions(try Arguments(words, for: BrowseCommand.spec))
      let crawl = try CrawlOptions(try Arguments(words, for: CrawlCommand.spec))
      for list in [browse.list, crawl.list] {
        #expect(list.connection.proxy == .socks5("socks5h://[::1]:1080", user: "me", password: "pass"))
      }
      let plain = try CrawlOptions(try Arguments(["https://x/y"], for: CrawlCommand.spec))
      #expect(plain.list.connection.proxy == .environment)
    }
  }
#endif
