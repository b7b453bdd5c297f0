import ServerAPI
import Testing

@testable import QuireTesting

@Suite struct ReplayTests {
  func exchange(_ line: String, _ text: String, body: String? = nil) -> Cassette.Exchange {
    let parts = line.split(separator: " ").map(String.init)
    return .init(
      request: .init(
        method: parts[0], url: "https://test" + parts[1], headers: [],
        body: body.map { .text($0) }),
      response: .init(status: 200, headers: [], body: .text(text)))
  }

  /// Plays requests such as `GET /a`; a mismatch appears as its explanation.
  func play(
    _ exchanges: [Cassette.Exchange], _ mode: ReplayTransport.Mode, _ lines: [String]
  ) -> [String] {
    var tape = ReplayTape(Cassette(exchanges), mode: mode)
    return lines.map { line in
      do throws(ReplayTape.Mismatch) {
        guard case .text(let text) = try tape.response(to: exchange(line, "").request).body else {
          return "no text"
        }
        return text
      } catch {
        return error.explanation
      }
    }
  }

  @Test func `strict replay requires the recorded order, and errors say what it expected`() {
    let exchanges = [exchange("GET /a", "1"), exchange("GET /b", "2")]
    #expect(
      play(exchanges, .strict, ["GET /a", "POST /b", "GET /b", "GET /c"]) == [
        "1",
        "exchange 2 of the cassette doesn't match: expected GET https://test/b, "
          + "received POST https://test/b",
        "2",
        "the cassette has no exchange left for GET https://test/c",
      ])
  }

  @Test func `replay by key allows any order, and repeats the last response`() {
    let exchanges = [exchange("GET /a", "1"), exchange("GET /b", "2"), exchange("GET /a", "3")]
    #expect(
      play(exchanges, .byKey, ["GET /b", "GET /a", "GET /a", "GET /a", "GET /b", "GET /c"]) == [
        "2", "1", "3", "3", "2",
        "the cassette has no response for GET https://test/c; it has, for example, "
          + "GET https://test/a",
      ])
  }

  @Test func `requests with different bodies differ`() async throws {
    let cassette = Cassette([exchange("POST /a", "1", body: "x")])
    var call = try request("/a", .post)
    call.body = .text("y")
    for mode in [ReplayTransport.Mode.strict, .byKey] {
      let replay = ReplayTransport(cassette, mode: mode)
      let other = call
      let error = await #expect(throws: RequestError.self) { _ = try await replay.send(other) }
      guard case .unusable(let text) = error?.kind else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(text.contains("with the body “x”"))
      #expect(text.contains("with the body “y”"))
    }
    call.body = .text("x")
    let response = try await ReplayTransport(cassette, mode: .strict).send(call)
    #expect(response.body.utf8Text == "1")
  }

  @Test func `the error for a missing cassette says how to record one`() {
    expectUnusable("the cassette /no/such.json: no such file", reading: "/no/such.json")
  }

  static let asked = #""request": {"method": "GET", "url": "https://test/", "headers": []}"#

  static func whole(_ exchange: String) -> String {
    #"{"format": "quire-cassette", "version": 1, "exchanges": [{\#(exchange)}]}"#
  }

  @Test(arguments: [
    ("{", "invalid JSON at the top"),
    ("[]", "the top is not a"),
    ("{}", "“format” is missing at the top"),
    (
      #"{"format": "har", "version": 1, "exchanges": []}"#,
      "it is “har” version 1, expected “quire-cassette” version 1"
    ),
    (whole(asked), "“response” is missing at exchanges[0]"),
    (
      whole(asked + #", "response": {"status": "200", "headers": []}"#),
      "exchanges[0].response.status is not a Int"
    ),
    (
      whole(asked + #", "response": {"status": 2000, "headers": []}"#),
      "exchanges[0].response.status is 2000, expected 100 … 999"
    ),
    (
      whole(asked + #", "response": {"status": 200, "headers": [["a"]]}"#),
      "exchanges[0].response.headers[0] is not a pair"
    ),
    (
      whole(asked + #", "response": {"status": 200, "headers": [], "body": {"base64": "?"}}"#),
      "exchanges[0].response.body.base64 is not base64"
    ),
  ])
  func `an error for a malformed cassette says where`(text: String, problem: String) throws {
    let file = TemporaryFile()
    try file.write(text)
    expectUnusable("the cassette \(file.path): \(problem)", reading: file.path)
  }

  func expectUnusable(
    _ beginning: String, reading path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: RequestError.self, sourceLocation: sourceLocation) {
      _ = try Cassette(path: path)
    }
    guard case .unusable(let text) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.hasPrefix(beginning), sourceLocation: sourceLocation)
  }
}
