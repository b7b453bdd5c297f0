import Foundation
import QuireTesting
import TestSupport
import Testing

@testable import QuireCommand

/// The requests that the command sends.
@Suite(.timeLimit(.minutes(1))) struct CrawlRequestTests {
  private static let one = #"{"data":[{"id":1}]}"#

  @Test func `method, body and headers are sent with every page`() async throws {
    let server = try LoopbackServer { request in
      let isSecond = String(decoding: request.body, as: UTF8.self).contains("behind")
      return .json(
        isSecond ? #"{"data":[{"id":2}]}"# : #"{"data":[{"id":1}],"last":{"n":1.10}}"#)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL + "/scan?key=1", "--method", "put", "--body", #"{"table":"x"}"#,
      "--header", "X-One: 1", "--header", "Accept: text/plain", "--cursor", "last",
      "--cursor-into", "body:behind.key")
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == [1, 2])
    let (first, second) = (try await server.request(at: 0), try await server.request(at: 1))
    #expect(String(decoding: first.body, as: UTF8.self) == #"{"table":"x"}"#)
    #expect(
      String(decoding: second.body, as: UTF8.self) == #"{"table":"x","behind":{"key":{"n":1.10}}}"#)
    for request in [first, second] {
      #expect(request.method == "PUT" && request.target == "/scan?key=1")
      #expect(request.header("X-One") == "1" && request.header("Accept") == "text/plain")
      #expect(request.header("Content-Type") == "application/json")
    }
  }

  @Test func `a body is read from a file and posted`() async throws {
    let server = try LoopbackServer { _ in .json(Self.one) }
    let folder = try TemporaryFolder()
    try #"{"query":1}"#.write(toFile: folder.file("body"), atomically: true, encoding: .utf8)
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--body", "@" + folder.file("body"), "--paging", "none")
    #expect(result.status == 0 && result.output == "{\"id\":1}\n")
    let request = try await server.request(at: 0)
    #expect(request.method == "POST")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"query":1}"#)
    let missing = try await QuireProcess.run("crawl", server.baseURL, "--body", "@/no/such")
    #expect(missing.status == 1 && server.requestCount == 1)
  }

  @Test func `a slow response exceeds --timeout`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in LoopbackResponse.json(Self.one).held(by: gate) }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--timeout", "0.2", "--retries", "0")
    #expect(result.status == 2 && result.errors.contains("timed out"), "\(result.errors)")
    gate.open()
  }

  @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  func `certificate files are used for the server and the client`() async throws {
    let authority = try CertificateAuthority.shared()
    let identity = try authority.identity(.valid)
    var configuration = LoopbackConfiguration()
    configuration.tls = LoopbackTLS(identity, clientAuthority: authority)
    let strict = try LoopbackServer(configuration) { _ in .json(Self.one) }
    let open = try LoopbackServer(tls: identity) { _ in .json(Self.one) }
    let trust = ["--cacert", authority.certificatePath]
    let client = try authority.identity(.client)
    let show = ["--cert", client.certificatePath, "--key", client.keyPath]

    func status(_ server: LoopbackServer, _ options: [String]) async throws -> Int32 {
      let words = ["crawl", server.baseURL, "--paging", "none", "--retries", "0"]
      return try await QuireProcess.run(words + options).status
    }
    #expect(try await status(open, []) == 2)
    #expect(try await status(open, trust) == 0)
    #expect(try await status(open, trust + ["--http1"]) == 0)
    #expect(try await status(strict, trust) == 2)
    #expect(try await status(strict, trust + show) == 0)
  }

  @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  func `a TLS failure says that https:// was added`() async throws {
    let identity = try CertificateAuthority.shared().identity(.valid)
    let server = try LoopbackServer(tls: identity) { _ in .json(Self.one) }
    let address = String(server.baseURL.dropFirst("https://".count))
    let text =
      "; https:// was added to the address, so type http:// if the server has no TLS, or check"
    for typed in [address, "https://\(address)"] {
      let result = try await QuireProcess.run("crawl", typed, "--retries", "0")
      #expect(
        result.status == 2 && result.errors.contains(text) == (typed == address),
        "\(result.errors)")
    }
  }

  @Test func `secrets in an address are masked in errors`() async throws {
    let server = try LoopbackServer { _ in .status(403) }
    let folder = try TemporaryFolder()
    let result = try await QuireProcess.run(
      "crawl", server.baseURL + "/rows?api_key=verysecret", "--resume", folder.file("state"))
    #expect(result.status == 2)
    #expect(!result.errors.contains("verysecret"), "\(result.errors)")
    #expect(!folder.text("state").contains("verysecret"))
    let rights = try FileManager.default.attributesOfItem(atPath: folder.file("state"))
    #expect(rights[.posixPermissions] as? Int == 0o600)
  }

  @Test func `--stats and --progress use standard error, and --quiet prints nothing`() async throws {
    let server = try LoopbackServer { _ in .json(Self.one) }
    let url = server.baseURL
    let loud = try await QuireProcess.run(
      "crawl", url, "--paging", "none", "--stats", "--progress", "always")
    #expect(loud.output == "{\"id\":1}\n")
    #expect(loud.errors.contains("1 of 1 rows, 1 page"))
    let json = try #require(loud.errors.split(separator: "\n").last)
    let stats = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(
      Set(stats.keys) == [
        "rows", "pages", "requests", "duplicates", "retries", "bytes", "seconds", "complete",
        "consistency", "may_lack", "seams", "checks", "mended", "open_seams", "gone",
      ])
    #expect(stats["bytes"] as? Int == Self.one.utf8.count)
    let quiet = try await QuireProcess.run("crawl", url, "--paging", "none", "--quiet")
    #expect(quiet.errors == "")
  }
}
