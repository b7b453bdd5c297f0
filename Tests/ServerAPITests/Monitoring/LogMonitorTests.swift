import ServerAPI
import Support
import Testing

@Suite struct LogMonitorTests {
  private func lines(
    of events: [Call.Event], excerptBytes: Int = 0, redaction: Redaction = Redaction()
  ) -> [String] {
    let lines = Lines()
    let monitor = LogMonitor(redaction: redaction, excerptBytes: excerptBytes) { lines.add($0) }
    for event in events { monitor.record(event, of: Call.Info(id: 7, name: "books")) }
    return lines.all
  }

  @Test func `each step is one line without secrets`() throws {
    let url = try WebURL("https://h/books?page=2&token=abc")
    var timings = HTTPResponse.Timings()
    timings.total = .microseconds(41_230)
    let response = HTTPResponse(body: ResponseBody(text: "{}"), url: url, timings: timings)
    let request = HTTPRequest(.get, url)
    #expect(
      lines(of: [
        .created(request), .joined, .queued(for: .milliseconds(120)),
        .rateLimited(for: .seconds(40)), .sent(request),
        .redirected(status: 302, to: url),
        .retrying(attempt: 2, reason: "503", delay: .milliseconds(1_500)), .received(response),
        .finished(.success(response)), .finished(.failure(RequestError(.offline))),
      ]) == [
        "#7 books: created GET https://h/books?page=2&token=[redacted]",
        "#7 books: joined an equal call in flight",
        "#7 books: waits for 120.0 ms",
        "#7 books: waits for 40.00 s for the rate limit of the server",
        "#7 books: sent GET https://h/books?page=2&token=[redacted]",
        "#7 books: redirected by 302 to https://h/books?page=2&token=[redacted]",
        "#7 books: attempt 2 in 1.50 s: 503",
        "#7 books: received 200, 2 bytes after 41.2 ms",
        "#7 books: finished with 200 after 41.2 ms",
        "#7 books: failed after 0 µs: the device is probably offline",
      ])
  }

  @Test func `bodies are shown on request, masked and on one line`() throws {
    let url = try WebURL("https://h/")
    let body = RequestBody.bytes("{\n\"token\":\"a\"}".utf8, contentType: "application/json")
    let response = HTTPResponse(
      body: ResponseBody(text: "a\r\n#8 forged\u{1B}[2J\u{202E}"), url: url)
    #expect(
      lines(
        of: [.sent(HTTPRequest(.post, url, body: body)), .received(response)], excerptBytes: 100)
        == [
          #"#7 books: sent POST https://h/, body {\n"token":"[redacted]"}"#,
          #"#7 books: received 200, 19 bytes after 0 µs, body a\r\n#8 forged\u{1b}[2J\u{202e}"#,
        ])
  }

  @Test func `secrets are shown only if the log reveals them`() throws {
    let request = HTTPRequest(.get, try WebURL("https://h/?token=abc"))
    #expect(
      lines(of: [.sent(request)], redaction: .revealingSecrets)
        == ["#7 books: sent GET https://h/?token=abc"])
  }
}

/// Collects lines from a sink.
private final class Lines: Sendable {
  /// Guards the lines.
  private let lines = Lock<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
