import Quire
import Testing

/// The samples of “Security defaults”, in their order.
@Suite struct SecuritySamples {
  private let token = "abc"
  private let currentKey = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="
  private let keyInReserve = "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8="

  private actor File {
    func append(_ piece: ResponseBody) throws {}
  }

  @Test func `redirects to other origins can be refused`() {
    let server = Server("https://api.example.com") {
      $0.authentication = .bearer(token)
      $0.redirects.crossOrigin = .refuse
    }
    #expect(server.configuration.redirects.crossOrigin == .refuse)
  }

  @Test func `keys can be pinned`() {
    let transport = CurlTransport {
      $0.pins["api.example.com"] = .init(current: currentKey, backup: keyInReserve)
    }
    #expect(transport.configuration.pins.count == 1)
  }

  @Test func `a download may have any size`() {
    let file = File()
    var call = Call("/archive")
    call.limits = .unlimitedBody
    call.receiver = { piece in try await file.append(piece) }
    #expect(call.limits?.decodedBytes == .max)
  }

  @Test func `names of secrets can be added`() throws {
    let redaction = Redaction(alsoSecret: ["customerNumber"], neverSecret: ["session"])
    let log = LogMonitor(redaction: redaction, excerptBytes: 512)
    _ = log
    let url = try WebURL("https://api.example.com/?customerNumber=1&session=2")
    #expect(redaction.url(url).hasSuffix("?customerNumber=[redacted]&session=2"))
  }
}
