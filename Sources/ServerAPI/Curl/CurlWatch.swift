#if LIBCURL
  internal import CCurl

  /// Waits for the sockets of libcurl, for a moment, and for a wake-up.
  ///
  /// One thread may wait while another changes the sockets and the moment. So a request that is sent during the wait
  /// wakes no thread.
  final class CurlWatch: Sendable {
    // Safe because waiting and waking may be done by any thread, and ``CurlCommandQueue`` lets one thread at a time, the
    // one that uses the engine, do all else. The pointer never changes.
    private nonisolated(unsafe) let watch: OpaquePointer

    init?() {
      guard let watch = ccurl_watch_make() else { return nil }
      self.watch = watch
    }

    deinit { ccurl_watch_free(watch) }

    /// Follows the sockets of a multi handle.
    func attach(to multi: UnsafeMutableRawPointer) { ccurl_watch_attach(watch, multi) }

    /// Sets the moment at which a wait ends. Unless it is exact, an earlier one stays.
    func arm(at moment: Int64, isExact: Bool = false) { ccurl_watch_arm(watch, moment, isExact) }

    /// Notes that the moment has come.
    func disarm() { ccurl_watch_disarm(watch) }

    /// Whether libcurl waits for a socket that has an event.
    func follows(_ socket: Int32) -> Bool { ccurl_watch_follows(watch, socket) }

    /// Forgets the sockets for which libcurl no longer waits. If the system can't, the next wait fails.
    func renew() { ccurl_watch_renew(watch) }

    /// Ends a wait; may be called by any thread.
    func wake() { ccurl_watch_wake(watch) }

    /// Calls a closure with the events, after a wait for the first one if it `waits`. Returns `false` if the system can't
    /// report them.
    @discardableResult func withEvents(
      waits: Bool, _ use: (Slice<UnsafeMutableBufferPointer<ccurl_event>>) -> Void
    ) -> Bool {
      withUnsafeTemporaryAllocation(of: ccurl_event.self, capacity: 64) { events in
        let count = ccurl_watch_wait(watch, events.baseAddress, Int32(events.count), waits)
        use(events.prefix(max(0, Int(count))))
        return count >= 0
      }
    }
  }
#endif
