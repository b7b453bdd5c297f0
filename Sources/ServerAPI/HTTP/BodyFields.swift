internal import Support

/// What a message says about its body: its codings (RFC 9110, section 8.4) and its length (section 8.6).
extension UnsafeBufferPointer<UInt8> {
  /// Adds the codings of a list in lower case. Empty elements and `identity` change nothing.
  func appendCodings(to codings: inout [String]) {
    forEachMember { name in
      guard !name.isEmpty, !name.spells("identity") else { return }
      codings.append(String(decoding: name, as: UTF8.self).asciiLowercased)
    }
  }
}

/// The value of `Content-Length`. A number may be repeated, in a list or in several fields.
enum ContentLength: Hashable {
  case absent
  case bytes(Int)
  /// It is not a number, or several ones.
  case invalid(String)

  /// Adds the value of a field.
  mutating func add(_ value: UnsafeBufferPointer<UInt8>) {
    value.forEachMember { element in
      let digits =
        element.allSatisfy(\.isASCIIDigit) ? String(decoding: element, as: UTF8.self) : ""
      switch (self, Int(digits)) {
      case (.invalid, _): break
      case (_, nil):
        let text = String(decoding: value.withoutBlanks, as: UTF8.self).prefix(40)
        self = .invalid("Content-Length is “\(text)”, expected a number")
      case (.absent, let length?): self = .bytes(length)
      case (.bytes(let known), let length?) where known != length:
        self = .invalid("two values of Content-Length: \(known) and \(length)")
      case (.bytes, _): break
      }
    }
  }
}

extension HTTPHeaders {
  /// The codings of the body, in lower case and in the order in which they were applied.
  package var contentCodings: [String] { codings("Content-Encoding") }

  /// The announced length of the body; `nil` if none is valid, or the body has a transfer coding, which ends it.
  package var contentLength: Int? {
    var length = ContentLength.absent
    for value in values("Content-Length") { value.withBytes { length.add($0) } }
    guard case .bytes(let count) = length, !hasTransferCoding else { return nil }
    return count
  }

  /// Whether a transfer coding such as `chunked` says where the body ends, and not its length (RFC 9112, section 6.3).
  var hasTransferCoding: Bool { !codings("Transfer-Encoding").isEmpty }

  private func codings(_ name: String) -> [String] {
    var codings: [String] = []
    for value in values(name) { value.withBytes { $0.appendCodings(to: &codings) } }
    return codings
  }
}
