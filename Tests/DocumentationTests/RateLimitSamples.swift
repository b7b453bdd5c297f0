import Quire
import QuireTesting
import Testing

/// The samples of “Rate limits”, in their order.
@Suite struct RateLimitSamples {
  private actor SharedTable {
    private(set) var weights: [Double] = []
    func reserve(_ weight: Double) -> Duration {
      weights.append(weight)
      return .zero
    }
  }

  @Test func `a limit of an address stops no other address`() async {
    let server = Server("https://api.example.com") {
      $0.retry.limitScope = .address
      $0.retry.maximumRetryAfter = .seconds(600)
    }
    #expect(server.configuration.retry.limitScope == .address)
  }

  @Test func `a limit that lasts too long has a kind of its own`() async {
    let transport = MockTransport(playing: [
      .json(#"{"message":"one import an hour"}"#, status: 429).headers(["Retry-After": "3600"])
    ])
    let server = Server("https://api.example.com", transport: transport)
    var shown: [String] = []
    func show(_ value: some Sendable) { shown.append("\(value)") }
    do throws(RequestError) {
      show(try await server.send(Call("/books")).status)
    } catch {
      if case .rateLimited(let wait) = error.kind {
        show("Try again in \(wait ?? .seconds(60)). \(error.serverMessage ?? "")")
      }
    }
    #expect(shown == ["Try again in 3600.0 seconds. one import an hour"])
  }

  @Test func `servers share a pace, and a call has a weight`() {
    let pace = RequestPace(perSecond: 5)
    let books = Server("https://api.example.com") { $0.pace = pace }
    let covers = Server("https://covers.example.com") { $0.pace = pace }
    #expect([books, covers].allSatisfy { $0.configuration.pace as? RequestPace === pace })
    var export = Call("/books/export")
    export.weight = 10
    #expect(export.weight == 10)
  }

  @Test func `a program has a pace of its own`() async throws {
    struct FleetPace: RequestPacing {
      let table: SharedTable
      let time = TimeSource.system

      func waitForTurn(weight: Double) async throws {
        try await time.sleep(table.reserve(weight))
      }
    }
    let table = SharedTable()
    let transport = MockTransport(playing: [.status(200)])
    let server = Server("https://api.example.com", transport: transport) {
      $0.pace = FleetPace(table: table)
    }
    _ = try await server.send(Call("/books"))
    #expect(await table.weights == [1])
  }
}
