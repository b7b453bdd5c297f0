import Testing

@testable import ServerAPI

@Suite struct InvalidationTests {
  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "get"])
  func `RFC 9111 4.4: a method that may change the resource invalidates the address`(method: String) {
    let method = HTTPMethod(rawValue: method)
    for status in [200, 204, 201, 303] {
      #expect(Shop.conclude(Shop.response(status), method: method).invalidated == [Shop.url])
    }
    for status in [400, 404, 500, 503] {
      #expect(Shop.conclude(Shop.response(status), method: method).invalidated.isEmpty)
    }
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
  func `RFC 9111 4.4: a safe method invalidates nothing`(method: String) {
    let response = Shop.response(200, ["Location": "/other"])
    #expect(Shop.conclude(response, method: HTTPMethod(rawValue: method)).invalidated.isEmpty)
  }

  @Test
  func `RFC 9111 4.4: addresses that the response names on the same origin are invalidated too`() {
    func invalidated(_ headers: HTTPHeaders) -> [WebURL] {
      Shop.conclude(Shop.response(201, headers), method: .post, mode: .noStore).invalidated
    }
    #expect(
      invalidated(["Location": "a", "Content-Location": "https://shop.example/b"])
        == [Shop.url, Shop.address("/a"), Shop.address("/b")])
    #expect(invalidated(["Location": "https://evil.example/a"]) == [Shop.url])
    #expect(invalidated(["Location": "http://shop.example/a"]) == [Shop.url])
    #expect(invalidated(["Location": "/items", "Content-Location": "https://"]) == [Shop.url])
  }
}
