import Testing

@testable import Support

@Suite(.timeLimit(.minutes(1))) struct LocalTimeTests {
  @Test func `the offset follows TZ`() async {
    await #expect(processExitsWith: .success) {
      for (zone, offset) in [("UTC0", 0), ("IST-5:30", 19_800), ("EST5", -18_000)] {
        setenv("TZ", zone, 1)
        tzset()
        #expect(LocalTime.offset() == offset, "\(zone)")
      }
    }
  }

  @Test func `daylight saving time changes the offset`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
      tzset()
      #expect(LocalTime.offset(at: 1_768_478_400) == 3_600)
      #expect(LocalTime.offset(at: 1_784_116_800) == 7_200)
    }
  }
}
