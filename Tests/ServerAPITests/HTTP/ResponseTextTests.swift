import ServerAPI
import Testing

@Suite struct ResponseTextTests {
  private func response(_ bytes: [UInt8], _ type: String?) throws -> HTTPResponse {
    HTTPResponse(
      headers: type.map { ["Content-Type": $0] } ?? [:], body: ResponseBody(bytes),
      url: try WebURL("https://host/"))
  }

  @Test(
    arguments: [
      (nil, Array("héé".utf8), "héé"),
      (nil, [], ""),
      ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
      ("text/plain; charset=UTF-8", Array("€".utf8), "€"),
      ("text/plain;charset=\"utf-8\"", Array("€".utf8), "€"),
      ("text/plain; boundary=x; Charset = 'x'; charset=utf-8", [], nil),
      ("text/plain; charset=us-ascii", [0x61], "a"),
      ("text/plain; charset=us-ascii", [0x61, 0x80], nil),
      ("text/plain; charset=ISO-8859-1", [0xE9, 0x80, 0xFF], "é€ÿ"),
      ("text/plain; charset=latin1", [0x93, 0x41, 0x94], "“A”"),
      ("text/plain; charset=windows-1252", [0x9F, 0x81], "Ÿ\u{81}"),
      ("text/plain; charset=utf-16", [0x20, 0xAC], "€"),
      ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xAC, 0x20], "€"),
      ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x20, 0xAC], "€"),
      ("text/plain; charset=utf-16le", [0x3D, 0xD8, 0x00, 0xDE], "😀"),
      ("text/plain; charset=utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "😀"),
      ("text/plain; charset=utf-16be", [0xD8, 0x3D], nil),
      ("text/plain; charset=utf-16", [0x20], nil),
      ("text/plain; charset=utf-16", [0xFF], nil),
      ("text/plain", [0xC3], nil),
      ("text/plain", [0xED, 0xA0, 0x80], nil),
      ("text/plain; charset=shift_jis", [0x61], nil),
      ("text/plain; charset=", [0x61], nil),
    ] as [(String?, [UInt8], String?)])
  func `text is decoded in its character set or rejected`(
    _ type: String?, _ bytes: [UInt8], _ expected: String?
  ) throws {
    let response = try response(bytes, type)
    guard let expected else {
      let error = try #require(throws: RequestError.self) { try response.text() }
      guard case .undecodable = error.kind else {
        Issue.record("\(error.kind)")
        return
      }
      return
    }
    #expect(try response.text() == expected)
  }

  @Test(
    arguments: [
      ("Application/JSON", "application/json", nil),
      (" text/html ; charset=\"UTF-8\" ", "text/html", "utf-8"),
      ("text/plain; format=flowed; charset=x; charset=y", "text/plain", "x"),
      ("nonsense", "nonsense", nil), (";;;", "", nil), ("text/é; charset", "text/é", nil),
    ] as [(String, String, String?)])
  func `a media type is compared without case and without its parameters`(
    _ text: String, _ essence: String, _ charset: String?
  ) {
    #expect(HTTPResponse.MediaType(text).essence == essence)
    #expect(HTTPResponse.MediaType(text).charset == charset)
  }
}
