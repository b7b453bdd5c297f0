import Testing

@testable import ServerAPI

@Suite struct RetryAfterTests {
  @Test(arguments: [
    ("120", Duration.seconds(120)), ("0", .zero),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("99999999999999999999999999", .seconds(1_000_000_000_000_000)),
  ])
  func `a wait is read in both forms and never negative`(text: String, wait: Duration) {
    #expect(RetryAfter.wait(text, now: 784_111_740) == wait)
  }

  @Test(arguments: ["", "-1", "1.5", "+3", "3 ", "١٢", "later"])
  func `what is no wait is ignored`(text: String) {
    #expect(RetryAfter.wait(text, now: 0) == nil)
  }
}
