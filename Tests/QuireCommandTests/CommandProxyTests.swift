import Foundation
import Quire
import QuireTesting
import TestSupport
import Testing

@testable import QuireCommand

/// Which proxy the command uses, and what shows of its password.
@Suite(.timeLimit(.minutes(2))) struct CommandProxyTests {
  private static let shelf = Shelf(count: 60)
  private static let password = "hunter2"

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return Self.shelf.page(number: number, #""page":\#(number),"total_pages":3"#)
    }
  }

  /// A host that only a proxy finds.
  private func far(_ server: LoopbackServer) -> String { "http://books.test:\(server.port)/" }

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

  @Test func `a named proxy carries every page, whatever the environment says`() async throws {
    let server = try server()
    let nobody = ["http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"]
    for environment in [[:], nobody, ["no_proxy": "*"]] {
      let proxy = try LoopbackProxy()
      let addresses = [proxy.baseURL, "127.0.0.1:\(proxy.port)", proxy.socksURL]
      for (index, address) in addresses.enumerated() {
        let before = proxy.visits.count
        let result = try await run([far(server), "--proxy", address], environment)
        #expect(result.status == 0, "\(address): \(result.errors)")
        #expect(ids(result.output) == Self.shelf.ids)
        let visits = proxy.visits.dropFirst(before)
        #expect(!visits.isEmpty && visits.allSatisfy { $0.target.contains("books.test") })
        #expect(visits.allSatisfy { $0.kind == (index == 2 ? .socks5 : .forward) })
      }
    }
  }

  @Test func `socks5 looks names up here, socks5h leaves them to the proxy`() async throws {
    let (server, proxy) = (try server(), try LoopbackProxy())
    let here = try await run([far(server), "--proxy", "socks5://127.0.0.1:\(proxy.port)"])
    #expect(here.status == 2 && proxy.visits.isEmpty, "\(here.errors)")
    let there = try await run([far(server), "--proxy", proxy.socksURL])
    #expect(there.status == 0, "\(there.errors)")
    #expect(proxy.visits.first?.target == "books.test:\(server.port)")
    let known = try await run([server.baseURL, "--proxy", "socks5://127.0.0.1:\(proxy.port)"])
    #expect(known.status == 0 && proxy.visits.last?.target == "127.0.0.1:\(server.port)")
  }

  @Test func `without the option the environment says which proxy, and for which hosts none`()
    async throws
  {
    let (server, proxy) = (try server(), try LoopbackProxy())
    for name in ["http_proxy", "all_proxy"] {
      let before = proxy.visits.count
      let result = try await run([far(server)], [name: proxy.baseURL])
      #expect(result.status == 0 && proxy.visits.count > before, "\(name): \(result.errors)")
    }
    let visits = proxy.visits.count
    let direct = try await run(
      [server.baseURL], ["http_proxy": proxy.baseURL, "no_proxy": "127.0.0.1"])
    #expect(direct.status == 0 && proxy.visits.count == visits)
  }

  @Test func `none ignores the environment`() async throws {
    let (server, proxy) = (try server(), try LoopbackProxy())
    let environment = ["http_proxy": proxy.baseURL, "all_proxy": proxy.baseURL]
    let result = try await run([server.baseURL, "--proxy", "none"], environment)
    #expect(result.status == 0 && ids(result.output) == Self.shelf.ids, "\(result.errors)")
    #expect(proxy.visits.isEmpty)
    // So that this can fail: the same without the option goes through the proxy.
    #expect(try await run([server.baseURL], environment).status == 0)
    #expect(!proxy.visits.isEmpty)
  }

  @Test func `user and password are percent-encoded, and reach the proxy as they are`()
    async throws
  {
    let server = try server()
    let proxy = try LoopbackProxy(user: "me@home", password: "p%41:s/w")
    let address = "http://me%40home:p%2541%3As%2Fw@127.0.0.1:\(proxy.port)/"
    let result = try await run([far(server), "--proxy", address])
    #expect(result.status == 0 && ids(result.output) == Self.shelf.ids, "\(result.errors)")
  }

  @Test func `a password of a proxy stands in no error, in no output and in no resume file`()
    async throws
  {
    let server = try server()
    let folder = try TemporaryFolder()
    let proxy = try LoopbackProxy(user: "me", password: "other")
    let secret = "me:\(Self.password)@127.0.0.1"
    let good = try LoopbackProxy(user: "me", password: Self.password)
    let wrong = "http://\(secret):\(proxy.port)"
    // What listens at port 1 is nobody.
    let cases: [([String], [String: String], Int32)] = [
      (["--proxy", wrong], [:], 2), ([], ["http_proxy": wrong], 2),
      (["--proxy", "http://\(secret):1"], [:], 2), ([], ["http_proxy": "http://\(secret):1"], 2),
      (["--proxy", "socks5h://\(secret):1"], [:], 2),
      ([], ["http_proxy": "ftp://\(secret):1"], 2), ([], ["http_proxy": "http://\(secret):x"], 2),
      (["--proxy", "http://\(secret):\(good.port)", "--explain", "--stats"], [:], 0),
    ]
    for (words, environment, status) in cases {
      let state = folder.file("state")
      let result = try await run([far(server), "--resume", state] + words, environment)
      #expect(result.status == status, "\(words) \(environment): \(result.errors)")
      #expect(!(result.output + result.errors).contains(Self.password), "\(result.errors)")
      let kept = folder.text("state")
      #expect(kept.contains("quire") && !kept.contains(Self.password) && !kept.contains("me:"))
      try FileManager.default.removeItem(atPath: state)
    }
    let refused = try await run([far(server), "--proxy", wrong])
    #expect(refused.errors.contains("Look at: --proxy"), "\(refused.errors)")
  }

  @Test(arguments: [
    ("", "it is empty"), ("http://", "HOST is missing"), ("http://:8080", "HOST is missing"),
    ("http://me:hunter2@proxy.test", "PORT is missing"), ("proxy.test", "PORT is missing"),
    ("socks5h://[::1]", "PORT is missing"),
    ("http://me:hunter2@proxy.test:0", "PORT is a number from 1 to 65535"),
    ("http://me:hunter2@proxy.test:70000", "PORT is a number from 1 to 65535"),
    ("http://me:hunter2@proxy.test:80x", "PORT is a number from 1 to 65535"),
    ("https://me:hunter2@proxy.test:80", "only http, socks5 and socks5h are known"),
    ("socks4://me:hunter2@proxy.test:80", "only http, socks5 and socks5h are known"),
    ("http://:hunter2@proxy.test:80", "USER is missing"),
    ("http://@proxy.test:80", "USER is missing"),
    ("http://me:%zzhunter2@proxy.test:80", "USER and PASSWORD are percent-encoded"),
    ("http://me:hunter2%00@proxy.test:80", "USER and PASSWORD have no control characters"),
    ("http://me:hunter2@proxy.test:80/path", "nothing stands behind PORT"),
    ("http://me:hunter2@proxy.test:80?q", "nothing stands behind PORT"),
    ("http://me:hunter2@pro xy.test:80", "HOST can't be read"),
    ("http://me:hunter2@[::1:80", "HOST can't be read"),
  ])
  func `an address of a proxy that can't be meant is told without its password`(
    _ address: String, _ reason: String
  ) {
    #expect(
      refusal(["--proxy=\(address)"]) == "--proxy can't be read: \(reason);"
        + " write none or [http://|socks5://|socks5h://][USER:PASSWORD@]HOST:PORT")
  }

  @Test func `a proxy, a body or an address with a secret is not repeated where it is wrong`() {
    let proxy = "http://me:hunter2@proxy.test:80"
    #expect(refusal(["--proxy", proxy, "--proxy", "none"]) == "--proxy stands there twice")
    #expect(refusal(["--body", "hunter2", "--body", "{}"]) == "--body stands there twice")
    #expect(refusal(["--header", "Bearer hunter2"]) == "--header is 'NAME: VALUE', found no colon")
    let place = "line 1, column 14, where a value was expected"
    #expect(
      refusal(["--body", #"{"password": hunter2}"#]) == "--body is JSON; it is broken at \(place)")
    // The option was forgotten, or the address takes no password.
    #expect(refusal([proxy])?.contains("“http://[redacted]@proxy.test:80” is one too many") == true)
    let refused = refusal([], address: "http://me:hunter2@books.test/")
    #expect(refused?.contains("“http://[redacted]@books.test/” can't be read") == true)
  }

  @Test func `browse takes the same proxies`() throws {
    let words = ["https://x/y", "--proxy", "socks5h://me:pass@[::1]:1080"]
    let browse = try BrowseOptions(try Arguments(words, for: BrowseCommand.spec))
    let crawl = try CrawlOptions(try Arguments(words, for: CrawlCommand.spec))
    for list in [browse.list, crawl.list] {
      #expect(list.proxy == .socks5("socks5h://[::1]:1080", user: "me", password: "pass"))
    }
    let plain = try CrawlOptions(try Arguments(["https://x/y"], for: CrawlCommand.spec))
    #expect(plain.list.proxy == .environment)
  }
}
