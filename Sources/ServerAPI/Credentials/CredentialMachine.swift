/// Decides which credential a request uses and when the provider is asked for another.
///
/// Each credential has a version. A refusal counts only against the version it was sent with: who
/// comes late with an older one gets the newer one and asks for nothing.
struct CredentialMachine: Sendable {
  /// What a request has to do.
  enum Action: Hashable {
    /// Go with this credential.
    case use(Versioned)
    /// Go with this credential; its successor is to be asked for meanwhile.
    case useAndRenew(Versioned)
    /// Ask the provider, and wait with the others.
    case renew
    /// Wait for the answer that is asked for already.
    case wait
    /// There will be none for now.
    case fail(String)
  }

  /// A credential and its place in the sequence.
  struct Versioned: Hashable, Sendable {
    var credential: Authentication.Credential
    var version: Int
  }

  /// How long a failed provider is left alone.
  static let failureMemory: Duration = .seconds(5)
  /// More renewals than this within ``window`` mean that they don't help.
  static let maximumRenewals = 5
  /// The span in which renewals are counted.
  static let window: Duration = .seconds(30)

  let renewBefore: Duration
  private var current: (value: Versioned, obtained: Duration)?
  private var version = 0
  private var isRenewing = false
  private var failure: (text: String, until: Duration)?
  private var renewals: [Duration] = []

  init(renewBefore: Duration) { self.renewBefore = renewBefore }

  /// What the provider is told is no longer good.
  private(set) var stale: Authentication.Credential?
  /// Whether the server refused the last credential, and there has been no other since.
  private(set) var isRefused = false

  /// The version that a request would go with now, the next one where the last is no longer good.
  func versionInUse(now: Duration) -> Int {
    guard let current else { return version + 1 }
    guard let lifetime = current.value.credential.lifetime else { return version }
    return current.obtained + lifetime > now ? version : version + 1
  }

  /// A request needs a credential.
  mutating func need(now: Duration) -> Action {
    guard let current else { return ask(now: now) }
    guard let lifetime = current.value.credential.lifetime else { return .use(current.value) }
    let left = current.obtained + lifetime - now
    guard left > .zero else {
      drop()
      return ask(now: now)
    }
    // A credential of short life is renewed in its last quarter at the earliest, not all the time.
    guard left <= min(renewBefore, lifetime / 4), !isRenewing else { return .use(current.value) }
    stale = current.value.credential
    return ask(now: now) == .renew ? .useAndRenew(current.value) : .use(current.value)
  }

  /// The server refused the credential of that version.
  mutating func refused(_ version: Int, now: Duration) -> Action {
    if let current, current.value.version > version { return .use(current.value) }
    isRefused = true
    drop()
    return ask(now: now)
  }

  /// The provider delivered.
  mutating func renewed(_ credential: Authentication.Credential, now: Duration) {
    version += 1
    current = (Versioned(credential: credential, version: version), now)
    isRenewing = false
    failure = nil
    stale = nil
    isRefused = false
  }

  /// The provider failed.
  mutating func failed(_ text: String, now: Duration) {
    isRenewing = false
    failure = (text, now + Self.failureMemory)
  }

  /// What everybody who waited gets after the provider was asked.
  func result() -> Result<Versioned, RequestError> {
    if let current { return .success(current.value) }
    return .failure(RequestError(.authentication(failure?.text ?? "no credentials")))
  }

  private mutating func drop() {
    if let current { stale = current.value.credential }
    current = nil
  }

  private mutating func ask(now: Duration) -> Action {
    if isRenewing { return .wait }
    if let failure, failure.until > now { return .fail(failure.text) }
    renewals.removeAll { $0 + Self.window <= now }
    guard renewals.count < Self.maximumRenewals else {
      return .fail("new credentials were asked for \(renewals.count) times and did not help")
    }
    renewals.append(now)
    isRenewing = true
    return .renew
  }
}
