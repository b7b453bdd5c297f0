import QuireTesting
import Testing

@testable import ServerAPI

/// A stored response is usually served before the call has a loop of exchanges. The loop would serve the same.
struct ServedAtOnceTests {
  @Test(arguments: [
    CacheMode.standard, .revalidate, .reload, .noStore, .networkElseCache, .cacheElseNetwork,
    .cacheOnly,
  ])
  func `a stored response is the same, at once or in the loop`(mode: CacheMode) async throws {
    for stored in Self.stored {
      for age in [0, 30, 61, 100_000] {
        let atOnce = try await outcome(of: stored, mode, age: age, atOnce: true)
        let looped = try await outcome(of: stored, mode, age: age, atOnce: false)
        #expect(atOnce == looped, "\(stored.status) \(stored.headers) after \(age) seconds")
      }
    }
  }

  /// The responses that are stored, or not.
  private static let stored: [MockResponse] = [
    .status(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "one"),
    .status(200, ["Cache-Control": "max-age=60, must-revalidate"], "one"),
    .status(200, ["Cache-Control": "max-age=10, stale-while-revalidate=60"], "one"),
    .status(200, ["Cache-Control": "max-age=10, stale-if-error=60"], "one"),
    .status(200, ["Cache-Control": "no-cache", "ETag": "\"1\""], "one"),
    .status(200, ["Cache-Control": "no-store"], "one"),
    .status(200, ["Cache-Control": "max-age=60", "Vary": "Accept"], "one"),
    .status(200, ["Cache-Control": "max-age=60", "Vary": "*"], "one"),
    .status(301, ["Cache-Control": "max-age=60", "Location": "/there"]),
    .status(404, ["Cache-Control": "max-age=60"], "gone"),
    .status(503, ["Cache-Control": "max-age=60"], "later"),
  ]

  private struct Outcome: Hashable {
    var response: String
    var events: [String]
  }

  /// Gets a response twice, the second time after a while.
  private func outcome(
    of stored: MockResponse, _ mode: CacheMode, age: Int, atOnce: Bool
  ) async throws -> Outcome {
    let events = EventRecorder()
    let books = CachedServer(
      [stored, .status(200, ["Cache-Control": "max-age=60"], "two"), .status(500, [:], "three")]
    ) {
      $0.monitors = [events]
      $0.retry = .never
    }
    _ = try? await books.get()
    books.clock.advance(by: .seconds(age))
    var call = Call("/books")
    call.cache = mode
    let pipeline = CallPipeline(books.server.core, call, start: books.server.time.now())
    var text: String
    do throws(RequestError) {
      let request = try pipeline.prepare(call)
      let response =
        try await atOnce ? pipeline.inTime(request) : pipeline.loop.run(request)
      text = "\(response.status) \(response.headers) \(response.bodyText) \(response.source)"
      text += Self.text(of: response.attempts)
    } catch {
      text = "\(error.kind)" + Self.text(of: error.attempts)
    }
    return Outcome(response: text, events: events.events)
  }

  private static func text(of attempts: [HTTPResponse.Attempt]) -> String {
    attempts.map { " \($0.address) \($0.outcome) \($0.cache ?? "")" }.joined()
  }
}
