import Testing

@testable import ServerAPI

@Suite struct RequestValidationTests {
  private func request(
    _ method: String = "GET", _ headers: HTTPHeaders = [:], body: RequestBody? = nil
  ) throws -> HTTPRequest {
    HTTPRequest(
      HTTPMethod(rawValue: method), try WebURL("https://host/"), headers: headers, body: body)
  }

  private func place(_ request: HTTPRequest) -> RequestError.Defect.Place? {
    do {
      var request = request
      try request.validate()
      return nil
    } catch {
      guard case .invalidRequest(let defect) = error.kind else { return nil }
      return defect.place
    }
  }

  @Test(arguments: ["GET", "QUERY", "get", "M-SEARCH", "X!#$%&'*+-.^_`|~9"])
  func `any token is a method`(_ method: String) throws {
    #expect(place(try request(method)) == nil)
  }

  @Test(arguments: [
    "", "GET ", "G ET", "GET\r\nX: y", "GET\0", "GÉT", "G/T", "CONNECT",
    String(repeating: "A", count: 65),
  ])
  func `an invalid method is rejected`(_ method: String) throws {
    #expect(place(try request(method)) == .method)
  }

  @Test(arguments: [
    "", "A B", "A:", "A\r\nB", "Ä", "A\0", "a(b)", "Content-Length", "transfer-encoding", "HOST",
    "Connection", "TE", "Trailer", "upgrade", "Keep-Alive", "Proxy-Connection", "expect",
  ])
  func `an invalid or reserved field is rejected`(_ name: String) throws {
    #expect(place(try request("GET", [name: "x"])) == .headerName)
  }

  @Test(arguments: ["a\rb", "a\nb", "a\r\nX-Evil: 1", "a\0", "\u{1B}[0m", "\u{7F}", "\n"])
  func `a value with a control character is rejected and not repeated`(_ value: String) throws {
    #expect(place(try request("GET", ["X-Name": value])) == .headerValue("X-Name"))
  }

  @Test func `only surrounding white space of values is removed`() throws {
    let headers: HTTPHeaders = ["A": " \tx\ty \t", "B": "", "C": "  ", "D": "é", "E": "e"]
    var sent = try request("GET", headers)
    try sent.validate()
    #expect(sent.headers.fields.map(\.value) == ["x\ty", "", "", "é", "e"])
  }

  @Test func `a changed request is checked again`() throws {
    var request = try request("GET", ["A": "x"])
    #expect(!request.isChecked)
    try request.validate()
    #expect(request.isChecked)
    request.timeouts.total = .seconds(1)
    #expect(request.isChecked)
    let changes: [(inout HTTPRequest) -> Void] = [
      { $0.headers["B"] = "a\nb" }, { $0.method = HTTPMethod(rawValue: "G ET") },
      { $0.body = .text("x") },
    ]
    for change in changes {
      var changed = request
      change(&changed)
      #expect(!changed.isChecked && place(changed) != nil)
    }
    request.headers["B"] = "a\nb"
    #expect(throws: RequestError.self) { try request.checkFields() }
  }

  @Test(arguments: ["GET", "HEAD"])
  func `methods without a body reject one`(_ method: String) throws {
    #expect(place(try request(method, body: .text("x"))) == .body)
    #expect(place(try request("QUERY", body: .text("x"))) == nil)
  }

  @Test func `a file with a negative length is rejected`() throws {
    let body = RequestBody(pieces: [.file(path: "/tmp/x", length: -1)], contentType: nil)
    #expect(place(try request("POST", body: body)) == .body)
  }
}
