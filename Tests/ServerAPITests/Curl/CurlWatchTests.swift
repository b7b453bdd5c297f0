#if LIBCURL
  import CCurl
  import Testing

  @testable import ServerAPI

  /// Waits that end by a moment or a wake-up. Sockets are covered by the tests of the transport.
  @Suite(.timeLimit(.minutes(1))) struct CurlWatchTests {
    /// Waits, and returns whether the moment of the watch has come; `nil` after a wake-up alone.
    private func hasEnded(_ watch: CurlWatch, waits: Bool = true) -> Bool? {
      var result: Bool?
      let canTell = watch.withEvents(waits: waits) { events in
        if let first = events.first { result = first.socket == CURL_SOCKET_BAD }
      }
      #expect(canTell)
      return result
    }

    @Test func `a wait ends at its moment`() throws {
      let watch = try #require(CurlWatch())
      for moment in [0, 1, MonotonicClock.now(), MonotonicClock.now() + 1_000_000] {
        watch.arm(at: moment)
        #expect(hasEnded(watch) == true)
        #expect(MonotonicClock.now() >= moment)
        watch.disarm()
      }
      #expect(hasEnded(watch, waits: false) == nil)
    }

    @Test func `an earlier moment counts, and a later one only if it is exact`() throws {
      let watch = try #require(CurlWatch())
      let hour: Int64 = 3_600_000_000_000
      let now = MonotonicClock.now()
      watch.arm(at: now + 2 * hour)
      watch.arm(at: now)
      watch.arm(at: now + hour)
      #expect(hasEnded(watch) == true)
      watch.disarm()
      watch.arm(at: now)
      watch.arm(at: now + hour, isExact: true)
      #expect(hasEnded(watch, waits: false) == nil)
      watch.arm(at: .max, isExact: true)
      #expect(hasEnded(watch, waits: false) == nil)
    }

    @Test func `a wake-up ends one wait, also when it comes first`() async throws {
      let watch = try #require(CurlWatch())
      watch.wake()
      watch.wake()
      #expect(hasEnded(watch) == nil)
      async let wait: Void = blocking { #expect(hasEnded(watch) == nil) }
      watch.wake()
      await wait
    }
  }
#endif
