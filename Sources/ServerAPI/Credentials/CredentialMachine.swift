/// Decides which credential a request uses, and when the provider is called for a new one.
///
/// Each credential has a version. A rejection only affects the version it was sent with: a request that
/// reports an older one gets the newer credential without another renewal.
///
/// A renewal helps if the server accepts its credential at least once. The number of those that help is not
/// limited, however soon a credential is rejected after that; the number of others is.
struct CredentialMachine: Sendable {
  /// The action for a request.
  enum Action: Hashable {
    /// Use this credential.
    case use(Versioned)
    /// Use this credential, and renew it in the background.
    case useAndRenew(Versioned)
    /// Call the provider and wait.
    case renew
    /// Wait for the renewal in flight.
    case wait
    /// Fail: no credential is available.
    case fail(String)
  }

  /// A credential with its version.
  struct Versioned: Hashable, Sendable {
    var credential: Authentication.Credential
    var version: Int
  }

  /// How long a failed provider is not called again.
  static let failureMemory: Duration = .seconds(5)
  /// The maximum number of renewals within ``window`` whose credentials the server does not accept.
  static let maximumRenewals = 5
  /// How many credentials one request replaces that were rejected for no other request.
  static let maximumReplacements = 5
  /// The period in which renewals without accepted credentials are counted.
  static let window: Duration = .seconds(30)

  let renewBefore: Duration
  private var current: (value: Versioned, obtained: Duration)?
  private var version = 0
  private var isRenewing = false
  private var failure: (text: String, until: Duration)?
  /// The renewals whose credentials were not accepted yet.
  private var unproven: [(version: Int, started: Duration)] = []
  /// The latest version that the server accepted.
  private var acceptedVersion = 0
  /// How many requests were rejected with each of the latest versions.
  private var rejections: [Int: Int] = [:]
  /// How many requests were sent with the latest version.
  private var uses = 0

  init(renewBefore: Duration) { self.renewBefore = renewBefore }

  /// The stale credential that the provider receives.
  private(set) var stale: Authentication.Credential?
  /// Whether the server rejected the last credential and there is no newer one.
  private(set) var isRejected = false

  /// Returns the version that a request would use now: the next one if the current one has expired.
  func versionInUse(now: Duration) -> Int {
    guard let current else { return version + 1 }
    guard let lifetime = current.value.credential.lifetime else { return version }
    return current.obtained + lifetime > now ? version : version + 1
  }

  /// Returns the action for a request that needs a credential.
  mutating func request(now: Duration) -> Action {
    guard let current else { return beginRenewal(now: now) }
    guard let lifetime = current.value.credential.lifetime else { return .use(current.value) }
    let left = current.obtained + lifetime - now
    guard left > .zero else {
      drop()
      return beginRenewal(now: now)
    }
    // A credential with a short lifetime is renewed only in its last quarter, not with each request.
    guard left <= min(renewBefore, lifetime / 4), !isRenewing else { return .use(current.value) }
    stale = current.value.credential
    return beginRenewal(now: now) == .renew ? .useAndRenew(current.value) : .use(current.value)
  }

  /// Records that a request was sent with the credential of this version.
  mutating func sent(_ version: Int) {
    if version == self.version { uses += 1 }
  }

  /// Records that the server accepted the credential of this version.
  mutating func accepted(_ version: Int) {
    guard version > acceptedVersion || !unproven.isEmpty else { return }
    acceptedVersion = max(acceptedVersion, version)
    unproven.removeAll { $0.version == version }
  }

  /// Returns the action for a request whose credential, of this version, the server rejected. `replaced` has the
  /// versions that the request has replaced before.
  ///
  /// A request that has replaced credentials fails if no other request used the last one: yet another credential
  /// would hardly help. If others use it as well, or the server accepted it before, it may just have expired. A
  /// request also fails after it has replaced several credentials that the server accepts from others: otherwise
  /// it would renew forever.
  mutating func rejected(_ version: Int, replaced: [Int] = [], now: Duration) -> Action {
    rejections[version, default: 0] += 1
    if rejections.count > 64 { rejections = rejections.filter { $0.key > version - 32 } }
    if let current, current.value.version > version { return .use(current.value) }
    let last = replaced.suffix(Self.maximumReplacements)
    if last.count == Self.maximumReplacements, last.allSatisfy({ rejections[$0] == 1 }) {
      return .fail("the server rejected renewed credentials \(replaced.count) times")
    }
    isRejected = true
    drop()
    let isHopeless = version == self.version && acceptedVersion < version && uses <= 1
    if !replaced.isEmpty, isHopeless {
      return .fail("the server rejected renewed credentials")
    }
    return beginRenewal(now: now)
  }

  /// Records a credential from the provider.
  mutating func renewed(_ credential: Authentication.Credential, now: Duration) {
    version += 1
    uses = 0
    current = (Versioned(credential: credential, version: version), now)
    isRenewing = false
    failure = nil
    stale = nil
    isRejected = false
  }

  /// Records a failure of the provider.
  mutating func failed(_ text: String, now: Duration) {
    isRenewing = false
    failure = (text, now + Self.failureMemory)
  }

  /// Returns the result for all requests that waited for the renewal.
  func result() -> Result<Versioned, RequestError> {
    if let current { return .success(current.value) }
    return .failure(RequestError(.authentication(failure?.text ?? "no credentials are available")))
  }

  private mutating func drop() {
    if let current { stale = current.value.credential }
    current = nil
  }

  private mutating func beginRenewal(now: Duration) -> Action {
    if isRenewing { return .wait }
    if let failure, failure.until > now { return .fail(failure.text) }
    unproven.removeAll { $0.started + Self.window <= now }
    guard unproven.count < Self.maximumRenewals else {
      // A provider that failed last gave nothing that could be rejected.
      if let failure { return .fail(failure.text) }
      return .fail(
        "\(unproven.count) renewals within \(Self.window.components.seconds) seconds gave no"
          + " credentials that the server accepts")
    }
    unproven.append((version + 1, now))
    isRenewing = true
    return .renew
  }
}
