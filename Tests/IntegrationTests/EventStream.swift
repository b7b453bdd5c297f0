import ServerAPI

/// Lets a test wait for steps of calls.
final class EventStream: EventMonitor {
  private let events: AsyncStream<Call.Event>
  private let continuation: AsyncStream<Call.Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func record(_ event: Call.Event, of call: Call.Info) { continuation.yield(event) }

  /// Returns after this many matching steps; each step is reported once.
  func pass(_ count: Int, where matches: (Call.Event) -> Bool) async {
    var left = count
    for await event in events where matches(event) {
      left -= 1
      if left == 0 { return }
    }
  }
}

extension Server {
  /// How a call ends.
  func outcome(_ call: Call) async -> Result<HTTPResponse, RequestError> {
    do throws(RequestError) { return .success(try await send(call)) } catch {
      return .failure(error)
    }
  }
}

extension Result where Success == HTTPResponse, Failure == RequestError {
  /// The error, if the call failed.
  var failure: RequestError.Kind? {
    if case .failure(let error) = self { error.kind } else { nil }
  }
}
