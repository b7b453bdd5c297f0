import Testing

@testable import ServerAPI

@Suite struct RequestBuilderTests {
  private func request(
    _ call: Call, configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws(RequestError) -> HTTPRequest {
    var configuration = Server.Configuration()
    configure(&configuration)
    return try RequestBuilder.build(
      call, base: try WebURL("https://h/v1"), configuration: configuration)
  }

  @Test func `a plain call has User-Agent and Accept`() throws {
    let expected: HTTPHeaders = ["Accept": "*/*", "User-Agent": RequestBuilder.userAgent]
    #expect(try request(Call("/x")).headers == expected)
  }

  @Test(arguments: [
    (Call.ContentPolicy.any, "*/*"), (.json, "application/json"),
    (.types(["text/csv", "image/*"]), "text/csv, image/*"),
  ])
  func `the content policy becomes the Accept header`(
    _ content: Call.ContentPolicy, _ accept: String
  )
    throws
  {
    let byServer = try request(Call("/x")) { $0.content = content }
    #expect(byServer.headers["Accept"] == accept)
    var call = Call("/x")
    call.content = content
    let byCall = try request(call) { $0.content = .any }
    #expect(byCall.headers["Accept"] == accept)
    call.headers["accept"] = "own"
    #expect(try request(call).headers.values("Accept") == ["own"])
  }

  @Test func `fields of the call replace those of the server`() throws {
    let call = Call("/x", headers: ["x-team": "call", "B": "1"])
    let headers = try request(call) { $0.headers = ["X-Team": "server", "A": "0"] }.headers
    #expect(headers.values("X-Team") == ["call"])
    #expect(headers["A"] == "0" && headers["B"] == "1")
  }

  @Test func `a body sets its content type unless the call has one`() throws {
    let body = RequestBody.bytes([1], contentType: "application/x-protobuf")
    let plain = try request(Call("/x", method: .post, body: body))
    #expect(plain.headers["Content-Type"] == "application/x-protobuf")
    let own = Call("/x", method: .post, headers: ["content-type": "own/type"], body: body)
    #expect(try request(own).headers.values("Content-Type") == ["own/type"])
  }

  @Test(arguments: ["https://other/", "http://h/", "https://h:444/"])
  func `another origin gets only harmless fields of the server`(_ address: String) throws {
    let call = Call(address, headers: ["X-Call": "mine"])
    let headers = try request(call) {
      $0.headers = [
        "Authorization": "secret", "X-Api-Key": "secret", "Cookie": "secret", "Acceptance": "no",
        "accept-language": "en", "User-Agent": "me", "Accept": "a/b",
      ]
    }.headers
    let expected: HTTPHeaders = [
      "accept-language": "en", "User-Agent": "me", "Accept": "a/b", "X-Call": "mine",
    ]
    #expect(headers == expected)
  }

  @Test func `the settings of a call take precedence over those of the server`() throws {
    var call = Call("/x", priority: .visible)
    let byServer = try request(call) { $0.timeouts.total = .seconds(7) }
    #expect(byServer.timeouts.total == .seconds(7))
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(5))
    call.limits = .unlimitedBody
    let built = try request(call) { $0.timeouts.total = .seconds(7) }
    #expect(built.timeouts.total == .seconds(5))
    #expect(built.limits == .unlimitedBody)
    #expect(built.priority == .visible)
  }

  @Test func `invalid values are rejected wherever they were set`() throws {
    let injected = RequestError(
      .invalidRequest(.init(.headerValue("X-Name"), "contains a control character")))
    #expect(throws: injected) { try request(Call("/x", headers: ["X-Name": "a\r\nb"])) }
    #expect(throws: injected) {
      try request(Call("/x"), configure: { $0.headers["X-Name"] = "a\r\nb" })
    }
    let limits = RequestError(
      .invalidRequest(
        .init(.configuration, "timeouts.idle is -1.0 seconds, expected more than zero")))
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(idle: .seconds(-1))
    #expect(throws: limits) { try request(call) }
  }
}
