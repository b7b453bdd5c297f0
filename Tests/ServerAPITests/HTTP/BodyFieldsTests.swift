import Testing

@testable import ServerAPI

@Suite struct BodyFieldsTests {
  @Test(
    arguments: [
      (["Content-Length": "5"], 5), (["Content-Length": "5, 5", "content-length": "05"], 5),
      (["Content-Length": "5", "Transfer-Encoding": "chunked"], nil),
      (["Content-Length": "5", "Transfer-Encoding": ", identity"], 5),
      (["Content-Length": "5, 6"], nil), (["Content-Length": "+5"], nil),
      (["Content-Length": ""], nil),
      (["Content-Length": "99999999999999999999"], nil), ([:], nil),
    ] as [(HTTPHeaders, Int?)])
  func `a valid length counts without a transfer coding`(headers: HTTPHeaders, length: Int?) {
    #expect(headers.contentLength == length)
  }

  @Test func `codings of several fields are in order`() {
    let headers: HTTPHeaders = ["Content-Encoding": "GZIP, ,identity", "content-encoding": ",br"]
    #expect(headers.contentCodings == ["gzip", "br"])
  }

  @Test func `a length beside a transfer coding is not stored`() {
    let headers: HTTPHeaders = ["Content-Length": "5", "Transfer-Encoding": "chunked", "A": "b"]
    #expect(headers.withoutConnectionFields == ["A": "b"])
  }

  @Test func `a body whose codings change nothing has parts`() {
    let body = ResponseBody(text: "hello")
    let headers: HTTPHeaders = ["Content-Encoding": "identity, "]
    #expect(ContentRange(status: 200, headers: headers, body: body)?.bytes == 0..<5)
    #expect(ContentRange(status: 200, headers: ["Content-Encoding": "gzip"], body: body) == nil)
  }
}
