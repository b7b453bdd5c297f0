import Foundation
import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// Every kind of credential, on every path that leaves its origin and returns, with every cache: no
/// credential, body or private response leaks.
///
/// Each response names the user whom the server saw in the request, so that a response for another user is
/// detected wherever it comes from.
@Suite(.timeLimit(.minutes(5))) struct CredentialMatrixTests {
  enum Storage: CaseIterable {
    case none
    case memory
    #if SQLITE
      case sqlite
    #endif
  }

  @Test(arguments: CredentialCase.allCases, Storage.allCases)
  func `credentials stay at their origin, and responses with their user`(
    _ credential: CredentialCase, _ storage: Storage
  ) async throws {
    #if SQLITE
      let folder = try StoreFolder()
    #endif
    let store: (any CacheStore)?
    switch storage {
    case .none: store = nil
    case .memory: store = MemoryCacheStore()
    #if SQLITE
      case .sqlite: store = folder.store()
    #endif
    }
    for (number, way) in Way.all.enumerated() {
      for isNamed in [false, true] {
        let world = World(number: number * 2 + (isNamed ? 1 : 0), way, credential)
        try await walk(world, store, isNamed: isNamed)
        #expect(world.leaks == [], "\(way) \(isNamed ? "named" : "unnamed")")
      }
    }
  }

  /// Two users and an anonymous one send the same calls twice, then request the last page directly.
  private func walk(_ world: World, _ store: (any CacheStore)?, isNamed: Bool) async throws {
    for _ in 1...2 {
      for user in ["alice", "bob", ""] {
        let server = world.server(for: user, store, isNamed: isNamed)
        var start = world.call(for: user, "/\(world.number)/start")
        start.method = world.way.method
        if start.method == .post { start.body = .text("SECRET-\(user) body") }
        let reached = world.finalOwner(of: user)
        do {
          let response = try await server.send(start)
          #expect(response.body.utf8Text == "for \(reached)", "\(world.way) as “\(user)”")
        } catch {
          #expect(world.way.mayFail, "\(world.way) as “\(user)”: \(error.kind)")
        }
        let direct = try await server.send(
          world.call(for: user, "/\(world.number)/0/\(world.way.hops.count)"))
        #expect(direct.body.utf8Text == "for \(user)", "\(world.way), directly as “\(user)”")
        var link = world.call(for: user, "https://other.test/\(world.number)/link")
        link.isForeign = true
        #expect(try await server.send(link).body.utf8Text == "for ")
        // A call to an explicit other origin only sends what the program adds to the call.
        let absolute = Call("https://other.test/\(world.number)/absolute")
        #expect(try await server.send(absolute).body.utf8Text == "for ")
      }
    }
  }
}

/// A credential that identifies the user to a server.
enum CredentialCase: String, CaseIterable {
  case bearer, keyOfAnyName, provider, serverField, callField, cookieField, cookieJar, queryKey,
    proxyAuthorization, certificate

  /// A field name that is in no list.
  static let anyName = "X-Qua-Zor"

  func configure(_ configuration: inout Server.Configuration, _ user: String) {
    let secret = "SECRET-\(user)"
    switch self {
    case .bearer: configuration.authentication = .bearer(secret)
    case .keyOfAnyName: configuration.authentication = .header(Self.anyName, secret)
    case .provider: configuration.authentication = .provider { _ in .bearer(secret) }
    case .serverField: configuration.headers[Self.anyName] = secret
    case .proxyAuthorization: configuration.headers["Proxy-Authorization"] = secret
    case .queryKey: configuration.params = ["k": secret]
    case .cookieJar: configuration.keepsCookies = true
    case .callField, .cookieField, .certificate: break
    }
  }

  func configure(_ call: inout Call, _ user: String) {
    switch self {
    case .callField: call.headers["X-User-Id"] = "SECRET-\(user)"
    case .cookieField: call.headers["Cookie"] = "session=SECRET-\(user)"
    default: break
    }
  }
}

/// The redirects from `/start`.
struct Way: CustomStringConvertible {
  /// The hosts in order; each one redirects to the next.
  var hops: [String]
  var status: Int
  var method = HTTPMethod.get
  /// The status that the last host responds with once, before it sends the page.
  var trouble: Int?

  var description: String {
    "\(method) \(hops.joined(separator: " → ")) by \(status)"
      + (trouble.map { ", once \($0)" } ?? "")
  }

  /// Whether the last exchange is anonymous.
  var isTainted: Bool { Set(hops).count > 1 }

  /// Whether the call may fail: the last host rejects it, or a body would leave the origin.
  var mayFail: Bool { trouble == 401 || (method == .post && isTainted && status >= 307) }

