import Foundation
import QuireTesting

@testable import ServerAPI

/// A server with a cache, on a manual clock, and its requests.
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

  /// Responds in order; repeats the last response.
  init(
    _ responses: [MockResponse], store: any CacheStore = MemoryCacheStore(),
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) {
    self.init(MockTransport(playing: responses), store: store, configure: configure)
  }

  /// The number of requests that reached the network.
  var requestCount: Int { transport.requests.count }

  func get(
    _ address: String = "/books", _ mode: CacheMode? = nil, headers: HTTPHeaders = [:]
  ) async throws(RequestError) -> HTTPResponse {
    var call = Call(address, headers: headers)
    call.cache = mode
    return try await server.send(call)
  }

  /// Returns the error of a call; `nil` if it succeeds.
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
  var bodyText: String { body.utf8Text ?? "" }
  /// The decision of the cache in each attempt.
  var cacheNotes: [String] { attempts.map { $0.cache ?? "" } }
}
