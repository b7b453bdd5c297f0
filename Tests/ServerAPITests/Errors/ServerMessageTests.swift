import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct ServerMessageTests {
  @Test(
    arguments: [
      (
        #"{"type":"about:blank","title":"Conflict","status":409,"detail":"the title exists"}"#,
        "the title exists"
      ),
      (#"{"title":"Conflict","status":409}"#, "Conflict"),
      (#"{"message":"no such book"}"#, "no such book"),
      (#"{"error":{"code":7,"message":"no such book"}}"#, "no such book"),
      (#"{"error":"invalid_grant","error_description":"it has expired"}"#, "it has expired"),
      (#"{"error":"not found"}"#, "not found"),
      (#"{"error":true,"msg":"not found"}"#, "not found"),
      (#"{"errors":["the title is missing","x"]}"#, "the title is missing"),
      (#"{"errors":[{"message":"unknown field","locations":[]}],"data":null}"#, "unknown field"),
      (#"{"errors":[{"status":"422","title":"Invalid","detail":"too long"}]}"#, "too long"),
      (#"[{"message":"Session expired","errorCode":"INVALID_SESSION_ID"}]"#, "Session expired"),
      (#"{"fault":{"faultstring":"Quota exceeded"}}"#, "Quota exceeded"),
      (#"{"message":"","reason":"busy"}"#, "busy"),
      (#"{"message":{"en":"x"},"Message":"No route"}"#, "No route"),
      ("slow down\nplease", "slow down"), ("\n  not today \n", "not today"),
      (#"{"message":"one\ntwo\u001b[31m\u202e three"}"#, "one two [31m three"),
      (
        #"{"message":"see https://a.example/x?api_key=abcdef12"}"#,
        "see https://a.example/x?api_key=[redacted]"
      ),
      (#"{"code":409}"#, nil), ("<html>Busy</html>", nil), ("", nil), ("{", nil), ("[]", nil),
      (String(repeating: "x", count: 2_000), nil),
      (
        #"{"message":"\#(String(repeating: "x", count: 400))"}"#,
        String(repeating: "x", count: 299) + "…"
      ),
    ] as [(String, String?)])
  func `the message of a response is found`(_ body: String, _ message: String?) async {
    let transport = MockTransport(playing: [.status(409, [:], body)])
    let server = Server("https://a.example", transport: transport)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.serverMessage == message)
    let cause = "the server responded with 409" + (message.map { ": \($0)" } ?? "")
    #expect(error?.description == "GET https://a.example/x failed: \(cause); check the request")
    #expect(error?.status == 409 && error?.url == "https://a.example/x")
  }

  @Test func `credentials of the request are masked in the message`() async {
    let transport = MockTransport { request in
      let token = request.headers["Authorization"] ?? ""
      return .status(401, [:], "\(token) and s3cr3t/key are unknown")
    }
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .bearer("abcdef123456")
      $0.params = ["api_key": "s3cr3t/key"]
    }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.serverMessage?.contains("abcdef") == false)
    #expect(error?.serverMessage?.contains("s3cr3t") == false)
    #expect(error?.serverMessage?.contains("are unknown") == true)
  }

  @Test func `a failure without an error status has no message of the server`() async {
    let transport = MockTransport(playing: [.status(200, [:], #"{"message":"fine"}"#)])
    let server = Server("https://a.example", transport: transport) {
      $0.content = .types(["text/csv"])
    }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error != nil && error?.serverMessage == nil && error?.status == 200)
    #expect(RequestError(.connectRefused).status == nil)
    #expect(RequestError(.business(code: "7", message: "no\nway")).serverMessage == "no way")
  }
}
