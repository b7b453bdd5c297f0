import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

struct RequestLocationTests {
  private func form(_ text: String) -> RequestBody {
    .bytes(text.utf8, contentType: "application/x-www-form-urlencoded")
  }

  private func body(_ call: Call) -> String? {
    call.body.map { _ in String(decoding: call.bodyBytes ?? [], as: UTF8.self) }
  }

  @Test(arguments: [
    (nil, "p=2"), ("q=a+b", "q=a+b&p=2"), ("p=1&q=a", "p=2&q=a"),
  ])
  func `a value goes into the form of the call`(_ text: String?, _ expected: String) throws {
    var call = Call(method: .post, body: text.map(form))
    try RequestLocation.form("p").put(2, in: &call)
    #expect(body(call) == expected)
    #expect(call.body?.isForm == true)
    try RequestLocation.form("p").clear(in: &call)
    #expect(body(call)?.contains("p=") == false)
  }

  @Test(arguments: [
    (
      RequestBody.text("x"),
      "the body of the call is text/plain; charset=utf-8, expected a form; write .body(…) for JSON, or"
        + " create the body with RequestBody.form(…)"
    ),
    (
      RequestBody(pieces: [.file(path: "/f", length: 1)], contentType: nil),
      "the body of the call is a file, expected a form in memory"
    ),
  ])
  func `a body that is no form is an error that says what to write`(
    _ body: RequestBody, _ reason: String
  ) {
    var call = Call(method: .post, body: body)
    #expect(throws: PagingError.wrongCall(reason)) {
      try RequestLocation.form("p").put(2, in: &call)
    }
  }

  @Test(
    arguments: [
      (RequestLocation.query("p"), Call.ParamsPlace.query, 2 as JSONAny, .number("2")),
      (.query("p"), .json, 2, .number("2")), (.query("p"), .json, "2", .text("2")),
      (.query("p"), .form, true, .bool(true)), (.form("p"), .form, 2, .number("2")),
      (.body(JSONPath([.name("p")])), .json, 2, .number("2")),
      (.query("p"), .json, ["a": 1], .text(#"{"a":1}"#)),
    ] as [(RequestLocation, Call.ParamsPlace, JSONAny, Params.Scalar)])
  func `a value becomes a parameter where the parameters go`(
    _ location: RequestLocation, _ place: Call.ParamsPlace, _ value: JSONAny,
    _ expected: Params.Scalar
  ) throws {
    var call = Call(method: .post)
    call.paramsIn = place
    try location.put(value, in: &call)
    #expect(call.params.items == [.init(name: "p", value: .one(expected))])
    #expect(call.body == nil)
    try location.clear(in: &call)
    #expect(call.params.isEmpty)
  }

  /// The bodies of the first two pages of a posted list.
  private func bodies(_ paging: Paging, in place: Call.ParamsPlace) async throws -> [String] {
    let transport = MockTransport { request in
      .json(#"{"items": [\#((try? request.body?.bytes().count) ?? 0)]}"#)
    }
    var call = Call("/search", method: .post, params: ["q": "a b"])
    call.paramsIn = place
    var key = paging.strategy.first
    for page in 1...2 {
      var asked = call
      try paging.strategy.apply(key, to: &asked)
      _ = try await Server("https://api.test", transport: transport).send(asked)
      key = PageKey(.number(page + 1))
    }
    return transport.requests.map {
      String(decoding: (try? $0.body?.bytes()) ?? [], as: UTF8.self)
    }
  }

  @Test func `page numbers go where the parameters of the call go`() async throws {
    let numbers = Paging.pageNumber(size: 1)
    #expect(
      try await bodies(numbers, in: .json) == [
        #"{"q":"a b","page":1,"per_page":1}"#, #"{"q":"a b","page":2,"per_page":1}"#,
      ])
    #expect(
      try await bodies(numbers, in: .form) == [
        "q=a+b&page=1&per_page=1", "q=a+b&page=2&per_page=1",
      ])
  }

  @Test func `a nested place joins the parameters in JSON`() async throws {
    let transport = MockTransport { request in
      let body = (try? request.body?.bytes()) ?? []
      return .json(
        String(decoding: body, as: UTF8.self).contains("after")
          ? #"{"items":[{"id":2}],"next":null}"# : #"{"items":[{"id":1}],"next":"x"}"#)
    }
    var call = Call("/search", method: .post, params: ["q": "lem", "page size": 2])
    call.paramsIn = .json
    let walk = PageWalk(
      Server("https://api.test", transport: transport), call,
      paging: .cursor(at: "next", into: .body("paging.after")))
    while try await walk.next() != nil {}
    #expect(walk.end == .complete)
    let bodies = transport.requests.map { (try? $0.body?.bytes()).map { JSONAny.parsed($0) } }
    #expect(bodies[0] == ["q": "lem", "page size": 2])
    #expect(bodies[1] == ["q": "lem", "page size": 2, "paging": ["after": "x"]])
  }

  @Test(arguments: [
    (Call.ParamsPlace.json, RequestLocation.form("p"), "write .query(…) or .body(…)"),
    (.form, .body("paging.p"), "write .query(…) or .form(…)"),
  ])
  func `a place in another kind of body is an error`(
    _ place: Call.ParamsPlace, _ location: RequestLocation, _ hint: String
  ) {
    var call = Call(method: .post)
    call.paramsIn = place
    let error = #expect(throws: PagingError.self) { try location.put(2, in: &call) }
    #expect("\(error, default: "")".contains(hint))
  }

  @Test(arguments: [
    (#"{}"#, "a.b", #"{"a":{"b":2}}"#, #"{"a":{}}"#),
    (#"{"a":null,"c":1}"#, "a.b", #"{"a":{"b":2},"c":1}"#, #"{"a":{},"c":1}"#),
    (#"{"a":{"b":1,"c":1}}"#, "a.b", #"{"a":{"b":2,"c":1}}"#, #"{"a":{"c":1}}"#),
    (#"{"a":[{"b":1},5]}"#, "a[0].b", #"{"a":[{"b":2},5]}"#, #"{"a":[{},5]}"#),
    (#"{"a":[{"b":1},5]}"#, "/a/0/b", #"{"a":[{"b":2},5]}"#, #"{"a":[{},5]}"#),
  ])
  func `a value goes to its place in the JSON of the call, and is removed from there`(
    _ json: String, _ path: JSONPath, _ set: String, _ cleared: String
  ) throws {
    var call = Call(method: .post, body: .bytes(json.utf8, contentType: "application/json"))
    try RequestLocation.body(path).put(2, in: &call)
    #expect(body(call) == set)
    try RequestLocation.body(path).clear(in: &call)
    #expect(body(call) == cleared)
  }

  @Test(arguments: [
    (#"{"a":5}"#, "a.b"), (#"{"a":[1]}"#, "a.b"), (#"{"a":[1]}"#, "a[1]"), (#"{"a":[1]}"#, "a[-1]"),
    (#"{"a":{}}"#, "a[0]"), (#"{}"#, "a[0]"), (#"[1]"#, "a"),
  ])
  func `a value in the way of a place in the JSON is not replaced`(
    _ json: String, _ path: JSONPath
  ) {
    var call = Call(method: .post, body: .bytes(json.utf8, contentType: "application/json"))
    #expect(
      throws: PagingError.wrongCall(
        "its place in the body of the call is within a value that is not an object")
    ) { try RequestLocation.body(path).put(2, in: &call) }
    #expect(body(call) == json)
  }

  @Test func `a link keeps the parameters in a body`() throws {
    var call = Call("/search", method: .post, params: ["q": "a", "page": 1])
    call.paramsIn = .json
    let key = PageKey(.url(try WebURL("https://api.test/search?page=2")))
    try PageAddresses().follow(key, in: &call)
    #expect(call.params == ["q": "a"])
    call.paramsIn = .query
    try PageAddresses().follow(key, in: &call)
    #expect(call.params.isEmpty)
  }
}

extension JSONAny {
  fileprivate static func parsed(_ bytes: [UInt8]) -> JSONAny? {
    (try? JSONDocument(bytes)).map { JSONAny($0.root) }
  }
}
