import Foundation
import ItemMapping
import ListReading
import ServerAPI
import Testing

/// What a program reads from a response that it has.
@Suite struct ResponseContentTests {
  private struct Me: Decodable, Equatable {
    var id: Int
  }

  private func response(_ text: String) throws -> HTTPResponse {
    HTTPResponse(body: ResponseBody(text: text), url: try WebURL("https://test/me"))
  }

  @Test(arguments: ["{}", "[1]", "7", "\"text\"", "true", "null", " -1.5 "])
  func `a response has any outermost JSON value`(text: String) throws {
    let json = try response(text).json
    #expect(json.root.text == text.trimmingCharacters(in: .whitespaces))
  }

  @Test func `the JSON of a response is read by name and path`() throws {
    let json = try response(#"{"data":{"list":[{"id":7}]}}"#).json
    let path: JSONPath = "data.list[0].id"
    #expect(json["data"]?["list"]?[0]?["id"]?.int == 7)
    #expect(json[path]?.int == 7)
  }

  @Test func `the JSON outlives the response`() throws {
    func name() throws -> JSONView? {
      try response(#"{"name":"a name that is too long to be stored inline"}"#).json["name"]
    }
    #expect(try name()?.string == "a name that is too long to be stored inline")
  }

  @Test(arguments: [
    ("", JSONError.Code.empty), ("<html>", .unexpectedByte), ("[1", .unexpectedEnd),
  ])
  func `a body that is not JSON is a typed error`(text: String, code: JSONError.Code) throws {
    let response = try response(text)
    let error = #expect(throws: LoadError.self) { try response.json }
    guard case .mapping(.invalidJSON(let error)) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(error.code == code)
  }

  @Test func `a body has its bytes, data and text`() throws {
    let body = ResponseBody(text: "Grüße")
    #expect(body.bytes == Array("Grüße".utf8))
    #expect(body.data == Data("Grüße".utf8))
    #expect(body.utf8Text == "Grüße")
    #expect(ResponseBody().bytes.isEmpty && ResponseBody().data.isEmpty)
  }

  @Test func `changing the data changes no body`() throws {
    let body = ResponseBody(text: "abc")
    var data = body.data
    data[0] = UInt8(ascii: "x")
    #expect(body.utf8Text == "abc")
  }

  @Test func `a decoder takes a response and a body`() throws {
    let response = try response(#"{"id":7}"#)
    #expect(try ItemDecoder().decode(Me.self, from: response) == Me(id: 7))
    #expect(try ItemDecoder().decode(Me.self, from: response.body) == Me(id: 7))
    #expect(try ItemDecoder().decode(from: response) as Me == Me(id: 7))
  }

  @Test func `a decoder throws Foundation's error for a response that is not JSON`() throws {
    let response = try response("[1,x]")
    let error = try #require(throws: DecodingError.self) {
      try ItemDecoder().decode([Int].self, from: response)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect((context.underlyingError as? ItemMapping.JSONError)?.offset == 3)
  }
}
