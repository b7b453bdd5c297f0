import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Interceptors and monitors run with the task-local values of the code that made the call.
@Suite(.timeLimit(.minutes(1))) struct TaskLocalTests {
  private enum Trace {
    @TaskLocal static var id = "none"
  }

  private struct Book: Decodable, Identifiable, Sendable { var id: Int }

  /// Records the value that each interceptor and monitor sees.
  private final class Witness: Interceptor, EventMonitor {
    let seen = Mutex<[String]>([])

    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
      seen.withLock { $0.append(Trace.id) }
      return try await next(request)
    }

    func record(_ event: Call.Event, of call: Call.Info) {
      seen.withLock { $0.append(Trace.id) }
    }
  }

  private func server(_ witness: Witness, isNetwork: Bool) -> Server {
    let count = Mutex(0)
    let transport = MockTransport { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { return .status(503) }
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (0..<2).map { #"{"id":\#(page * 2 + $0)}"# }.joined(separator: ",")
      return .json(#"{"rows":[\#(rows)],"total":12}"#)
    }
    return Server("https://test", transport: transport) {
      $0.time = ManualClock(skipsSleeps: true).timeSource
      $0.monitors = [witness]
      if isNetwork { $0.networkInterceptors = [witness] } else { $0.interceptors = [witness] }
    }
  }

  private let paging = Paging.pageNumber(size: 2, endsBy: .total("total"))

  @Test(arguments: [false, true])
  func `a call and its retries have the values of its task`(isNetwork: Bool) async throws {
    let witness = Witness()
    let server = server(witness, isNetwork: isNetwork)
    try await Trace.$id.withValue("a") { _ = try await server.send(Call("/rows")) }
    let seen = witness.seen.withLock { $0 }
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == "a" }, "\(seen)")
  }

  @Test(arguments: [1, 4])
  func `all pages of a loop have the values of its task`(parallel: Int) async throws {
    let witness = Witness()
    let server = server(witness, isNetwork: true)
    try await Trace.$id.withValue("b") {
      var count = 0
      for try await _ in server.items(Book.self, "/rows", paging: paging, parallel: parallel) {
        count += 1
      }
      #expect(count == 12)
    }
    let seen = witness.seen.withLock { $0 }
    #expect(seen.count > 12 && seen.allSatisfy { $0 == "b" }, "\(seen)")
  }

  @MainActor @Test func `pages of a list have the values of the call that loads them`() async {
    let witness = Witness()
    let list = ListModel<Book>(
      server(witness, isNetwork: true), "/rows", items: "rows", paging: paging)
    await Trace.$id.withValue("c") { _ = await list.refresh().outcome }
    await Trace.$id.withValue("c") { _ = await list.loadNextPage().outcome }
    let seen = witness.seen.withLock { $0 }
    #expect(list.count == 4 && seen.allSatisfy { $0 == "c" }, "\(seen)")
  }
}
