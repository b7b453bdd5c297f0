import Foundation
import QuireTesting
import Testing

@testable import TerminalList

/// Failures in `quire browse`, which have the words of `quire crawl`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowseFailureTests {
  @Test(arguments: [
    (
      LoopbackResponse.html("<html>Sign in</html>"),
      ["the response is a web page instead of data; check the address"]
    ),
    (
      .status(401),
      ["the server responded with 401; sign in with --token-env NAME or --header @FILE"]
    ),
    (
      .status(429).with("Retry-After", "3600"),
      ["asked to wait 60 min", "use --wait SECONDS to wait that long, or try again later"]
    ), (.json(#"{"a":1}"#), ["can't find the list: the response has no array"]),
  ])
  func `a first page that failed shows the cause and what to do`(
    _ response: LoopbackResponse, _ texts: [String]
  ) async throws {
    let server = try LoopbackServer { _ in response }
    let pty = try PseudoTerminal(ScreenSize(columns: 200, rows: 12))
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL])
    for text in texts { #expect(await pty.shows(text)) }
    await quire.quit()
  }

  @Test func `a server that can't be reached is explained too`() async throws {
    let port = try LoopbackServer { _ in .status(500) }.port
    let pty = try PseudoTerminal(ScreenSize(columns: 120, rows: 12))
    let quire = try QuireInTerminal(pty, ["browse", "http://127.0.0.1:\(port)/", "--retries", "0"])
    #expect(
      await pty.shows("the connection was refused; check the port and that the server is running"))
    await quire.quit()
  }

  @Test func `a form and the token of a command are sent, and a failed command is shown`()
    async throws
  {
    let server = try LoopbackServer { _ in .json(#"[{"id":1,"title":"Book 1"}]"#) }
    let pty = try PseudoTerminal(ScreenSize(columns: 120, rows: 12))
    let words = [
      "browse", server.baseURL, "--paging", "none", "--form", "q=a b", "--token-command",
    ]
    let quire = try QuireInTerminal(pty, words + ["echo s3cret"])
    #expect(await pty.shows("row 1 of 1"))
    await quire.quit()
    let request = try await server.request(at: 0)
    #expect(request.method == "POST" && request.body == Array("q=a+b".utf8))
    #expect(request.header("Authorization") == "Bearer s3cret")
    let failed = try QuireInTerminal(pty, words + ["echo no key >&2; exit 7"])
    #expect(
      await pty.shows("the command ended with status 7: no key; check --token-command"))
    await failed.quit()
    #expect(server.requestCount == 1)
  }

  @Test func `the end of a list whose paging is unknown names the options`() async throws {
    let rows = (1...20).map { #"{"id":\#($0),"title":"Book \#($0)"}"# }.joined(separator: ",")
    let server = try LoopbackServer { _ in .json("[\(rows)]") }
    let pty = try PseudoTerminal(ScreenSize(columns: 200, rows: 30))
    let quire = try QuireInTerminal(pty, ["browse", server.baseURL])
    #expect(await pty.shows("· the list ended early: can't tell how this server pages"))
    pty.type("i")
    #expect(await pty.shows("success; name the paging, as in --paging page, --paging offset"))
    pty.type("q")
    #expect(await pty.shows("row 1 of 20"))
    await quire.quit()
  }
}
