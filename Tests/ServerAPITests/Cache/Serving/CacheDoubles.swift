import Foundation
import QuireTesting

@testable import ServerAPI

/// A server with a cache, on a clock that moves by hand, and what it was asked.
struct CachedServer {
  let transport: MockTransport
  let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_780_272_000))
  let server: Server

  init(
    _ transport: MockTransport, store: any CacheStore = MemoryCacheStore(),
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) {
    self.transport = transport
    let time = clock.timeSource
    server = Server("https://api.example.com", transport: transport) {
      $0.time = time
      $0.random = { 0 }
      $0.cache = HTTPCache(store)
      configure(&$0)
    }
  }

  /// Answers in order; the last one is repeated.
  init(
    _ responses: [MockResponse], store: any CacheStore = MemoryCacheStore(),
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) {
    self.init(MockTransport(playing: responses), store: store, configure: configure)
  }

  /// How many requests reached the network.
  var asked: Int { transport.requests.count }

  func get(
    _ address: String = "/books", _ mode: CacheMode? = nil, headers: HTTPHeaders = [:]
  ) async throws(RequestError) -> HTTPResponse {
    var call = Call(address, headers: headers)
    call.cache = mode
    return try await server.send(call)
  }

  /// How a call fails; `nil` when it doesn't.
  func failure(_ address: String = "/books", _ mode: CacheMode? = nil) async -> RequestError.Kind? {
    do throws(RequestError) {
      _ = try await get(address, mode)
      return nil
    } catch {
      return error.kind
    }
  }
}

extension HTTPResponse {
  /// The body as text.
  var words: String { body.utf8Text ?? "" }
  /// What the cache had to do with each exchange.
  var cacheNotes: [String] { attempts.map { $0.cache ?? "" } }
}
