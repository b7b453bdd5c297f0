/// Where the credentials of a server come from.
///
/// ```swift
/// $0.authentication = .provider { _ in
///   let token = try await login.renewedToken()
///   return .bearer(token.text, lifetime: .seconds(token.expiresIn))
/// }
/// ```
///
/// Credentials go to the origin of the base address only, and not at all once a redirect has left
/// it. However many calls need new ones at the same moment, the provider is asked once. Servers
/// that are given the same value share what it provides.
public struct Authentication: Sendable {
  /// How the credentials are found.
  enum Source: Sendable {
    case fixed(Authentication.Credential)
    case provided(CredentialStore)
  }

  let source: Source

  /// The same header field with each request, such as an API key. A refused one is reported as
  /// status 401.
  public static func header(_ name: String, _ value: String) -> Authentication {
    Authentication(source: .fixed(Authentication.Credential(name: name, value: value)))
  }

  /// The same bearer token with each request.
  public static func bearer(_ token: String) -> Authentication {
    Authentication(source: .fixed(.bearer(token)))
  }

  /// Credentials that are asked for when they are first needed, shortly before they expire, and
  /// when the server refuses them with 401.
  ///
  /// - Parameters:
  ///   - renewBefore: How long before its end a credential is renewed in the background. The
  ///     default is 30 seconds.
  ///   - provide: Gets credentials; it is given the ones that are no longer good, if any. A call
  ///     that it makes to the same server goes without credentials. When it throws, calls fail
  ///     with ``RequestError/Kind/authentication(_:)`` and it is left alone for five seconds.
  ///     It should not hold the server it serves, which would keep both alive for ever; one made
  ///     for signing in will do.
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
  /// What proves to a server who is calling: one header field, and how long it is good.
  public struct Credential: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible
  {
    /// The name of the field.
    public var name: String
    /// The value of the field; a secret.
    public var value: String
    /// How long it is good from the moment it was handed over; `nil` means until it is refused.
    public var lifetime: Duration?

    /// A field of any name.
    public init(name: String, value: String, lifetime: Duration? = nil) {
      self.name = name
      self.value = value
      self.lifetime = lifetime
    }

    /// `Authorization: Bearer …`, the usual form of OAuth; `lifetime` is what `expires_in` says.
    public static func bearer(_ token: String, lifetime: Duration? = nil)
      -> Authentication.Credential
    {
      Authentication.Credential(name: "Authorization", value: "Bearer " + token, lifetime: lifetime)
    }

    /// The name of the field; the value is left out.
    public var description: String { "\(name): …" }
    /// The same as ``description``, so that a debugger's log shows no secret either.
    public var debugDescription: String { description }
  }
}
