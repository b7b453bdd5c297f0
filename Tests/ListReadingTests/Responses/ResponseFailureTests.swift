import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// What a response with a status of success says of itself.
@Suite struct ResponseFailureTests {
  private func verdict(
    _ json: String, _ words: FailureWords = FailureWords(), at path: JSONPath? = nil,
    sent: [String: String] = [:]
  ) throws -> ResponseVerdict {
    ResponseFailure.verdict(on: try JSONDocument(json).root, words, itemsPath: path) {
      name, value in sent[name] == value
    }
  }

  private func message(of verdict: ResponseVerdict) -> String? {
    if case .failed(_, let message) = verdict { message } else { nil }
  }

  @Test(arguments: [
    #"{"ok":false,"error":"invalid_auth"}"#, #"{"success":false,"items":[]}"#,
    #"{"success":"false"}"#, #"{"ok":0,"errmsg":"bad"}"#, #"{"status":"error","message":"bad"}"#,
    #"{"status":"fail","data":null}"#, #"{"status":"FAILED"}"#, #"{"stat":"fail","code":1}"#,
    #"{"errors":[{"message":"bad"}],"data":null}"#, #"{"data":[],"errors":["bad"]}"#,
    #"{"data":{"users":[]},"errors":[{"message":"bad","path":["users"]}]}"#,
    #"{"errors":{"name":["is invalid"]}}"#, #"{"error":{"code":503,"message":"bad"}}"#,
    #"{"error":true,"message":"bad"}"#, #"{"error":10,"items":[]}"#, #"{"error_message":"bad"}"#,
    #"{"errorMessages":["bad"],"errors":{}}"#, #"{"meta":{"success":false},"data":[]}"#,
    #"{"response":{"status":"error"},"items":[]}"#, #"{"hasErrors":true,"items":[]}"#,
    #"{"result":"error","data":[]}"#, #"{"items":[],"error":"bad","timed_out":true}"#,
    #"{"items":[],"errcode":45009,"errmsg":"bad"}"#, #"{"items":[],"retCode":10006}"#,
    #"{"items":[],"status":"OVER_QUERY_LIMIT"}"#, #"{"items":[],"status":"REQUEST_DENIED"}"#,
    #"{"items":[],"fault":{"faultstring":"bad"}}"#, #"{"meta":{"code":429},"items":[]}"#,
    #"{"items":[],"statusCode":503}"#, #"{"items":[],"status":500,"message":"bad"}"#,
    #"{"object":"error","items":[]}"#, #"{"items":[],"throttled":true}"#,
    #"{"items":[],"code":5001,"msg":"backend failure"}"#, #"{"items":[],"message":"Timed out"}"#,
    #"{"items":[],"exception":"NullPointer"}"#, #"{"items":[],"err":"bad"}"#,
    #"{"items":[],"faultstring":"bad"}"#, #"{"items":[],"errorDescription":"bad"}"#,
    #"{"items":[],"state":"FAILED"}"#, #"{"items":[],"statusText":"Gateway timeout"}"#,
  ])
  func `a response without rows that says that it failed is a failure`(json: String) throws {
    guard case .failed = try verdict(json) else {
      Issue.record("\(json): \(try verdict(json))")
      return
    }
  }

  @Test(arguments: [
    #"{"items":[],"error":null}"#, #"{"items":[],"error":false}"#, #"{"items":[],"errors":[]}"#,
    #"{"items":[],"error":""}"#, #"{"items":[],"error":0}"#, #"{"items":[],"errors":{}}"#,
    #"{"items":[],"error":{"code":0,"message":""}}"#, #"{"items":[],"status":"ok"}"#,
    #"{"items":[],"ok":true,"success":true}"#, #"{"items":[],"status":"failed","id":7}"#,
    #"{"items":[],"error_count":3,"failed":2,"status":200}"#, #"{"items":[],"warnings":["no"]}"#,
    #"{"items":[],"filters":{"status":"failed"}}"#, #"{"items":[],"request":{"error":"x"}}"#,
    #"{"items":[{"error":"no","ok":false,"status":"error"}]}"#,
    #"{"items":[],"other":[{"error":"no"}]}"#, #"{"items":[],"success":12}"#,
    #"{"items":[],"ok":"maybe","noError":true,"error_rate":0.5,"errorless":true}"#,
    #"{"items":[],"_shards":{"total":0,"successful":0,"failed":0},"timed_out":false}"#,
    #"{"items":[{}],"success":0}"#, #"[{"ok":false,"error":"no"}]"#, #"{"items":[],"partial":1}"#,
    #"{"items":[],"error":{"code":200,"message":"OK"}}"#, #"{"successRate":false,"tokens":[]}"#,
    #"{"items":[],"code":0}"#, #"{"items":[],"code":20000}"#, #"{"items":[],"errcode":0}"#,
    #"{"items":[],"errorCode":"00000"}"#, #"{"items":[],"errorCode":"SUCCESS"}"#,
    #"{"items":[],"status":"ZERO_RESULTS"}"#, #"{"items":[],"status":"no error"}"#,
    #"{"items":[{}],"code":500}"#, #"{"items":[{}],"errcode":7}"#, #"{"items":[],"failed":false}"#,
    #"{"object":"list","items":[]}"#, #"{"items":[],"code":404}"#,
    #"{"items":[],"status":"expired"}"#,
    #"{"items":[],"code":404,"msg":"no such page"}"#, #"{"items":[],"message":"No error"}"#,
    #"{"items":[],"message":"No more results"}"#, #"{"items":[{}],"message":"Internal error"}"#,
    #"{"items":[],"code":1,"msg":"done"}"#, #"{"items":[],"errorLogs":"x","err_rate":"0.5"}"#,
    #"{"items":[],"status":"within limit"}"#, #"{"items":[],"status":"not throttled"}"#,
  ])
  func `a response that says nothing of a failure succeeded`(json: String) throws {
    #expect(try verdict(json) == .nothing, "\(json)")
  }

