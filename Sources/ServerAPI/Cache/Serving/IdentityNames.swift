internal import Support

/// Derives the partition of a request from everything that could identify its user.
final class IdentityNames: Sendable {
  /// The maximum number of cached names, and of cached digests.
  private static let maximum = 256

  /// The classification of a field by its name.
  private struct Classification {
    var mayIdentify: Bool
    var seemsToIdentify: Bool
  }

  private struct Known {
    var names: [String: Classification] = [:]
    /// By the bytes of the identity: texts that Unicode considers equal may be two users.
    var partitions: [[UInt8]: String] = [:]
  }

  private let salt: [UInt8]
  /// Guards the cached classifications and digests.
  private let known = Lock(Known())

  init(salt: [UInt8]) { self.salt = salt }

  /// Returns a digest of everything that may identify the user; empty if nothing does.
  ///
  /// - Parameters:
  ///   - headers: The fields of the request.
  ///   - credentials: The names of fields that are credentials by configuration.
  ///   - transport: The identity that the transport reports.
  func partition(
    of headers: HTTPHeaders, credentials: [String] = [], transport: String? = nil
  ) -> String {
    var identity = ""
    for field in headers.fields
    where classification(of: field.name).mayIdentify
      || credentials.contains(where: field.name.equalsIgnoringCase)
    {
      identity += field.name.lowercased() + ":" + field.value + "\n"
    }
    // No field name starts with a blank.
    if let transport { identity += " transport:" + transport }
    guard !identity.isEmpty else { return "" }
    let bytes = Array(identity.utf8)
    if let partition = known.withLock({ $0.partitions[bytes] }) { return partition }
    let partition = SHA256.name(of: bytes, salt: salt)
    known.withLock { known in
      if known.partitions.count >= Self.maximum { known.partitions = [:] }
      known.partitions[bytes] = partition
    }
    return partition
  }

  /// Whether the name of a field suggests that it identifies the user.
  func seemsToIdentify(_ name: String) -> Bool { classification(of: name).seemsToIdentify }

  private func classification(of name: String) -> Classification {
    if let classification = known.withLock({ $0.names[name] }) { return classification }
    let classification = Classification(
      mayIdentify: FieldNames.mayIdentify(name), seemsToIdentify: FieldNames.seemsToIdentify(name))
    known.withLock { known in
      if known.names.count >= Self.maximum { known.names = [:] }
      known.names[name] = classification
    }
    return classification
  }
}

extension Server {
  /// The cache for responses; `nil` if there is none.
  public var cache: HTTPCache? { configuration.cache }

  /// Whether nothing visible in a call identifies the user.
  package func isAnonymous(_ call: Call) -> Bool {
    guard configuration.authentication == nil, !configuration.keepsCookies, !core.hasInterceptors,
      transport.identity == nil, case .success(let base) = base
    else { return false }
    let names = (configuration.headers.fields + call.headers.fields).map(\.name)
    let params = (configuration.params.items + call.params.items).map(\.name)
    return !names.contains(where: FieldNames.mayIdentify)
      && !params.contains { SecretNames.usual.containsParameter($0.utf8) }
      && Redaction.usual.url(base) == base.description
      && Redaction.usual.text(call.address) == call.address
      && (call.body?.pieces ?? []).allSatisfy(Redaction.usual.hasNoSecrets)
  }
}

extension Redaction {
  /// Whether a part of a body has no field with the name of a secret. Files are not read.
  fileprivate func hasNoSecrets(_ piece: RequestBody.Piece) -> Bool {
    guard case .bytes(let bytes) = piece else { return false }
    return json(bytes) == bytes && form(bytes) == bytes
  }
}
