import Foundation
import QuireTesting
import ServerAPI
import Support
import TestSupport

@testable import ListModel
@testable import ListReading

/// Acts as the cache of a server: keeps the last response for each address, and records the cache mode
/// of each call.
final class CacheDouble: Sendable {
  private struct State {
    var stored: [String: HTTPResponse] = [:]
    var modes: [CacheMode?] = []
  }

  let server: Server
  /// When every entry was stored.
  static let moment = 1_600_000_000.0
  private let state = Lock(State())

  init(_ server: Server) { self.server = server }

  var modes: [CacheMode?] { state.withLock { $0.modes } }

  func store(_ text: String, for page: String?) {
    guard let url = try? WebURL("https://test/rows") else { return }
    state.withLock {
      $0.stored[page ?? "-"] = HTTPResponse(body: ResponseBody(text: text), url: url)
    }
  }

  func send(_ call: Call) async throws(RequestError) -> HTTPResponse {
    let page = call.params["page"] ?? "-"
    var stored = state.withLock { state in
      state.modes.append(call.cache)
      return state.stored[page]
    }
    stored?.source = .cache(asOf: Date(timeIntervalSince1970: Self.moment), isFresh: false)
    switch call.cache {
    case .cacheOnly:
      guard let stored else { throw RequestError(.notStored) }
      return stored
    case .cacheElseNetwork: if let stored { return stored }
    default: break
    }
    do throws(RequestError) {
      let response = try await server.send(call)
      state.withLock { $0.stored[page] = response }
      return response
    } catch {
      if call.cache == .networkElseCache, let stored { return stored }
      throw error
    }
  }
}

extension ListBench {
  /// A list with three rows per page and a cache in front of its server.
  static func cached(
    _ policy: CachePolicy, _ transport: MockTransport, clock: ManualClock = ManualClock(),
    configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) -> (bench: ListBench, cache: CacheDouble) {
    let bench = ListBench(
      transport,
      configure: {
        $0.cachePolicy = policy
        configure(&$0)
      },
      server: {
        $0.cache = HTTPCache(TestCacheStore())
        $0.time = clock.timeSource
      })
    let cache = CacheDouble(bench.model.server)
    bench.model.source.loader.send = { call async throws(RequestError) in try await cache.send(call)
    }
    bench.delegate.notesFreshness = true
    return (bench, cache)
  }
}
