internal import QuireTesting
public import ServerAPI
internal import Support

/// A transport that ignores cancellation: it responds to a request when the test says so, even if that is too
/// late.
public final class LateTransport: Transport {
  private typealias Ending = Result<HTTPResponse, RequestError>

  private struct State {
    var requests: [HTTPRequest] = []
    var held: [Int: CheckedContinuation<Ending, Never>] = [:]
  }

  private let state = Lock(State())
  private let arrivals = Counter()
  private let cancellations = Counter()

  /// Creates a transport without requests.
  public init() {}

  /// The requests so far, in order of arrival.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Waits until the test responds.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Ending, Never>) in
        state.withLock { state in
          state.held[state.requests.count] = continuation
          state.requests.append(request)
        }
        arrivals.add()
      }
    } onCancel: {
      cancellations.add()
    }
    HandOver.didResume(arrivals)
    return try ending.get()
  }

  /// Waits until the given number of requests have arrived in all.
  public func reached(_ count: Int) async { await arrivals.reaches(count) }

  /// Waits until a request was cancelled.
  public func cancelled() async { await cancellations.reaches(1) }

  /// Responds to the request with a number, counted from zero.
  public func respond(_ index: Int, _ text: String, status: Int = 200) {
    let url = state.withLock { $0.requests[index].url }
    end(index, .success(HTTPResponse(status: status, body: ResponseBody(text: text), url: url)))
  }

  /// Fails the request with a number.
  public func fail(_ index: Int, _ error: RequestError) { end(index, .failure(error)) }

  private func end(_ index: Int, _ ending: Ending) {
    let held = state.withLock { $0.held.removeValue(forKey: index) }
    HandOver.willResume(arrivals)
    held?.resume(returning: ending)
  }
}
