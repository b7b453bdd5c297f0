import Testing

@testable import ServerAPI

@Suite struct ResponseValidatorTests {
  private func check(
    _ status: Int = 200, type: String? = "application/json", body: String = "{}",
    content: Call.ContentPolicy = .json, method: HTTPMethod = .get, sent: HTTPHeaders = [:],
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> RequestError.Kind? {
    var configuration = Server.Configuration()
    configuration.content = content
    configure(&configuration)
    let url = try WebURL("https://host/")
    let response = HTTPResponse(
      status: status, headers: type.map { ["content-type": $0] } ?? [:],
      body: ResponseBody(text: body), url: url)
    return failure(of: response, to: HTTPRequest(method, url, headers: sent), configuration)
  }

  private func failure(
    of response: HTTPResponse, to request: HTTPRequest, _ configuration: Server.Configuration
  ) -> RequestError.Kind? {
    ResponseValidator.failure(
      of: response, to: request, rules: CallRules(Call(), configuration),
      business: configuration.businessCheck)
  }

  @Test(
    arguments: [
      (200, nil), (201, nil), (299, nil), (300, .status(300)), (302, .status(302)),
      (304, .status(304)), (400, .status(400)), (404, .status(404)), (503, .status(503)),
      (511, .unexpectedContent(.captivePortal)),
    ] as [(Int, RequestError.Kind?)])
  func `only 2xx is success`(_ status: Int, _ expected: RequestError.Kind?) throws {
    #expect(try check(status) == expected)
  }

  @Test(arguments: ["If-None-Match", "if-modified-since"])
  func `304 is a success for a conditional request`(_ name: String) throws {
    #expect(try check(304, type: nil, body: "", sent: [name: "x"]) == nil)
  }

  @Test func `a redirect is a success if none is followed`() throws {
    let kind = try check(302, type: "text/html", body: "<p>") { $0.redirects.maximum = 0 }
    #expect(kind == nil)
    let failure = try check(404) { $0.redirects.maximum = 0 }
    #expect(failure == .status(404))
  }

  @Test(
    arguments: [
      ("application/json", "{}", nil),
      ("Application/JSON; charset=utf-8", "[]", nil),
      ("application/problem+json", "{}", nil),
      (nil, "{}", nil),
      (nil, "<html>", .captivePortal),
      ("text/html; charset=utf-8", "{}", .captivePortal),
      ("application/json", " \n<!DOCTYPE html>", .captivePortal),
      ("application/json", "\u{FEFF}\t<a>", .captivePortal),
      ("application/xhtml+xml", "<?xml version='1.0'?><html/>", .captivePortal),
      (
        "application/xml", "<?xml version='1.0'?><a/>",
        .mediaType(expected: "application/json", received: "application/xml")
      ),
      ("application/json", "", .empty),
      (nil, "", .empty),
      ("text/plain", "{}", .mediaType(expected: "application/json", received: "text/plain")),
      (
        "application/jsonp", "{}",
        .mediaType(expected: "application/json", received: "application/jsonp")
      ),
      ("application/json", "nonsense", nil),
    ] as [(String?, String, RequestError.ContentProblem?)])
  func `a JSON response is validated`(
    _ type: String?, _ body: String, _ expected: RequestError.ContentProblem?
  ) throws {
    #expect(try check(type: type, body: body) == expected.map { .unexpectedContent($0) })
  }

  @Test(
    arguments: [
      ("text/csv", true), ("TEXT/CSV; header=present", true), ("image/png", true),
      ("text/plain", false), ("imagex/png", false), ("image", false), (nil, false),
    ] as [(String?, Bool)])
  func `a response is validated against a list of types`(_ type: String?, _ isGood: Bool) throws {
    let kind = try check(type: type, content: .types(["text/csv", "image/*"]))
    let problem = RequestError.ContentProblem.mediaType(
      expected: "text/csv, image/*", received: type ?? "")
    #expect(kind == (isGood ? nil : .unexpectedContent(problem)))
  }

  @Test func `a response without a body by definition may be empty`() throws {
    #expect(try check(204, type: nil, body: "") == nil)
    #expect(try check(205, type: nil, body: "") == nil)
    #expect(try check(body: "", method: .head) == nil)
    #expect(try check(type: "text/html", body: "<p>", content: .any) == nil)
    #expect(try check(body: "", content: .any) == nil)
  }

  @Test func `a body that went to a receiver is not reported as empty`() throws {
    let url = try WebURL("https://host/")
    var request = HTTPRequest(.get, url)
    request.receiver = { _ in }
    var configuration = Server.Configuration()
    configuration.content = .json
    let response = HTTPResponse(headers: ["Content-Type": "application/json"], url: url)
    #expect(failure(of: response, to: request, configuration) == nil)
  }

  @Test(arguments: [200, 422, 500])
  func `the service's own error takes precedence over the status`(_ status: Int) throws {
    let kind = try check(status, body: #"{"errno": 7, "errmsg": "no"}"#) {
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    #expect(kind == .business(code: "7", message: "no"))
  }

  @Test func `an error status is a failure even if the envelope reports success`() throws {
    let kind = try check(500, body: #"{"errno": 0}"#) {
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    #expect(kind == .status(500))
  }
}
