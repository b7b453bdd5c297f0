#if LIBCURL
  internal import CCurl

  /// What happens between two waits.
  extension CurlEngine {
    /// Lets libcurl act on the events of its sockets, and completes the finished transfers.
    func act(on events: Slice<UnsafeMutableBufferPointer<ccurl_event>>) {
      var isStale = false
      for event in events {
        if event.socket == CURL_SOCKET_BAD {
          watch.disarm()
        } else if watch.follows(event.socket) {
          check(ccurl_multi_act(multi, event.socket, event.events))
        } else {
          isStale = true
        }
      }
      // It may have been removed during the wait. If it comes again and again, it would keep the thread busy.
      staleRounds = isStale ? staleRounds + 1 : 0
      if staleRounds > 2 {
        staleRounds = 0
        watch.renew()
      }
      completeTransfers()
    }

    /// Does what can be done now. Returns whether more can be done only after an event: ``watch`` then knows until when
    /// to wait for one.
    func work() -> Bool {
      startWaiting()
      if ccurl_multi_timeout(multi) == 0 { check(ccurl_multi_act(multi, CURL_SOCKET_TIMEOUT, 0)) }
      sweep()
      completeTransfers()
      expire()
      let rest = running.isEmpty ? -1 : ccurl_multi_timeout(multi)
      guard rest != 0, !hasNewRoom || waiting.isEmpty else { return false }
      if hasWork {
        let timer = rest < 0 ? .max : MonotonicClock.now().advanced(by: .milliseconds(rest))
        watch.arm(at: min(nextCheck, nextSweep, timer))
      } else {
        watch.arm(at: idleEnd, isExact: true)
      }
      return true
    }

    /// Lets libcurl look at all running transfers, a few times a second. libcurl 7.88 does not always say what it waits
    /// for: not before it tries the next address of a host, nor when HTTP/2 lets an upload go on.
    private func sweep() {
      let now = MonotonicClock.now()
      guard !running.isEmpty else { return nextSweep = .max }
      if now >= nextSweep { check(ccurl_multi_sweep(multi)) }
      if now >= nextSweep || nextSweep == .max { nextSweep = now + 200_000_000 }
    }

    /// Starts as many waiting transfers as possible. Commands come first, so that a change of priority applies to
    /// every transfer that has not started.
    private func startWaiting() {
      guard hasNewRoom else { return }
      hasNewRoom = false
      while let id = dispatcher.next() {
        if let transfer = waiting.removeValue(forKey: id) { begin(transfer) }
      }
      dispatcher.forgetIdleHosts(keeping: 256)
    }

    private func completeTransfers() {
      deliverUpdates()
      var code = CURLE_OK
      while let easy = ccurl_multi_next_done(multi, &code) {
        complete(CurlTransfer.of(ccurl_get_private(easy)), code)
      }
      assignedConnection = false
    }

    /// Ends all transfers after a failure of the multi handle, which would repeat in a busy loop.
    private func check(_ code: CURLMcode) {
      if code != CURLM_OK {
        endAll(.unusable("libcurl failed: " + String(cString: curl_multi_strerror(code))))
      }
    }

    /// Ends the transfers that have timed out.
    private func expire() {
      let now = MonotonicClock.now()
      guard now >= nextCheck else { return }
      nextCheck = .max
      for transfer in Array(waiting.values) {
        if now >= transfer.deadline {
          end(transfer, .timeout(.queue))
        } else {
          nextCheck = min(nextCheck, transfer.deadline)
        }
      }
      for transfer in Array(running.values) {
        // A slow receiver and a missing connection have their own limits.
        let rests = transfer.isPaused || !transfer.hasConnection
        let limit = (rests ? now : transfer.lastActivity).advanced(by: transfer.request.timeouts.idle)
        if now >= limit {
          end(transfer, .timeout(.idle))
        } else {
          nextCheck = min(nextCheck, limit)
        }
      }
    }

    /// Ends all transfers, because the loop can't continue.
    func endAll(_ kind: RequestError.Kind) {
      for transfer in Array(running.values) + Array(waiting.values) { end(transfer, kind) }
    }
  }
#endif
