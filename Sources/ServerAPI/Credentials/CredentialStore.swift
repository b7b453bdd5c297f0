internal import Support

/// Carries out the decisions of ``CredentialMachine``: calls the provider once at a time, and passes its
/// credential to every waiting request.
final class CredentialStore: Sendable {
  typealias Versioned = CredentialMachine.Versioned

  private struct State {
    var machine: CredentialMachine
    var renewal: SharedWork<Versioned>?
  }

  /// Guards the machine and the renewal in flight; the provider is called outside of the lock.
  private let state: Lock<State>
  private let provide: @Sendable (Authentication.Credential?) async throws -> Authentication.Credential

  /// The store whose provider runs in the current task.
  @TaskLocal private static var active: ObjectIdentifier?

  init(
    machine: CredentialMachine,
    provide:
      @escaping @Sendable (Authentication.Credential?) async throws -> Authentication.Credential
  ) {
    state = Lock(State(machine: machine))
    self.provide = provide
  }

  /// Whether the caller is the provider itself, which must not wait for its own credential.
  var isCalledByItsProvider: Bool { Self.active == ObjectIdentifier(self) }

  /// Whether the server rejected the last credential and there is no newer one.
  var isRejected: Bool { state.withLock { $0.machine.isRejected } }

  /// Returns the version that a request would use now.
  func versionInUse(now: Duration) -> Int { state.withLock { $0.machine.versionInUse(now: now) } }

  /// Returns the credential for a request. `limit` is the time limit of the provider.
  func credential(
    until deadline: Deadline, limit: Duration
  ) async throws(RequestError) -> Versioned {
    try await perform(deadline, limit) { $0.request(now: deadline.time.now()) }
  }

  /// Returns another credential, after the server rejected the one with this version. `replaced` has
  /// the versions that the call has replaced before.
  func replacement(
    for version: Int, replaced: [Int], until deadline: Deadline,
    limit: Duration
  ) async throws(RequestError) -> Versioned {
    try await perform(deadline, limit) {
      $0.rejected(version, replaced: replaced, now: deadline.time.now())
    }
  }

  /// Records that a request is sent with the credential of this version.
  func recordUse(of version: Int) { state.withLock { $0.machine.sent(version) } }

  /// Records that the server accepted the credential of this version.
  func recordAcceptance(of version: Int) { state.withLock { $0.machine.accepted(version) } }

  private func perform(
    _ deadline: Deadline, _ limit: Duration,
    _ event: (inout CredentialMachine) -> CredentialMachine.Action
  ) async throws(RequestError) -> Versioned {
    var joined: (work: SharedWork<Versioned>, id: Int)?
    let action = state.withLock { state in
      let action = event(&state.machine)
      if action.callsProvider { state.renewal = SharedWork(endsWithLast: false) }
      if action == .renew || action == .wait, let renewal = state.renewal, let id = renewal.join() {
        joined = (renewal, id)
      }
      return action
    }
    if action.callsProvider { renew(time: deadline.time, limit: limit) }
    switch action {
    case .use(let credential), .useAndRenew(let credential): return credential
    case .fail(let text): throw RequestError(.authentication(text))
    case .renew, .wait:
      guard let joined else { throw RequestError(.authentication("no credentials are available")) }
      return try await joined.work.wait(joined.id, until: deadline)
    }
  }

  /// Calls the provider. The cancellation of a request does not reach it: an interrupted renewal could lose
  /// a token that the service has already replaced.
  private func renew(time: TimeSource, limit: Duration) {
    let stale = state.withLock { $0.machine.stale }
    let deadline = Deadline(after: limit, from: time.now(), time: time)
    Task {
      let response: Result<Authentication.Credential, RequestError>
      do throws(RequestError) {
        response = .success(
          try await deadline.race {
            await Self.$active.withValue(ObjectIdentifier(self)) {
              do {
                return .success(try await self.provide(stale))
              } catch {
                return .failure(RequestError(.authentication("\(error)")))
              }
            }
          })
      } catch {
        response = .failure(error)
      }
      finishRenewal(response, now: time.now())
    }
  }

  private func finishRenewal(
    _ response: Result<Authentication.Credential, RequestError>, now: Duration
  ) {
    let (renewal, result) = state.withLock { state in
      switch response {
      case .success(let credential): state.machine.renewed(credential, now: now)
      case .failure(let error):
        state.machine.failed(Self.failureText(error.kind), now: now)
      }
      let renewal = state.renewal
      state.renewal = nil
      return (renewal, state.machine.result())
    }
    renewal?.finish(result)
  }

  private static func failureText(_ failure: RequestError.Kind) -> String {
    guard case .authentication(let text) = failure else { return "the provider timed out" }
    return text
  }
}

extension CredentialMachine.Action {
  fileprivate var callsProvider: Bool {
    switch self {
    case .renew, .useAndRenew: true
    case .use, .wait, .fail: false
    }
  }
}
