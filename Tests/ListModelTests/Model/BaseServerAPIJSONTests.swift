import Dispatch
import Foundation
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Request objects that parse the JSON of their responses.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BaseServerAPIJSONTests {
  private let transport = LateTransport()

  private func api(
    _ response: MockResponse, method: HTTPMethod = .get, parses: Bool = true
  ) -> BaseServerAPI {
    let server = Server("https://test", transport: MockTransport { _ in response }) {
      $0.retry = .never
    }
    let api = BaseServerAPI(server, "/me", method: method)
    api.parsesJSON = parses
    return api
  }

  @Test(arguments: ["{}", "[1]", "7", "\"text\"", "true", "null"])
  func `a successful start has any outermost JSON value`(text: String) async throws {
    let api = api(.json(text))
    #expect(api.json == nil)
    guard case .succeeded = await api.run() else {
      Issue.record("\(api.state)")
      return
    }
    #expect(try #require(api.json).root.text == text)
    #expect(api.json === api.json)
    #expect(try api.text == text)
  }

  @Test(arguments: [
    ("", "the body is empty, expected JSON"),
    ("<html>secret</html>", "the body is not valid JSON at line 1, column 1, expected "),
    ("[1,\n2 secret]", "the body is not valid JSON at line 2, column 3, expected "),
  ])
  func `a body that is not JSON is a failure that shows nothing of it`(
    body: String, text: String
  ) async throws {
    let api = api(.json(body))
    guard case .failed(let error) = await api.run(), case .undecodable(let reason) = error.kind
    else {
      Issue.record("\(api.state)")
      return
    }
    #expect(reason.hasPrefix(text), "\(reason)")
    #expect(!"\(error)".contains("secret"))
    #expect("\(error)".hasPrefix("GET https://test/me failed: can't decode the response: "))
    #expect(api.state == .failed && api.error == error)
    #expect(api.json == nil && api.response == nil)
    #expect(error.attempts.count == 1)
    #expect(error.responseBody?.utf8Text == (body.isEmpty ? nil : body))
  }

  @Test(arguments: [
    (MockResponse.status(204), HTTPMethod.get), (.status(205), .post), (.status(200), .head),
  ])
  func `a response without a body by definition succeeds without JSON`(
    response: MockResponse, method: HTTPMethod
  ) async {
    let api = api(response, method: method)
    guard case .succeeded = await api.run() else {
      Issue.record("\(api.state)")
      return
    }
    #expect(api.json == nil)
  }

  @Test func `a body that a receiver got is not parsed`() async {
    let api = api(.json("{}"))
    api.call.receiver = { _ in }
    guard case .succeeded = await api.run() else {
      Issue.record("\(String(describing: api.error))")
      return
    }
    #expect(api.json == nil)
  }

  @Test(arguments: [("<html>", String?.none), (#"{"code":7}"#, #"{"code":7}"#)])
  func `an accepted error status has its JSON, if it has any`(
    body: String, json: String?
  ) async {
    let api = api(.json(body, status: 404))
    api.call.acceptsErrorStatuses = true
    guard case .succeeded(let response) = await api.run() else {
      Issue.record("\(api.state)")
      return
    }
    #expect(response.status == 404)
    #expect(api.json?.root.text == json)
  }

  @Test func `without parsesJSON any body succeeds`() async {
    let api = api(.text("no JSON"), parses: false)
    guard case .succeeded = await api.run() else {
      Issue.record("\(api.state)")
      return
    }
    #expect(api.json == nil && !api.parsesJSON)
    api.parsesJSON = true
    #expect(api.parsesJSON && api.json == nil)
    _ = await api.run()
    #expect(api.state == .failed)
    api.parsesJSON = false
    _ = await api.run()
    #expect(api.state == .succeeded)
  }

  @Test func `the body is read once, off the main actor`() async {
    let api = api(.json("{}"))
    let reads = Atomic(0)
    let onMain = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: onMain, value: true)
    api.reader = { _ throws(RequestError) in
      if DispatchQueue.getSpecific(key: onMain) != true { reads.add(1, ordering: .relaxed) }
      return 7
    }
    _ = await api.run()
    #expect(reads.load(ordering: .relaxed) == 1)
    #expect(api.content as? Int == 7)
    #expect(reads.load(ordering: .relaxed) == 1)
  }

  @Test(arguments: [true, false])
  func `the timings include parsing, even if it fails`(succeeds: Bool) async {
    let clock = ManualClock()
    let transport = MockTransport(time: clock.timeSource) { _ in .json("{}") }
    let server = Server("https://test", transport: transport) { $0.time = clock.timeSource }
    let api = BaseServerAPI(server, "/me")
    api.reader = { _ throws(RequestError) in
      clock.advance(by: .seconds(2))
      guard succeeds else { throw RequestError(.undecodable("no JSON")) }
      return 7
    }
    _ = await api.run()
    #expect(api.state == (succeeds ? .succeeded : .failed))
    #expect(api.timings.decode == .seconds(2) && api.timings.total == .seconds(2))
    #expect((succeeds ? api.response?.timings : api.error?.timings) == api.timings)
  }

  @Test func `a newer start replaces the JSON, and a late response changes nothing`() async throws {
    let server = Server("https://test", transport: transport) {
      $0.sharesReads = false
      $0.retry.attempts = 1
    }
    let api = BaseServerAPI(server, "/me")
    api.parsesJSON = true
    async let first = api.run()
    await transport.reached(1)
    transport.respond(0, "1")
    _ = await first
    #expect(api.json?.root.int == 1)
    api.start()
    #expect(api.json == nil)
    await transport.reached(2)
    async let third = api.run()
    await transport.reached(3)
    transport.respond(1, "2")
    transport.respond(2, "3")
    _ = await third
    #expect(api.json?.root.int == 3)
    api.start()
    api.cancel()
    #expect(api.json == nil && api.state == .cancelled)
  }

  @Test func `a subclass validates the JSON, and its reason takes precedence`() async {
    final class Checked: BaseServerAPI {
      override func validate(_ response: HTTPResponse) throws(RequestError) {
        guard let json else { throw RequestError(.authentication("signed out")) }
        if let code = json["code"]?.numberText {
          throw RequestError(.business(code: code, message: ""))
        }
      }
    }
    let transport = MockTransport { _ in .json("{}") }
    let api = Checked(Server("https://test", transport: transport), "/me")
    api.parsesJSON = true
    transport.enqueue(.json("<html>"))
    _ = await api.run()
    #expect(api.error?.kind == .authentication("signed out"))
    transport.enqueue(.json(#"{"code":7}"#))
    _ = await api.run()
    #expect(api.error?.kind == .business(code: "7", message: "") && api.json == nil)
    _ = await api.run()
    #expect(api.state == .succeeded && api.json?.root.count == 0)
  }

  @Test func `a model uses the parsed JSON`() async throws {
    let api = api(.json(#"{"data":7}"#))
    let model = BaseModel<JSONView>(api, at: "data")
    _ = await model.run()
    #expect(model.value?.int == 7)
    #expect(try #require(model.value).document === api.json)
    let decoded = BaseModel<Int>(api, at: "data", decoder: ItemDecoder())
    _ = await decoded.run()
    #expect(decoded.value == 7)
  }

  @Test func `a model of an object that parses reports a body without JSON`() async {
    let model = BaseModel<JSONView>(api(.json("<html>")))
    guard case .failed(.request(let error)) = await model.run(), case .undecodable = error.kind
    else {
      Issue.record("\(model.state)")
      return
    }
  }
}
