internal import Quire
internal import Support

/// Counts requests, and keeps the last response for error messages.
final class ListMonitor: EventMonitor {
  struct Counts: Hashable, Sendable {
    var requests = 0
    var retries = 0
    var bytes = 0
  }

  private struct State {
    var counts = Counts()
    var last: HTTPResponse?
  }

  /// Held for a few additions only.
  private let state = Lock(State())

  var counts: Counts { state.withLock { $0.counts } }
  var lastResponse: HTTPResponse? { state.withLock { $0.last } }

  func record(_ event: Call.Event, of call: Call.Info) {
    switch event {
    case .sent: state.withLock { $0.counts.requests += 1 }
    case .retrying: state.withLock { $0.counts.retries += 1 }
    case .served(let response, _): state.withLock { $0.last = response }
    case .received(let response):
      state.withLock {
        $0.counts.bytes += response.timings.wireBytes
        $0.last = response
      }
    default: break
    }
  }
}
