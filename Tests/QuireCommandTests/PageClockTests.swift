import QuireTesting
import Testing

@testable import QuireCommand

@Suite struct PageClockTests {
  private let time = ManualClock()

  @Test func `a page has its time for parsing, filtering and formatting`() throws {
    var clock = PageClock(.seconds(10), time.timeSource)
    try clock.begin(1, after: .seconds(4))
    // The output is blocked.
    time.advance(by: .seconds(60))
    clock.resume()
    time.advance(by: .seconds(3))
    try clock.pause()
    clock.resume()
    time.advance(by: .seconds(3))
    try clock.check()
    time.advance(by: .seconds(1))
    #expect(throws: EarlyExit.self) { try clock.check() }
    #expect(throws: EarlyExit.self) { try clock.pause() }
    try clock.begin(2, after: .zero)
    try clock.check()
  }

  @Test func `a page that took too long to parse is an error with its number`() {
    var clock = PageClock(.seconds(10), time.timeSource)
    let exit = #expect(throws: EarlyExit.self) { try clock.begin(7, after: .seconds(11)) }
    #expect(exit?.status == .failed)
    #expect(
      exit?.message
        == "page 7 took longer than 10.0 s to parse, filter and format; raise --timeout, or request smaller pages,"
        + " as in --size 100")
  }
}
