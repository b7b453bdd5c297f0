import Foundation
import QuireTesting
import Testing

/// What a crawl prints of each fault that stays: what failed, the cause, and what to do.
@Suite(.timeLimit(.minutes(5))) struct FaultMessageTests {
  private static let rows = ServedRows(count: 60)

  /// The messages, and the faults of the second page that have them.
  private static let messages: [(message: String, faults: Set<String>)] = [
    (
      "can't load page 2 (GET URL): the connection ended before the response began; "
        + "check the server and any gateway in front of it",
      ["close(requestRead)", "reset(requestRead)", "halfClose(requestRead)"]
    ),
    (
      "can't load page 2 (GET URL): the call timed out after TIME, before the first byte of a body; "
        + "check the load of the server, or raise --timeout",
      ["stall(requestRead)", "stall(headStarted)", "stall(headSent)"]
    ),
    (
      "can't load page 2 (GET URL): the connection closed after 17 bytes of the response; "
        + "check the server and any gateway in front of it",
      ["close(headStarted)", "reset(headStarted)", "halfClose(headStarted)"]
    ),
    (
      "can't load page 2 (GET URL): the connection closed after 73 bytes of the response; "
        + "check the server and any gateway in front of it",
      ["close(headSent)", "reset(headSent)", "halfClose(headSent)"]
    ),
    (
      "can't load page 2 (GET URL): the connection closed after 93 bytes of the response; "
        + "check the server and any gateway in front of it",
      ["close(bodySent(20))", "reset(bodySent(20))", "halfClose(bodySent(20))"]
    ),
    (
      "can't load page 2 (GET URL): the call timed out after TIME, with 20 bytes of the body received; "
        + "check the load of the server, or raise --timeout",
      ["stall(bodySent(20))"]
    ),
    (
      "can't load page 2 (GET URL): the connection closed after 1200 bytes of the response; "
        + "check the server and any gateway in front of it",
      ["lengthTooLong(by: 9)"]
    ),
    (
      #"can't read page 2 (URL): the response is not JSON (application/json): invalid JSON at line 1, column 1098 (byte 1097): "#
        + #"unexpected end of text, expected '"' at the end of the string, near “rice":1.10,"title":"”; check the server"#,
      ["lengthTooShort(by: 30)"]
    ),
    (
      "can't load page 2 (GET URL): the server sent an invalid HTTP response: two values of Content-Length: 1127 and 1128; "
        + "check the server and any gateway in front of it",
      ["conflictingLengths"]
    ),
    (
      "can't load page 2 (GET URL): the server sent an invalid HTTP response: the size of a chunk of the body can't be read; "
        + "check the server and any gateway in front of it",
      ["badChunkSize"]
    ),
    (
      "can't load page 2 (GET URL): the connection closed after 834 bytes of the response; "
        + "check the server and any gateway in front of it",
      ["truncatedChunks"]
    ),
    (
      "can't load page 2 (GET URL): can't decode the response: the compressed body is truncated after 560 bytes; "
        + "check Content-Encoding and Content-Type of the response",
      ["truncatedGzip"]
    ),
    (
      "can't load page 2 (GET URL): can't decode the response: the body is not valid gzip; "
        + "check Content-Encoding and Content-Type of the response",
      ["brokenGzip"]
    ),
    (
      "can't load page 2 (GET URL): the server sent an invalid HTTP response: it has no status line; "
        + "check the server and any gateway in front of it",
      ["garbageStatusLine", "noHead", "raw([0, 255, 13, 10, 13, 10])"]
    ),
    (
      "can't load page 2 (GET URL): the response has more than 256 header lines; "
        + "check the server and any gateway in front of it",
      ["endlessHeaders"]
    ),
    (
      "can't load page 2 (GET URL): the response has more than 102400 bytes of header lines; "
        + "check the server and any gateway in front of it",
      ["hugeHeader(bytes: 1048576)"]
    ),
    (
      "can't load page 2 (GET URL): the server sent an invalid HTTP response: more than 200 interim responses (1xx); "
        + "check the server and any gateway in front of it",
      ["interimStorm"]
    ),
    (
      "can't load page 2 (GET URL): after COUNT bytes, the response needs more than the 67108864 that all responses "
        + "in flight together may take; raise --max-memory, or request smaller pages, as in --size 100",
      ["an endless body"]
    ),
    (
      "can't load page 2 (GET URL): the decoded response is more than 200 times its size on the wire; check the server",
      ["a bomb"]
    ),
    (
      "can't load page 2 (GET URL): the response has 12582924 bytes and needs 163577964 more when parsed, "
        + "but all responses in flight together may take 67108864; "
        + "raise --max-memory, or request smaller pages, as in --size 100",
      ["values without end"]
    ),
    (
      """
      can't load page 2 (GET URL): the server responded with 500; check the server, or use --resume to continue later
      The server responded: \(String(repeating: "a", count: 200))… (4096 bytes in total)
      """,
      ["an endless error"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 429; "
        + "send fewer requests with --rate, or use --resume to continue later",
      ["status 429"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 500; check the server, or use --resume to continue later",
      ["status 500"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 502; check the server, or use --resume to continue later",
      ["status 502"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 503; check the server, or use --resume to continue later",
      ["status 503"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 504; check the server, or use --resume to continue later",
      ["status 504"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 507; check the server, or use --resume to continue later",
      ["status 507"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 520; check the server, or use --resume to continue later",
      ["status 520"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 524; check the server, or use --resume to continue later",
      ["status 524"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 530; check the server, or use --resume to continue later",
      ["status 530"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 599; check the server, or use --resume to continue later",
      ["status 599"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 401; "
        + "sign in with --token-env NAME or --header @FILE",
      ["status 401"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 403; "
        + "sign in with --token-env NAME or --header @FILE",
      ["status 403"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 451; check the address and its parameters",
      ["status 451"]
    ),
    (
      "can't load page 2 (GET URL): the server responded with 501; check the server, or use --resume to continue later",
      ["status 501"]
    ),
    (
      "can't read page 2 (URL): the response, with status 200, is empty, expected JSON; check the server",
      ["an empty body"]
    ),
    (
      "can't read page 2 (URL): the response, with status 204, is empty, expected JSON; check the server",
      ["no content"]
    ),
    (
      #"can't read page 2 (URL): the response is not JSON (application/json): invalid JSON at line 1, column 26 (byte 25): "#
        + #"unexpected end of text, expected a value, near “s":[{"id":21},{"id":”; check the server"#,
      ["half of the JSON"]
    ),
    (
      "can't load page 2 (GET URL): the response is a web page instead of data; "
        + "check the address, or sign in with --token-env NAME or --header @FILE",
      ["a web page"]
    ),
    (
      """
      can't load page 2 (GET URL): the service reported error 17: “error” is not empty: try again; check the address and its parameters, or use --no-failure NAME if that member is no failure
      The server responded: {"error":{"code":17,"message":"try again"}}
      """,
      ["an error under 200"]
    ),
    (
      """
      can't read page 2 (URL): no rows at “rows”: the response is an object
      Check that the address is that of a list.
      The server responded: {}
      """,
      ["an empty object"]
    ),
  ]

  private static func expectation(_ fault: FaultMatrixTests.Fault) -> String {
    let name = fault.testDescription.replacing("QuireTesting.LoopbackMoment.", with: "")
    return messages.first { $0.faults.contains(name) }?.message ?? ""
  }

  @Test(arguments: FaultMatrixTests.faults)
  func `a message says what failed, why, and what to do`(
    _ fault: FaultMatrixTests.Fault
  ) async throws {
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let page = Self.rows.page(number: number, #""page":\#(number),"total":60"#)
      return number == 2 ? fault.response(page) : page
    }
    // Only a stall takes all of the time.
    let timeout = fault.testDescription.hasPrefix("stall") ? "2" : "60"
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--paging", "page", "--total", "total", "--retries", "0",
      "--timeout", timeout)
    let expected = Self.expectation(fault)
    #expect(result.status == (expected.isEmpty ? 0 : 2))
    let stop =
      "quire crawl: stopped by the error: 20 rows were written to FILE;"
      + " a crawl with --resume FILE can be continued\n"
    let message = result.errors.replacing("\(server.baseURL)/?page=2", with: "URL")
      .replacing(/after [0-9.]+ m?s,/, with: "after TIME,")
      .replacing(/after [0-9]+ bytes, the/, with: "after COUNT bytes, the")
      .replacing(/written to [^;]+;/, with: "written to FILE;")
    #expect(message == (expected.isEmpty ? "" : "quire crawl: \(expected)\n\(stop)"))
  }
}
