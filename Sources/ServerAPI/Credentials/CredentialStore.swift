internal import Support

/// Carries out what ``CredentialMachine`` decides: one question to the provider at a time, and its
/// answer for everybody who waits.
final class CredentialStore: Sendable {
  typealias Versioned = CredentialMachine.Versioned

  private struct State {
    var machine: CredentialMachine
    var renewal: SharedWork<Versioned>?
  }

  /// Guards the machine and the renewal that is under way; the provider is asked outside of it.
  private let state: Lock<State>
  private let provide:
    @Sendable (Authentication.Credential?) async throws -> Authentication.Credential

  /// The store whose provider the current task is part of.
  @TaskLocal private static var asking: ObjectIdentifier?

  init(
    machine: CredentialMachine,
    provide:
      @escaping @Sendable (Authentication.Credential?) async throws -> Authentication.Credential
  ) {
    state = Lock(State(machine: machine))
    self.provide = provide
  }

  /// Whether the caller is the provider itself, which must not wait for its own answer.
  var isAskedByItself: Bool { Self.asking == ObjectIdentifier(self) }

  /// Whether the server refused the last credential, and there has been no other since.
  var isRefused: Bool { state.withLock { $0.machine.isRefused } }

  /// The version that a request would go with now.
  func versionInUse(now: Duration) -> Int { state.withLock { $0.machine.versionInUse(now: now) } }

  /// The credential for a request. `limit` is what the provider may take.
  func credential(
    until deadline: Deadline, limit: Duration
  ) async throws(RequestError) -> Versioned {
    try await follow(deadline, limit) { $0.need(now: deadline.time.now()) }
  }

  /// Another credential, after the server refused the one of that version.
  func replacement(
    for version: Int, until deadline: Deadline, limit: Duration
  ) async throws(RequestError) -> Versioned {
    try await follow(deadline, limit) { $0.refused(version, now: deadline.time.now()) }
  }

  private func follow(
    _ deadline: Deadline, _ limit: Duration,
    _ event: (inout CredentialMachine) -> CredentialMachine.Action
  ) async throws(RequestError) -> Versioned {
    var joined: (work: SharedWork<Versioned>, id: Int)?
    let action = state.withLock { state in
      let action = event(&state.machine)
      if action.asksProvider { state.renewal = SharedWork(endsWithLast: false) }
      if action == .renew || action == .wait, let renewal = state.renewal, let id = renewal.join() {
        joined = (renewal, id)
      }
      return action
    }
    if action.asksProvider { ask(time: deadline.time, limit: limit) }
    switch action {
    case .use(let credential), .useAndRenew(let credential): return credential
    case .fail(let text): throw RequestError(.authentication(text))
    case .renew, .wait:
      guard let joined else { throw RequestError(.authentication("no credentials")) }
      return try await joined.work.wait(joined.id, until: deadline)
    }
  }

  /// Asks the provider. Nobody's cancellation reaches it: a renewal that is broken off may cost a
  /// token that the service has already replaced.
  private func ask(time: TimeSource, limit: Duration) {
    let stale = state.withLock { $0.machine.stale }
    let deadline = Deadline(after: limit, from: time.now(), time: time)
    Task {
      let response: Result<Authentication.Credential, RequestError>
      do throws(RequestError) {
        response = .success(
          try await deadline.race {
            await Self.$asking.withValue(ObjectIdentifier(self)) {
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
      conclude(response, now: time.now())
    }
  }

  private func conclude(_ response: Result<Authentication.Credential, RequestError>, now: Duration)
  {
    let (renewal, result) = state.withLock { state in
      switch response {
      case .success(let credential): state.machine.renewed(credential, now: now)
      case .failure(let error):
        state.machine.failed(Self.words(error.kind), now: now)
      }
      let renewal = state.renewal
      state.renewal = nil
      return (renewal, state.machine.result())
    }
    renewal?.finish(result)
  }

  private static func words(_ failure: RequestError.Kind) -> String {
    guard case .authentication(let text) = failure else { return "the provider took too long" }
    return text
  }
}

extension CredentialMachine.Action {
  fileprivate var asksProvider: Bool {
    switch self {
    case .renew, .useAndRenew: true
    case .use, .wait, .fail: false
    }
  }
}
