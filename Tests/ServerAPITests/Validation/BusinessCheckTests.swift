import ServerAPI
import Testing

@Suite struct BusinessCheckTests {
  private func failure(
    _ body: some Collection<UInt8>, _ check: Call.BusinessCheck
  ) throws -> String? {
    let response = HTTPResponse(body: ResponseBody(body), url: try WebURL("https://host/"))
    return check.failure(response).map { "\($0.code)|\($0.message)" }
  }

  @Test(
    arguments: [
      (#"{"errno":7,"errmsg":"no"}"#, "7|no"),
      (#" { "errmsg" : "no" , "errno" : "E7" } "#, "E7|no"),
      (#"{"errno":0,"errmsg":"fine"}"#, nil),
      (#"{"errno":"0"}"#, nil),
      (#"{"errno":null}"#, nil),
      (#"{"errno":-1.5e+3}"#, "-1.5e+3|"),
      (#"{"errno":false,"errmsg":null}"#, "false|"),
      (#"{"errno":{"a":1},"errmsg":"x"}"#, nil),
      (#"{"errno":[1]}"#, nil),
      (#"{"data":{"errno":5},"list":[{"errno":6}],"errno":7}"#, "7|"),
      (
        #"{"data":{"s":"}]\"{[\\","n":[[],{}]},"errno":7,"errmsg":"\"q\" \\ \/ \n é \ud83d\ude00 \ud800"}"#,
        "7|\"q\" \\ / \n é 😀 \u{FFFD}"
      ),
      (#"{"err\u006eo":7}"#, "7|"),
      (#"{"errno\\":1,"errno":7}"#, "7|"),
      (#"{"errno":7,"errno":8}"#, "7|"),
      (#"{"a":"\\\\","errno":7}"#, "7|"),
      (#"{"a":"\\\"","errno":7}"#, "7|"),
      (#"{"a":true,"b":-0.1,"c":null,"d":"","errno":7}"#, "7|"),
      ("\u{FEFF}{\"errno\":7}", "7|"),
      ("{}", nil), ("[]", nil), ("", nil), ("7", nil), ("null", nil), ("\"errno\"", nil),
      (#"[{"errno":7}]"#, nil),
      ("{", nil), (#"{"errno"#, nil), (#"{"errno""#, nil), (#"{"errno":"#, nil),
      (#"{"errno":""#, nil),
      (#"{"a":"#, nil), (#"{"a":}"#, nil), (#"{"a"1}"#, nil), (#"{"a":"\"#, nil),
      (#"{,"errno":7}"#, nil),
      (#"{"a":[[[{"errno":7}"#, nil), (#"{"a":]],"errno":7}"#, nil), ("<html>errno</html>", nil),
      (#"{"errno":7 "errmsg":"no"}"#, "7|"),
    ] as [(String, String?)])
  func `the envelope is read literally`(_ body: String, _ expected: String?) throws {
    let check = Call.BusinessCheck.envelope(code: "errno", message: "errmsg")
    #expect(try failure(body.utf8, check) == expected)
  }

  @Test(
    arguments: [
      (#"{"error":{"code":"gone","message":"Not here"},"data":null}"#, "gone|Not here"),
      (#"{"data":{"code":"no"},"error":null}"#, nil),
      (#"{"error":{"code":{"x":1}}}"#, nil),
      (#"{"error":"text"}"#, nil),
      (#"{"error":{}}"#, nil),
    ] as [(String, String?)])
  func `a nested member is found by its path`(_ body: String, _ expected: String?) throws {
    let check = Call.BusinessCheck.envelope(code: "error.code", message: "error.message")
    #expect(try failure(body.utf8, check) == expected)
  }

  @Test func `the caller sets the success codes`() throws {
    let check = Call.BusinessCheck.envelope(
      code: "success", message: "reason", successCodes: ["true", "OK"])
    #expect(try failure(#"{"success":true}"#.utf8, check) == nil)
    #expect(try failure(#"{"success":"OK"}"#.utf8, check) == nil)
    #expect(try failure(#"{"success":false,"reason":"x"}"#.utf8, check) == "false|x")
  }

  @Test func `depth, length and invalid JSON are handled`() throws {
    let check = Call.BusinessCheck.envelope(code: "errno", message: "errmsg")
    let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
    #expect(try failure("{\"a\":\(deep),\"errno\":7}".utf8, check) == "7|")
    #expect(try failure("{\"a\":\(deep.dropLast()),\"errno\":7}".utf8, check) == nil)
    let slashes = String(repeating: "\\", count: 200_000)
    #expect(try failure("{\"a\":\"\(slashes)\",\"errno\":7}".utf8, check) == "7|")
    let long = String(repeating: "x", count: 10_000)
    let cut = try failure("{\"errno\":7,\"errmsg\":\"\(long)\"}".utf8, check)
    #expect(cut?.utf8.count == 4096 + 2)
    let broken = Array("{\"errno\":7,\"errmsg\":\"".utf8) + [0xC3, 0x22, 0x7D]
    #expect(try failure(broken, check) == "7|\u{FFFD}")
  }
}
