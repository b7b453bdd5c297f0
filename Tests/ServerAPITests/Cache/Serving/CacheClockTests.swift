import Foundation
import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// A wall clock that is set back or ahead while a cache is used.
@Suite(.timeLimit(.minutes(1))) struct CacheClockTests {
  /// How far the wall clock is off, in seconds.
  private final class Offset: Sendable {
    private let seconds = Lock(0.0)
    var value: Double { seconds.withLock { $0 } }
    func set(_ value: Double) { seconds.withLock { $0 = value } }
  }

  private func server(
    _ transport: MockTransport, _ store: any CacheStore, _ clock: ManualClock, _ offset: Offset
  ) -> CachedServer {
    CachedServer(transport, store: store) {
      $0.time = clock.timeSource
      $0.time.date = { clock.date.addingTimeInterval(offset.value) }
      $0.retry = .never
    }
  }

  @Test func `of calls one after another, the response of the last one is stored`() async throws {
    for random in try SeededGenerator.runs(Thoroughness.runs(60, full: 2_000)) {
      let (store, clock, offset) = (MemoryCacheStore(), ManualClock(), Offset())
      let numbers = Counter()
      let steps = Lock(random)
      // The clock may be set at any moment: before, while and after a request is on its way.
      let tick: @Sendable () -> Void = {
        steps.withLock { random in
          clock.advance(by: .seconds(Int.random(in: 0...90, using: &random)))
          guard Int.random(in: 0..<3, using: &random) == 0 else { return }
          offset.set(offset.value + Double(Int.random(in: -100...60, using: &random)))
        }
      }
      let transport = MockTransport { _ in
        tick()
        return .status(200, ["Cache-Control": "max-age=1000"], "\(numbers.add())")
      }
      var books = server(transport, store, clock, offset)
      for _ in 0..<12 {
        tick()
        // A restart keeps what is stored.
        if steps.withLock({ Bool.random(using: &$0) }) {
          books = server(transport, store, clock, offset)
        }
        let received = try await books.get("/books", .reload)
        let note = received.cacheNotes.last ?? ""
        try #require(note.contains("; stored"), "\(random): \(note)")
        tick()
        let stored = try await books.get("/books", .cacheOnly)
        try #require(stored.bodyText == received.bodyText, "\(random)")
      }
    }
  }

  @Test func `a failed background revalidation pauses the next one for monotonic seconds`() {
    let (revalidations, key) = (Revalidations(), CacheKey(.responses, "https://a.example/"))
    #expect(revalidations.beginBackground(key, now: .seconds(10)))
    #expect(!revalidations.beginBackground(key, now: .seconds(99)))
    revalidations.endBackground(key, failed: true, now: .seconds(100))
    #expect(!revalidations.beginBackground(key, now: .milliseconds(104_999)))
    #expect(revalidations.beginBackground(key, now: .seconds(105)))
    revalidations.endBackground(key, failed: false, now: .seconds(106))
    #expect(revalidations.beginBackground(key, now: .seconds(106)))
  }
}
