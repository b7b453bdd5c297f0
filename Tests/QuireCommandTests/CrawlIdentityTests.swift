import Foundation
import QuireTesting
import TestSupport
import Testing

/// The separation of users in a cache, and what the command sends to other origins.
@Suite(.timeLimit(.minutes(2))) struct CrawlIdentityTests {
  /// A cacheable page that names its user.
  private static func page(_ user: String) -> LoopbackResponse {
    .json(#"[{"id":1,"user":"\#(user)"}]"#).with("Cache-Control", "private, max-age=600")
  }

  @Test(arguments: [
    "X-Functions-Key", "DD-APPLICATION-KEY", "X-Appwrite-Key", "X-User-Id", "X-Forwarded-User",
    "Impersonate-User", "X-Tenant-Id", "X-Account-Number", "X-Api-Key", "X-Qua-Zor",
  ])
  func `any header separates the users of a cache`(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let server = try LoopbackServer { Self.page($0.header(name) ?? "nobody") }
    for user in ["alice", "bob", "nobody", "alice"] {
      let header = user == "nobody" ? [] : ["--header", "\(name): \(user)"]
      let result = try await QuireProcess.run(
        ["crawl", server.baseURL, "--paging", "none", "--cache", folder.file("c")] + header)
      #expect(result.output.contains(#""user":"\#(user)""#), "\(name): \(result.output)")
    }
    #expect(server.requestCount == 3)
  }

  @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  func `a client certificate separates users and is not sent to other origins`() async throws {
    let authority = try CertificateAuthority.shared()
    let identity = try authority.identity(.client)
    var tls = LoopbackTLS(try authority.identity(.valid), clientAuthority: authority)
    tls.requiresClientCertificate = false
    var configuration = LoopbackConfiguration()
    configuration.tls = tls
    let other = try LoopbackServer(configuration) { _ in Self.page("stranger") }
    let server = try LoopbackServer(configuration) { [url = other.baseURL] request in
      request.path == "/linked"
        ? Self.page("alice").with("Link", "<\(url)/next>; rel=next")
        : request.path == "/away"
          ? .redirect(to: url) : Self.page(request.hasClientCertificate ? "alice" : "nobody")
    }
    let folder = try TemporaryFolder()
    let trust = ["--cacert", authority.certificatePath]
    let alice = trust + ["--cert", identity.certificatePath, "--key", identity.keyPath]
    for (options, user) in [(alice, "alice"), (trust, "nobody"), (alice, "alice")] {
      let result = try await QuireProcess.run(
        ["crawl", server.baseURL, "--paging", "none", "--cache", folder.file("c")] + options)
      #expect(result.output.contains(#""user":"\#(user)""#), "\(result.output) \(result.errors)")
    }
    #expect(server.requestCount == 2)
    for path in ["/away", "/linked"] {
      let result = try await QuireProcess.run(
        [
          "crawl", server.baseURL + path, "--paging", "link", "--id", "none",
          "--allow-other-origin",
        ]
          + alice)
      #expect(result.output.contains("stranger"), "\(result.errors)")
    }
    #expect(other.requestCount == 2)
    #expect(other.requests.allSatisfy { !$0.hasClientCertificate })
  }

  @Test func `a link that redirects to another origin is refused like a direct one`()
    async throws
  {
    let other = try LoopbackServer { _ in Self.page("stranger") }
    let server = try LoopbackServer { [url = other.baseURL] request in
      request.path == "/next"
        ? .redirect(to: url) : Self.page("alice").with("Link", "</next>; rel=next")
    }
    let refused = try await QuireProcess.run("crawl", server.baseURL, "--paging", "link")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--allow-other-origin"), "\(refused.errors)")
    #expect(other.requestCount == 0)
    let allowed = try await QuireProcess.run(
      "crawl", server.baseURL, "--paging", "link", "--id", "none", "--allow-other-origin")
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(allowed.output.contains("stranger"))
  }

  @Test(arguments: [
    "http://alice:SEC/RET@127.0.0.1/", "https:/alice:SECRET@127.0.0.1/", "http://u:SEC?RET@h:x/",
  ])
  func `no error repeats a password, whatever its characters`(_ address: String) async throws {
    let result = try await QuireProcess.run("crawl", address)
    #expect(result.status == 1)
    #expect(!result.errors.contains("SEC"), "\(result.errors)")
  }

  @Test func `secrets in a response are masked`() async throws {
    let server = try LoopbackServer { request in
      let sent = request.header("Authorization") ?? ""
      var response = LoopbackResponse.json(#"{"error":"bad token","authorization":"\#(sent)"}"#)
      response.status = 403
      return response
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--header", "Authorization: Bearer SECRET")
    #expect(result.errors.contains("bad token") && !result.errors.contains("SECRET"))
  }

  @Test func `a body is not sent to another origin, and the error names the origin`()
    async throws
  {
    let other = try LoopbackServer { _ in Self.page("stranger") }
    let server = try LoopbackServer { [url = other.baseURL] _ in
      .redirect(to: url + "/elsewhere", status: 307)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--body", #"{"password":"SECRET"}"#, "--paging", "none")
    #expect(result.status == 2)
    #expect(result.errors.contains(other.baseURL) && !result.errors.contains("SECRET"))
    #expect(other.requestCount == 0)
  }
}
