/// What proves to a server who is calling: one header field, and how long it is good.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible
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
  public static func bearer(_ token: String, lifetime: Duration? = nil) -> Credential {
    Credential(name: "Authorization", value: "Bearer " + token, lifetime: lifetime)
  }

  /// The name of the field; the value is left out.
  public var description: String { "\(name): …" }
  /// The same as ``description``, so that a debugger's log shows no secret either.
  public var debugDescription: String { description }
}
