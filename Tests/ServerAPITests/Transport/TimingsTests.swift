import ServerAPI
import Testing

@Suite struct TimingsTests {
  @Test func `the description of timings has the phases that took time, on one line`() {
    var timings = HTTPResponse.Timings()
    timings.connect = .microseconds(276)
    timings.wait = .milliseconds(41)
    timings.total = .seconds(3)
    timings.reused = true
    #expect(
      "\(timings)" == "connect 276 µs, wait 41.0 ms, total 3.00 s, connection reused")
    timings.total = .seconds(Int64.max)
    #expect("\(timings)".hasSuffix("s, connection reused"))
  }

  @Test
  func `the description of a response has neither its content nor the secrets of its address`()
    throws
  {
    let url = try WebURL("https://host/a?token=abc")
    let response = HTTPResponse(body: ResponseBody(text: "my secret"), url: url)
    #expect("\(response)" == "200 from https://host/a?token=[redacted], 9 bytes in 0 µs")
  }
}
