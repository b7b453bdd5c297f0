import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct ParamsPlaceTests {
  private func request(
    _ call: Call, configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws(RequestError) -> HTTPRequest {
    var configuration = Server.Configuration()
    configure(&configuration)
    return try RequestBuilder.build(
      call, base: try WebURL("https://h/v1"), configuration: configuration)
  }

  private func call(
    _ params: Params, in place: Call.ParamsPlace, method: HTTPMethod = .post,
    body: RequestBody? = nil
  ) -> Call {
    var call = Call("/search?x=1", method: method, params: params, body: body)
    call.paramsIn = place
    return call
  }

  private func text(_ request: HTTPRequest) throws -> String {
    String(decoding: try #require(request.body).bytes(), as: UTF8.self)
  }

  private let params: Params = ["q": "a b&ü", "page": 2, "tag": ["x", "y"], "new": true]

  @Test(
    arguments: [
      (
        Call.ParamsPlace.query,
        "https://h/v1/search?x=1&s=1&q=a%20b%26%C3%BC&page=2&tag=x&tag=y&new=true",
        nil, nil
      ),
      (
        .form, "https://h/v1/search?x=1&s=1", "q=a+b%26%C3%BC&page=2&tag=x&tag=y&new=true",
        "application/x-www-form-urlencoded"
      ),
      (
        .json, "https://h/v1/search?x=1&s=1", #"{"q":"a b&ü","page":2,"tag":["x","y"],"new":true}"#,
        "application/json"
      ),
    ] as [(Call.ParamsPlace, String, String?, String?)])
  func `parameters of the call go where it says, and those of the server into the query`(
    _ place: Call.ParamsPlace, _ url: String, _ body: String?, _ type: String?
  ) throws {
    let request = try request(call(params, in: place)) { $0.params = ["s": 1] }
    #expect(request.url.description == url)
    #expect(try body == (request.body == nil ? nil : text(request)))
    #expect(request.headers["Content-Type"] == type)
  }

  @Test func `a form has the array encoding of the server`() throws {
    let request = try request(call(["tag": ["x", "y"]], in: .form)) { $0.arrayEncoding = .brackets }
    #expect(try text(request) == "tag%5B%5D=x&tag%5B%5D=y")
  }

  @Test(
    arguments: [
      (["a": 1, "b": -2.5, "c": true, "d": "1"], #"{"a":1,"b":-2.5,"c":true,"d":"1"}"#),
      (["a": [1], "b": [Int](), "c": [true, false]], #"{"a":[1],"c":[true,false]}"#),
      (["a": Double.infinity, "b": 1e21], #"{"a":"inf","b":1e+21}"#),
      (["a": "\"\\\n\r\t\u{1}\u{1f}é"], #"{"a":"\"\\\n\r\t\u0001\u001fé"}"#),
      (["a\"b": "x"], #"{"a\"b":"x"}"#),
      (
        Params([
          .init(name: "a", value: .one("x")), .init(name: "b", value: .one(.number("1"))),
          .init(name: "a", value: .one(.number("2"))), .init(name: "c", value: .many([])),
        ]), #"{"a":["x",2],"b":1}"#
      ),
      (
        ["a": .number("12345678901234567890123") as Params.Scalar],
        #"{"a":12345678901234567890123}"#
      ),
      ([:], "{}"),
    ] as [(Params, String)])
  func `JSON has the types of the values`(_ params: Params, _ expected: String) throws {
    #expect(try text(request(call(params, in: .json))) == expected)
  }

  @Test(arguments: [
    ("0", true), ("-0", true), ("10", true), ("1.50", true), ("1e9", true), ("1E-9", true),
    ("2.0e+1", true), ("01", false), ("+1", false), (".5", false), ("1.", false), ("1e", false),
    ("", false), ("-", false), ("1,\"x\":2", false), ("NaN", false),
  ])
  func `only a number of JSON is one`(_ digits: String, _ isNumber: Bool) throws {
    let text = try text(request(call(["n": Params.Scalar.number(digits)], in: .json)))
    #expect((text == #"{"n":\#(digits)}"#) == isNumber)
    #expect(isNumber || text.hasPrefix(#"{"n":""#))
  }

  @Test func `a content type of the call stays`() throws {
    var call = call(["a": 1], in: .json)
    call.headers["content-type"] = "application/vnd.api+json"
    #expect(try request(call).headers.values("Content-Type") == ["application/vnd.api+json"])
  }

  @Test(
    arguments: [
      (Call.ParamsPlace.form, HTTPMethod.post, false, ""), (.json, .post, false, "{}"),
      (.json, .put, true, "own"), (.form, .post, true, "own"), (.json, .get, false, nil),
    ] as [(Call.ParamsPlace, HTTPMethod, Bool, String?)])
  func `a call without parameters sends its own body or an empty one`(
    _ place: Call.ParamsPlace, _ method: HTTPMethod, _ hasBody: Bool, _ expected: String?
  ) throws {
    let request = try request(
      call([:], in: place, method: method, body: hasBody ? .text("own") : nil))
    #expect(try expected == (request.body == nil ? nil : text(request)))
  }

  @Test(arguments: [
    (
      Call.ParamsPlace.form, HTTPMethod.get, false,
      "can't have the params as a form, since the method is GET; set method to .post, or paramsIn to"
        + " .query"
    ),
    (
      .json, .head, true,
      "can't have the params as JSON, since the method is HEAD; set method to .post, or paramsIn to"
        + " .query"
    ),
    (
      .json, .post, true,
      "is set twice: body, and params as JSON; put all values into params, or set paramsIn to .query"
    ),
    (
      .form, .put, true,
      "is set twice: body, and params as a form; put all values into params, or set paramsIn to"
        + " .query"
    ),
  ])
  func `a contradiction is an error that says what to write`(
    _ place: Call.ParamsPlace, _ method: HTTPMethod, _ hasBody: Bool, _ problem: String
  ) throws {
    let call = call(["a": 1], in: place, method: method, body: hasBody ? .text("own") : nil)
    let error = #expect(throws: RequestError.self) { try request(call) }
    #expect(error?.kind == .invalidRequest(.init(.body, problem)))
  }

  @Test(arguments: [
    (
      Call.ParamsPlace.form, "q=a&access+token=[redacted]&api_key=[redacted]",
      "q=a&access+token=t0p&api_key=s3cret"
    ),
    (
      .json, #"{"q":"a","access token":"[redacted]","api_key":"[redacted]"}"#,
      #"{"q":"a","access token":"t0p","api_key":"s3cret"}"#
    ),
  ])
  func `secret parameters in a body are masked`(
    _ place: Call.ParamsPlace, _ masked: String, _ sent: String
  ) throws {
    let request = try request(
      call(["q": "a", "access token": "t0p", "api_key": "s3cret"], in: place))
    #expect(try text(request) == sent)
    #expect(request.curlCommand().contains("--data-raw '\(masked)'"))
    #expect(
      Redaction().body(try text(request).utf8, contentType: request.headers["Content-Type"])
        == masked)
    #expect(!request.curlCommand().contains("t0p") && !request.curlCommand().contains("s3cret"))
    let call = call(["api_key": "s3cret"], in: place)
    #expect(!Server("https://h", transport: MockTransport { _ in .json("{}") }).isAnonymous(call))
  }

  @Test func `a parameter is set to a value of any type, and read as text`() {
    var call = Call("/x", params: ["p": 1, "q": "a"])
    let page: Int? = nil
    call.params["p"] = 2
    call.params["flag"] = true
    call.params["tags"] = ["a", "b"]
    call.params["q"] = page
    #expect(call.params["p"] == "2" && call.params["flag"] == "true" && call.params["q"] == nil)
    #expect(call.params.values("tags") == ["a", "b"])
  }
}
