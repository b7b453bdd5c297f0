/// One header line of a request or an answer of the loopback server, in the case it was written.
public struct LoopbackHeader: Hashable, Sendable {
  /// The name as it stands on the wire.
  public var name: String
  /// The value without surrounding white space.
  public var value: String

  /// Makes a header line; nothing is checked, so that wrong ones can be sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether this is the header of that name, whatever the case.
  func isNamed(_ other: some StringProtocol) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
