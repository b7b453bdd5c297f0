internal import Synchronization

/// Tells by the fields of a request whose answers it may see.
final class IdentityNames: Sendable {
  /// How many names, and how many digests, are remembered.
  private static let maximum = 256

  private struct Known {
    var names: [String: Bool] = [:]
    var partitions: [String: String] = [:]
  }

  private let salt: [UInt8]
  /// Guards what was worked out before: whether a name is that of a secret, and the digests of secrets.
  private let known = Mutex(Known())

  init(salt: [UInt8]) { self.salt = salt }

  /// A digest of all fields that say who is asking; empty where none does.
  func partition(of headers: HTTPHeaders) -> String {
    var identity = ""
    for field in headers.fields where isIdentity(field.name) {
      identity += field.name.lowercased() + ":" + field.value + "\n"
    }
    guard !identity.isEmpty else { return "" }
    if let partition = known.withLock({ $0.partitions[identity] }) { return partition }
    let partition = SHA256.name(of: identity, salt: salt)
    known.withLock { known in
      if known.partitions.count >= Self.maximum { known.partitions = [:] }
      known.partitions[identity] = partition
    }
    return partition
  }

  private func isIdentity(_ name: String) -> Bool {
    if let answer = known.withLock({ $0.names[name] }) { return answer }
    let answer = SecretNames.usual.contains(name.utf8)
    known.withLock { known in
      if known.names.count >= Self.maximum { known.names = [:] }
      known.names[name] = answer
    }
    return answer
  }
}
