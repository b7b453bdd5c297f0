/// The source of a server's credentials.
///
/// ```swift
/// $0.authentication = .provider { _ in
///   let token = try await login.renewedToken()
///   return .bearer(token.text, lifetime: .seconds(token.expiresIn))
/// }
/// ```
///
/// Credentials go only to the origin of the base address, and never after a redirect has left it. If several
/// calls need new credentials at the same time, the provider is called once. Servers with the same value
/// share its credentials.
public struct Authentication: Sendable {
  /// A kind of source.
  enum Source: Sendable {
    case fixed(Authentication.Credential)
    case provided(CredentialStore)
  }

  let source: Source

  /// Sends the same header field with each request, such as an API key. If the server rejects it, calls fail
  /// with status 401.
  public static func header(_ name: String, _ value: String) -> Authentication {
    Authentication(source: .fixed(Authentication.Credential(name: name, value: value)))
  }

  /// Sends the same bearer token with each request.
  public static func bearer(_ token: String) -> Authentication {
    Authentication(source: .fixed(.bearer(token)))
  }

  /// Requests credentials from a provider: when they are first needed, shortly before they expire, and when
  /// the server rejects them with 401.
  ///
  /// - Parameters:
  ///   - renewBefore: How long before its expiry a credential is renewed in the background. The default is
  ///     30 seconds.
  ///   - provide: Returns credentials; its argument is the stale credential, if any. Its own calls to the
  ///     same server are sent without credentials. If it throws, calls fail with
  ///     ``RequestError/Kind/authentication(_:)``, and it is not called again for five seconds. It is called
  ///     as often as needed while the server accepts its credentials; after five renewals within 30 seconds
  ///     without an accepted one, calls fail. It should not capture the server it serves, since neither would
  ///     ever be released; use a separate server for signing in.
  public static func provider(
    renewBefore: Duration = .seconds(30),
    _ provide:
      @escaping @Sendable (_ stale: Authentication.Credential?) async throws ->
      Authentication.Credential
  ) -> Authentication {
    let store = CredentialStore(
      machine: CredentialMachine(renewBefore: renewBefore), provide: provide)
    return Authentication(source: .provided(store))
  }
}

extension Authentication {
  /// A credential: one header field and its lifetime.
  public struct Credential: Hashable, Sendable, CustomStringConvertible {
    /// The name of the header field.
    var name: String
    /// The value of the field, which is secret.
    var value: String
    /// How long it is valid after it was provided; `nil` means until it is rejected.
    var lifetime: Duration?

    /// Creates a credential with any field name.
    public init(name: String, value: String, lifetime: Duration? = nil) {
      self.name = name
      self.value = value
      self.lifetime = lifetime
    }

    /// Creates `Authorization: Bearer …`, as in OAuth; `lifetime` is the value of `expires_in`.
    public static func bearer(_ token: String, lifetime: Duration? = nil)
      -> Authentication.Credential
    {
      Authentication.Credential(name: "Authorization", value: "Bearer " + token, lifetime: lifetime)
    }

    /// The name of the field, without the value.
    public var description: String { "\(name): …" }
  }
}
