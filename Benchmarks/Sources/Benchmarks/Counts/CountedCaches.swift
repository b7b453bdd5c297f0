import Foundation
import Quire

extension CountedWork {
  /// What a call costs besides its exchange, and a page of 33 KB that is stored and fresh.
  static let caches: [CountedWork] = [
    CountedWork("send a call", times: 20) { _ in
      let server = Server("https://test", transport: FreshTransport(page: ResponseBody(text: "[]")))
      return { _ = try await server.send(Call("/page")) }
    },
    CountedWork("serve a stored page from memory", times: 20) { _ in
      try await stored(.memory())
    },
    CountedWork("serve a stored page from SQLite", times: 20) { folder in
      try await stored(.disk(at: URL(filePath: folder)))
    },
  ]

  private static func stored(_ cache: HTTPCache) async throws -> Body {
    let page = ResponseBody(text: "[" + String(repeating: " ", count: 33_000) + "]")
    let server = Server("https://test", transport: FreshTransport(page: page)) {
      $0.cache = cache
    }
    _ = try await server.send(Call("/page"))
    await cache.flush()
    return {
      let response = try await server.send(Call("/page"))
      guard response.source.isCache, response.body.count > 30_000 else {
        throw BenchmarkError("the page did not come from the cache")
      }
    }
  }
}

private struct FreshTransport: Transport {
  let page: ResponseBody

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    HTTPResponse(headers: ["Cache-Control": "max-age=3600"], body: page, url: request.url)
  }
}
