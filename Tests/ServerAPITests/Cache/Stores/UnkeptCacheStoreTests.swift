#if !SQLITE
  import Foundation
  import QuireTesting
  import Testing

  @testable import ServerAPI

  /// A cache on disk in a build without SQLite.
  @Suite struct UnkeptCacheStoreTests {
    private let cache = HTTPCache.disk(at: URL(filePath: "/nowhere/cache"))

    @Test func `it says that nothing is kept`() async {
      let error = await #expect(throws: RequestError.self) { try await cache.prepare() }
      #expect(error?.description.contains("/nowhere/cache: this program was built without SQLite") == true)
      #expect(cache.problems.count == 1 && cache.problems[0].contains("trait SQLite"))
    }

    @Test func `it is a cache in memory`() async throws {
      let transport = MockTransport()
      transport.enqueue(.json("1").headers(["Cache-Control": "max-age=600"]))
      let server = Server("https://test", transport: transport) { $0.cache = cache }
      for _ in 0..<2 { #expect(try await server.send(Call("/books")).bodyText == "1") }
      #expect(transport.requests.count == 1)
    }
  }
#endif
