import ServerAPI
import Testing

@Suite struct WebURLTests {
  @Test func `an address without a scheme gets the default one`() throws {
    #expect(try WebURL("api.example.com/v1").description == "https://api.example.com/v1")
    #expect(try WebURL("localhost:8080").description == "https://localhost:8080/")
  }

  @Test func `a control character in an address is refused and its place named`() {
    #expect(
      throws: RequestError(.invalidRequest(.init(.url, "contains a control character at byte 8")))
    ) { try WebURL("https://\r\nhost/") }
  }
}