  static let all: [Way] = {
    let (home, other) = ("https://home.test", "https://other.test")
    let third = "https://third.test:8443"
    var ways: [Way] = []
    for hops in [[home, other], [home, other, home]] {
      ways += [301, 302, 303, 307, 308].map { Way(hops: hops, status: $0) }
      ways += [302, 307, 308].map { Way(hops: hops, status: $0, method: .post) }
    }
    for hops in [
      [home, home], [home, other, third], [home, home, other, other, home, home],
      ["http://home.test", home, "http://home.test"],
    ] {
      ways += [302, 307].map { Way(hops: hops, status: $0) }
      ways.append(Way(hops: hops, status: 307, method: .post))
    }
    for hops in [[home], [home, home], [home, other], [home, other, home]] {
      for trouble in [401, 503] {
        ways.append(Way(hops: hops, status: 302, trouble: trouble))
      }
    }
    return ways
  }()
}

/// The servers of all hosts. Their responses depend on the requests they get.
private final class World: Sendable {
  let number: Int
  let way: Way
  private let credential: CredentialCase
  /// Guards the leaks, and the users that already got the failure.
  private let state = Lock((leaks: [String](), troubled: Set<String>()))

  init(number: Int, _ way: Way, _ credential: CredentialCase) {
    (self.number, self.way, self.credential) = (number, way, credential)
  }

  var leaks: [String] { state.withLock { $0.leaks } }

  /// The user of the last exchange.
  func finalOwner(of user: String) -> String {
    // A redirect drops a key in the query.
    way.isTainted || (credential == .queryKey && way.hops.count > 1) ? "" : user
  }

  func call(for user: String, _ address: String) -> Call {
    var call = Call(address)
    if !user.isEmpty { credential.configure(&call, user) }
    return call
  }

  func server(for user: String, _ store: (any CacheStore)?, isNamed: Bool) -> Server {
    let identity = credential == .certificate && !user.isEmpty ? "SECRET-\(user)" : nil
    let transport = MockTransport(identity: identity) { [self] request in
      respond(request, as: user, identity)
    }
    let clock = ManualClock()
    let server = Server(way.hops[0], transport: transport) {
      $0.time = clock.timeSource
      $0.random = { 0 }
      $0.retry.baseDelay = .zero
      $0.redirects.allowsDowngrade = true
      if let store { $0.cache = HTTPCache(store) }
      guard !user.isEmpty else { return }
      credential.configure(&$0, user)
      if isNamed { $0.cachePartition = user }
    }
    if credential == .cookieJar, !user.isEmpty, case .success(let base) = server.base {
      server.core.memory.storeCookies(
        ["Set-Cookie": "session=SECRET-\(user); Path=/"], from: base,
        now: clock.timeSource.secondsSince1970())
    }
    return server
  }

  private func respond(
    _ request: HTTPRequest, as user: String, _ identity: String?
  ) -> MockResponse {
    var seen = request.headers.fields.map { "\($0.name): \($0.value)" } + [request.url.description]
    if request.allowsClientCertificate, let identity { seen.append("certificate: \(identity)") }
    let users = Set(
      ["alice", "bob"].filter { name in seen.contains { $0.contains("SECRET-\(name)") } })
    if request.url.origin.description != way.hops[0] {
      note(seen.filter { $0.contains("SECRET") }.map { "\(request.url.origin) saw \($0)" })
      if request.body != nil { note(["\(request.url.origin) got the body"]) }
    }
    note(users.filter { $0 != user }.map { "“\(user)” asked as \($0)" })

    let place = request.url.path.split(separator: "/").dropFirst().map(String.init)
    if place == ["link"] || place == ["absolute"] { return page(for: users) }
    // `/n/start` is hop 0; `/n/hop/5` are the next ones; `/n/0/5` and `/n/link` are not part of the redirects.
    let hop = place.first == "start" ? 0 : place.first == "hop" ? Int(place[1]) : nil
    if let hop, hop + 1 < way.hops.count {
      let next = "\(way.hops[hop + 1])/\(number)/\(location(hop + 1))"
      return .redirect(to: next, status: way.status)
        .headers(["Cache-Control": "private, max-age=600"])
    }
    if let trouble = way.trouble, request.url.origin.description == way.hops.last,
      state.withLock({ $0.troubled.insert(user + request.method.rawValue).inserted })
    {
      return .status(trouble)
    }
    return page(for: users)
  }

  private func page(for users: Set<String>) -> MockResponse {
    .status(
      200, ["Cache-Control": "private, max-age=600"],
      "for \(users.sorted().joined(separator: "+"))")
  }

  /// If the last hop is at home, it has the address that is also requested directly.
  private func location(_ hop: Int) -> String {
    hop + 1 == way.hops.count ? "0/\(way.hops.count)" : "hop/\(hop)"
  }

  private func note(_ leaks: [String]) { state.withLock { $0.leaks += leaks } }
}
