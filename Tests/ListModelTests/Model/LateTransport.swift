import Dispatch
import ItemMapping
import QuireTesting
import ServerAPI
import Support

/// A transport that takes no notice of being cancelled: answers come when the test gives them.
final class LateTransport: Transport {
  private struct State {
    var answers: [CheckedContinuation<String, Never>] = []
  }

  private let state = Lock(State())
  private let arrivals = [Gate(), Gate(), Gate(), Gate()]

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let text = await withCheckedContinuation { continuation in
      let count = state.withLock { state in
        state.answers.append(continuation)
        return state.answers.count
      }
      arrivals[count - 1].open()
    }
    return HTTPResponse(body: ResponseBody(text: text), url: request.url)
  }

  func reached(_ count: Int) async { try? await arrivals[count - 1].pass() }

  func answer(_ index: Int, _ text: String) {
    state.withLock { $0.answers[index] }.resume(returning: text)
  }
}

/// Holds requests until they are cancelled, and says when that was.
final class CancelWatch: Sendable {
  private let (came, ended) = (Gate(), Gate())

  /// Returns when the task that calls it is cancelled.
  func hold() async {
    came.open()
    do { try await Gate().pass() } catch { ended.open() }
  }

  /// Returns when a request is held.
  func reached() async { try? await came.pass() }
  /// Returns when a request that was held is cancelled.
  func cancelled() async { try? await ended.pass() }
}

/// A decoder that a test holds in the middle of its work.
struct HeldDecoder: PageDecoder {
  let isAtWork = Gate()
  let mayGoOn = DispatchSemaphore(value: 0)

  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Int> {
    isAtWork.open()
    mayGoOn.wait()
    return DecodedPage(items: [1, 2, 3])
  }
}
