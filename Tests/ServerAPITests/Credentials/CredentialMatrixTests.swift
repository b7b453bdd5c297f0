import Foundation
import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// Every credential a program can give, on every way to leave its origin and to come back, over every
/// cache: no credential, body or private response gets where it does not belong.
///
/// Each response says for whom it is, by what the server saw of the request. So a response of another
/// user is noticed wherever it comes from.
@Suite(.timeLimit(.minutes(5))) struct CredentialMatrixTests {
  enum Storage: CaseIterable { case none, memory, sqlite }

  @Test(arguments: CredentialCase.allCases, Storage.allCases)
  func `credentials stay at home, and responses with their user`(
    _ credential: CredentialCase, _ storage: Storage
  ) async throws {
    let folder = try StoreFolder()
    let store: (any CacheStore)? =
      switch storage {
      case .none: nil
      case .memory: MemoryCacheStore()
      case .sqlite: folder.store()
      }
    for (number, way) in Way.all.enumerated() {
      for isNamed in [false, true] {
        let world = World(number: number * 2 + (isNamed ? 1 : 0), way, credential)
        try await walk(world, store, isNamed: isNamed)
        #expect(world.leaks == [], "\(way) \(isNamed ? "named" : "unnamed")")
      }
    }
  }

  /// Two users and nobody go the same way, twice, and ask directly for what is at its end.
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
        // A program that names another origin itself sends it what it gives the call, and no more.
        let absolute = Call("https://other.test/\(world.number)/absolute")
        #expect(try await server.send(absolute).body.utf8Text == "for ")
      }
    }
  }
}

/// A way of telling a server who is asking.
enum CredentialCase: String, CaseIterable {
  case bearer, keyOfAnyName, provider, serverField, callField, cookieField, cookieJar, queryKey,
    proxyAuthorization, certificate

  /// A name that no list of names knows.
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

/// Where redirects lead from `/start`, and how.
struct Way: CustomStringConvertible {
  /// Hosts in order; the first one sends the call on to the second, and so forth.
  var hops: [String]
  var status: Int
  var method = HTTPMethod.get
  /// What the last host says once, before it sends the page.
  var trouble: Int?

  var description: String {
    "\(method) \(hops.joined(separator: " → ")) by \(status)"
      + (trouble.map { ", once \($0)" } ?? "")
  }

  /// Whether the last exchange is one by nobody.
  var isTainted: Bool { Set(hops).count > 1 }

  /// Whether the call may end with an error: what the last host refuses, and a body that would leave.
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

/// The servers of all hosts. What they see decides what they say.
private final class World: Sendable {
  let number: Int
  let way: Way
  private let credential: CredentialCase
  /// Guards what reached somebody it is not for, and who was in trouble already.
  private let state = Lock((leaks: [String](), troubled: Set<String>()))

  init(number: Int, _ way: Way, _ credential: CredentialCase) {
    (self.number, self.way, self.credential) = (number, way, credential)
  }

  var leaks: [String] { state.withLock { $0.leaks } }

  /// Who the last exchange of the way is for.
  func finalOwner(of user: String) -> String {
    // A key in the query is gone with the address.
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
    // `/n/start` is hop 0 of the way; `/n/hop/5` the next ones; `/n/0/5` and `/n/link` stand alone.
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

  /// The last hop has the address that is asked for directly too, where that is at home.
  private func location(_ hop: Int) -> String {
    hop + 1 == way.hops.count ? "0/\(way.hops.count)" : "hop/\(hop)"
  }

  private func note(_ leaks: [String]) { state.withLock { $0.leaks += leaks } }
}
