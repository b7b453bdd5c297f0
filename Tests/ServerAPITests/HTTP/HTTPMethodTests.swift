import ServerAPI
import Testing

@Suite struct HTTPMethodTests {
  @Test(arguments: [
    ("GET", true, true), ("HEAD", true, true), ("OPTIONS", true, true), ("TRACE", true, true),
    ("QUERY", true, true), ("PUT", false, true), ("DELETE", false, true), ("POST", false, false),
    ("PATCH", false, false), ("CONNECT", false, false), ("PURGE", false, false),
    ("trace", false, false),
  ])
  func `RFC 9110 9.2: safe methods only read, and are idempotent like PUT and DELETE`(
    name: String, isSafe: Bool, isIdempotent: Bool
  ) {
    let method = HTTPMethod(rawValue: name)
    #expect(method.isSafe == isSafe && method.isIdempotent == isIdempotent)
  }
}
