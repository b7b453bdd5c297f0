internal import Support

/// Decides whose responses a request may see, by everything that could say who is asking.
final class IdentityNames: Sendable {
  /// How many names, and how many digests, are remembered.
  private static let maximum = 256

  /// What a name says.
  private struct Verdict {
    var mayIdentify: Bool
    var seemsToIdentify: Bool
  }

  private struct Known {
    var names: [String: Verdict] = [:]
    /// By the bytes of the identity: texts that Unicode takes for equal may be two users.
    var partitions: [[UInt8]: String] = [:]
  }

  private let salt: [UInt8]
  /// Guards what was worked out before: what names say, and the digests of identities.
  private let known = Lock(Known())

  init(salt: [UInt8]) { self.salt = salt }

  /// Returns a digest of everything that may say who is asking; empty where nothing does.
  ///
  /// - Parameters:
  ///   - headers: The fields of the request.
  ///   - credentials: Names of fields that are credentials, whatever they are called.
  ///   - transport: Who the transport says is asking.
  func partition(
    of headers: HTTPHeaders, credentials: [String] = [], transport: String? = nil
  ) -> String {
    var identity = ""
    for field in headers.fields
    where verdict(on: field.name).mayIdentify
      || credentials.contains(where: field.name.equalsIgnoringCase)
    {
      identity += field.name.lowercased() + ":" + field.value + "\n"
    }
    // No name of a field begins with a blank.
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

  /// Whether a field looks by its name as if it said who is asking.
  func seemsToIdentify(_ name: String) -> Bool { verdict(on: name).seemsToIdentify }

  private func verdict(on name: String) -> Verdict {
    if let verdict = known.withLock({ $0.names[name] }) { return verdict }
    let verdict = Verdict(
      mayIdentify: FieldNames.mayIdentify(name), seemsToIdentify: FieldNames.seemsToIdentify(name))
    known.withLock { known in
      if known.names.count >= Self.maximum { known.names = [:] }
      known.names[name] = verdict
    }
    return verdict
  }
}

extension Server {
  /// What keeps the answers; `nil` where nothing does.
  public var cache: HTTPCache? { configuration.cache }

  /// Whether nothing about a call says who is asking, as far as can be seen.
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
  /// Whether nothing in a part of a body has a name like a key. Files are not read.
  fileprivate func hasNoSecrets(_ piece: RequestBody.Piece) -> Bool {
    guard case .bytes(let bytes) = piece else { return false }
    return json(bytes) == bytes && form(bytes) == bytes
  }
}
