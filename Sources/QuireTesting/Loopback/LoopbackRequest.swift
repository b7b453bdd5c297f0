internal import Support

/// A request as received, byte for byte.
///
/// Everything but the bytes is parsed on access, so a server that only responds pays for nothing else.
public struct LoopbackRequest: Hashable, Sendable {
  /// A name and a value in the query.
  public struct QueryItem: Hashable, Sendable {
    /// The decoded name.
    public var name: String
    /// The decoded value; empty if there was no `=`.
    public var value: String
  }

  /// The request line and the header lines with every CR and LF, including the empty line.
  public let head: [UInt8]
  /// The body without the framing of chunks.
  public internal(set) var body: [UInt8]
  /// The number of its connection, counted from zero in order of arrival. Requests with the same number shared
  /// a connection.
  public let connection: Int
  /// The number of the request on its connection, counted from zero.
  public let index: Int
  /// Whether the whole body arrived. If not, the connection ended or a fault occurred first.
  public internal(set) var isComplete: Bool
  /// Whether the client presented a certificate on the connection.
  package internal(set) var hasClientCertificate = false
  /// The framing that the head declares.
  let framing: LoopbackFraming

  package init(head: [UInt8], connection: Int, index: Int) {
    self.head = head
    self.body = []
    self.connection = connection
    self.index = index
    isComplete = false
    framing = LoopbackFraming(head: head)
  }

  /// The method, such as `GET`.
  public var method: String { Self.text(requestLine.prefix { $0 != 0x20 }) }

  /// The target exactly as sent: path and query, or a whole URL through a proxy.
  public var target: String { Self.text(targetBytes) }

  /// The target before the `?`, still percent-encoded.
  public var path: String { Self.text(targetBytes.prefix { $0 != 0x3F }) }

  /// The query items in order, percent-decoded, with `+` as a space.
  public var query: [QueryItem] {
    guard let mark = targetBytes.firstIndex(of: 0x3F) else { return [] }
    return targetBytes[(mark + 1)...].split(separator: 0x26).map { item in
      let name = item.prefix { $0 != 0x3D }
      let value = item.dropFirst(name.count + 1)
      return QueryItem(name: Self.decoded(name), value: Self.decoded(value))
    }
  }

  /// Returns the first value of a name in the query.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The header lines in order, with their original case.
  public var headers: [LoopbackHeader] {
    lines.dropFirst().map { line in
      let name = line.prefix { $0 != 0x3A }
      return LoopbackHeader(
        Self.text(name), Self.text(line.dropFirst(name.count + 1).withoutBlanks))
    }
  }

  /// Returns the first header with a name, ignoring case.
  public func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

  /// The body as UTF-8, with the replacement character for invalid bytes.
  public var text: String { Self.text(body[...]) }

  private var requestLine: ArraySlice<UInt8> { head.prefix { $0 != 0x0D } }

  private var targetBytes: ArraySlice<UInt8> {
    requestLine.drop { $0 != 0x20 }.dropFirst().prefix { $0 != 0x20 }
  }

  private var lines: [ArraySlice<UInt8>] {
    head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
      .filter { !$0.isEmpty }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var out: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(text(rest.prefix(2)), radix: 16), rest.first != 0x2B, rest.first != 0x2D
      {
        out.append(value)
        rest.removeFirst(2)
      } else {
        out.append(byte == 0x2B ? 0x20 : byte)
      }
    }
    return text(out[...])
  }
}

extension LoopbackRequest: CustomStringConvertible {
  /// The request line, with its connection and number.
  public var description: String {
    "\(Self.text(requestLine)) (connection \(connection), request \(index))"
  }
}

/// A header line of a request or response of the loopback server, with its original case.
public struct LoopbackHeader: Hashable, Sendable {
  /// The name as on the wire.
  public var name: String
  /// The value without surrounding white space.
  public var value: String

  /// Creates a header line; nothing is checked, so that invalid ones can be sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether this is the header with a name, ignoring case.
  package func isNamed(_ other: some StringProtocol) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
