import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Signing in”, in their order, and its statements.
@MainActor @Suite struct SigningInSamples {
  struct Book: Decodable, Identifiable {
    let id: Int
  }

  /// A login service: each renewal gives the next token.
  final class Session: Sendable {
    struct Token {
      var text: String
      var expiresIn: Int
    }

    let name: String
    private let renewals = Lock(0)

    init(_ name: String) { self.name = name }

    var count: Int { renewals.withLock { $0 } }

    func renew(after stale: Authentication.Credential?) async throws -> Token {
      let number = renewals.withLock { count in
        count += 1
        return count
      }
      return Token(text: "\(name)-\(number)", expiresIn: 3_600)
    }

    func credential() async throws -> Authentication.Credential {
      .bearer(try await renew(after: nil).text)
    }
  }

  struct User {
    let name: String
    let session: Session

    init(_ name: String) { (self.name, session) = (name, Session(name)) }
  }

  private let cache = HTTPCache.memory()
  private let session = Session("ann")

  @Test func `a provider renews credentials`() async throws {
    let session = session
    let server = Server("https://api.example.com") {
      $0.authentication = .provider { stale in
        let token = try await session.renew(after: stale)
        return .bearer(token.text, lifetime: .seconds(token.expiresIn))
      }
    }
    let tokens = Lock<[String?]>([])
    let transport = MockTransport { request in
      let token = request.headers["Authorization"]
      tokens.withLock { $0.append(token) }
      return .status(token == "Bearer ann-1" ? 401 : 204)
    }
    let copy = Server("https://api.example.com", transport: transport) {
      $0.authentication = server.configuration.authentication
    }
    #expect(try await copy.send(Call("/books", method: .post)).status == 204)
    #expect(tokens.withLock { $0 } == ["Bearer ann-1", "Bearer ann-2"])
    #expect(session.count == 2)
  }

  @Test(arguments: [
    (RequestError.Kind.authentication("wrong password"), true), (.status(401), true),
    (.status(403), false), (.offline, false),
  ])
  func `a program shows its sign-in when credentials are rejected`(
    kind: RequestError.Kind, shows: Bool
  ) {
    var showsSignIn = false
    func showSignIn() { showsSignIn = true }
    func show(_ error: RequestError) {}
    let error = RequestError(kind)
    switch error.kind {
    case .authentication, .status(401): showSignIn()
    default: show(error)
    }
    #expect(showsSignIn == shows)
  }

  func server(for user: User) -> Server {
    Server("https://api.example.com") {
      $0.authentication = .provider { _ in try await user.session.credential() }
      $0.cache = cache
      $0.cachePartition = user.name
    }
  }

  /// Returns the same server over a mock that responds with an id for each user.
  private func mockedServer(for user: User) -> Server {
    let configuration = server(for: user).configuration
    let transport = MockTransport { request in
      let id = request.headers["Authorization"] == "Bearer ann-1" ? 1 : 2
      return .json(#"[{"id": \#(id)}]"#).headers(["Cache-Control": "max-age=600"])
    }
    return Server("https://api.example.com", transport: transport) { $0 = configuration }
  }

  private func list(_ server: Server) -> ListModel<Book> {
    ListModel<Book>(server, "/books", paging: .link) {
      $0.keeping = ListKeeping(in: cache)
    }
  }

  @Test func `each user has responses and lists of their own, which signing out removes`() async {
    let (user, other) = (User("ann"), User("bob"))
    let (server, stranger) = (mockedServer(for: user), mockedServer(for: other))
    let lists = [list(server)]
    let others = list(stranger)
    _ = await lists[0].refresh().outcome
    _ = await others.refresh().outcome
    #expect(lists[0].rows.items.map(\.id) == [1])
    #expect(others.rows.items.map(\.id) == [2])
    lists[0].rowsWillAppear(0..<1)
    let events = lists[0].events

    for list in lists { list.reset() }
    server.cache?.remove(partition: user.name)
    await server.cache?.flush()

    for await event in events { if case .didReset = event.event { break } }
    #expect(lists[0].rows.isEmpty)
    #expect(await cache.contents(partition: "ann").isEmpty)
    #expect(await cache.contents(partition: "bob").count == 1)
    let restored = list(server)
    _ = await restored.restore().outcome
    #expect(restored.rows.isEmpty)
    let kept = list(stranger)
    _ = await kept.restore().outcome
    #expect(kept.rows.items.map(\.id) == [2])
  }
}

/// Guards a value. The lock of the package is not used here, because samples see only what a program sees.
///
/// `@unchecked Sendable` holds because the value is accessed only inside of `withLock`.
final class Lock<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