  @Test(arguments: [
    #"{"items":[{}],"errors":[{"message":"bad"}]}"#, #"{"items":[{}],"error":"bad"}"#,
    #"{"items":[{}],"timed_out":true}"#, #"{"items":[],"timed_out":true}"#,
    #"{"hits":{"hits":[{}]},"_shards":{"total":5,"failed":1}}"#,
    #"{"_shards":{"failed":2},"hits":{"hits":[]}}"#, #"{"items":[{}],"incomplete_results":true}"#,
    #"{"responseHeader":{"partialResults":true},"response":{"docs":[{}]}}"#,
    #"{"items":[{}],"partial":true}"#, #"{"items":[{}],"unreachable":["zones/a"]}"#,
    #"{"data":{"users":{"nodes":[{}]}},"errors":[{"message":"bad"}]}"#,
    #"{"items":[{}],"success":false}"#, #"{"items":[{}],"status":"error"}"#,
    #"{"items":[{}],"degraded":true}"#, #"{"items":[{}],"incomplete":true}"#,
    #"{"items":[],"failures":[{"shard":1}]}"#, #"{"items":[{}],"failed":true}"#,
    #"{"items":[{}],"partial_errors":[{"reason":"bad"}]}"#,
  ])
  func `a response with rows, or one that says so, is partial`(json: String) throws {
    guard case .partial = try verdict(json) else {
      Issue.record("\(json): \(try verdict(json))")
      return
    }
  }

  @Test func `the message is that of the server, with its code`() throws {
    let google = #"{"error":{"code":403,"message":"Quota is used up","errors":[{"reason":"x"}]}}"#
    #expect(
      try verdict(google)
        == .failed(code: "403", message: "“error” is not empty: Quota is used up"))
    #expect(
      try verdict(#"{"ok":false,"error":"invalid_auth"}"#)
        == .failed(code: "", message: "invalid_auth"))
    #expect(
      try verdict(#"{"status":"fail","message":"Bad token"}"#)
        == .failed(code: "", message: "“status” is “fail”: Bad token"))
    #expect(
      try verdict(#"{"data":null,"errors":[{"message":"Bad field","extensions":{}}]}"#)
        == .failed(code: "", message: "“errors” is not empty: Bad field"))
    #expect(try verdict(#"{"success":false}"#) == .failed(code: "", message: "“success” is false"))
  }

  @Test func `a message is short, on one line and without secrets`() throws {
    let long = String(repeating: "x ", count: 5_000)
    #expect(message(of: try verdict(#"{"error":"\#(long)"}"#))?.count ?? 0 <= 201)
    #expect(message(of: try verdict(#"{"error":"one\ntwo"}"#)) == "one two")
    let secret = #"{"error":"see https://a.test/?access_token=abcdef123"}"#
    #expect(message(of: try verdict(secret))?.contains("abcdef123") == false)
  }

  @Test func `a value that the request has sent is only repeated`() throws {
    let json = #"{"items":[{}],"status":"failed"}"#
    #expect(try verdict(json, sent: ["status": "failed"]) == .nothing)
    #expect(try verdict(json) != .nothing)
    let partial = #"{"items":[{}],"partial":true}"#
    #expect(try verdict(partial, sent: ["partial": "true"]) == .nothing)
  }

  @Test func `an array of errors is the list only where the program says so`() throws {
    let json = #"{"errors":[{"id":1,"message":"bad"}]}"#
    #expect(try verdict(json, at: "errors") == .nothing)
    #expect(try verdict(json) != .nothing)
  }

  @Test func `a program adds and removes words`() throws {
    var words = FailureWords()
    words.add("meta.state", "broken")
    words.add("code", "7")
    words.add("cut", "true", isPartial: true)
    words.remove("status")
    #expect(try verdict(#"{"meta":{"state":"broken"}}"#, words) != .nothing)
    #expect(try verdict(#"{"code":7}"#, words) != .nothing)
    #expect(try verdict(#"{"code":"8"}"#, words) == .nothing)
    guard case .partial = try verdict(#"{"items":[],"cut":true}"#, words) else {
      Issue.record("not partial")
      return
    }
    #expect(try verdict(#"{"status":"error"}"#, words) == .nothing)
    #expect(try verdict(#"{"ok":false}"#, words) != .nothing)
    #expect(try verdict(#"{"ok":false,"error":"bad"}"#, .none) == .nothing)
  }
}
