internal import Support

extension Call {
  /// Detects an error of the service in a response.
  ///
  /// Many services respond with `200 OK` and report the failure in an envelope. Such a response is a failure
  /// for the caller too, not an empty page. The check also sees error statuses, so that a `422` with an
  /// envelope becomes ``RequestError/Kind/business(code:message:)`` with the service's message.
  public struct BusinessCheck: Sendable {
    /// Returns code and message if the response is a failure, otherwise `nil`.
    public var failure: @Sendable (HTTPResponse) -> (code: String, message: String)?

    /// Creates a check.
    public init(_ failure: @escaping @Sendable (HTTPResponse) -> (code: String, message: String)?) {
      self.failure = failure
    }

    /// Creates a check that reads code and message from a JSON envelope, such as
    /// `{"errno": 7, "errmsg": "no"}`.
    ///
    /// Dots name a nested member: `error.code`. Numbers, strings and `true` or `false` are compared as text, as
    /// they occur in the JSON. A missing member or `null` is not a failure, nor is a body that is not a JSON
    /// object. The body is only scanned up to the code.
    public static func envelope(
      code: String, message: String, successCodes: Set<String> = ["0"]
    ) -> Call.BusinessCheck {
      let codePath = EnvelopeScanner.path(code)
      let messagePath = EnvelopeScanner.path(message)
      return Call.BusinessCheck { response in
        response.body.withUnsafeBytes { bytes in
          guard let code = EnvelopeScanner.text(at: codePath, in: bytes),
            !successCodes.contains(code)
          else { return nil }
          return (code, EnvelopeScanner.text(at: messagePath, in: bytes) ?? "")
        }
      }
    }
  }
}

/// Finds one scalar in the outer objects of a JSON text and skips everything else.
///
/// It is not a parser: it reads up to the member and does not validate what it skips. Invalid JSON ends the
/// search.
struct EnvelopeScanner {
  /// The maximum length of a value. Longer ones are truncated: a code or a message is a line, not a document.
  static let maximumLength = 4096

  /// A step to a value inside of another one.
  enum Step: Hashable {
    case member([UInt8])
    /// The first element.
    case first
  }

  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  /// Returns the path for names with dots between them.
  static func path(_ text: String) -> [Step] {
    text.split(separator: ".").map { .member(Array($0.utf8)) }
  }

  /// Returns the string, number, `true` or `false` at the path; `nil` for none, `null`, an object or an array.
  static func text(at path: [Step], in bytes: UnsafeRawBufferPointer) -> String? {
    var scanner = EnvelopeScanner(to: path, in: bytes)
    return scanner?.scalar()
  }

  /// Returns the string at the path; `nil` for anything else.
  static func string(at path: [Step], in bytes: UnsafeRawBufferPointer) -> String? {
    var scanner = EnvelopeScanner(to: path, in: bytes)
    return scanner?.next() == 0x22 ? scanner?.scalar() : nil
  }

  /// Creates a scanner at the value that a path leads to; `nil` if there is none.
  private init?(to path: [Step], in bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    guard !path.isEmpty else { return nil }
    for step in path {
      let isThere =
        switch step {
        case .member(let name): moveToMember(name)
        case .first: consume(0x5B) && next() != 0x5D
        }
      guard isThere else { return nil }
    }
  }

  /// Skips white space and returns the current byte.
  private mutating func next() -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      if byte > 0x20 { return byte }
      index += 1
    }
    return nil
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard next() == byte else { return false }
    index += 1
    return true
  }

  /// Moves to the value of the first member with this name in the object that starts here.
  private mutating func moveToMember(_ name: [UInt8]) -> Bool {
    guard consume(0x7B), next() != 0x7D else { return false }
    repeat {
      guard let key = string(), consume(0x3A) else { return false }
      if matches(key, name) { return true }
      guard skipValue() else { return false }
    } while consume(0x2C)
    return false
  }

  private func matches(_ key: Range<Int>, _ name: [UInt8]) -> Bool {
    let raw = bytes[key]
    if raw.elementsEqual(name) { return true }
    // Escapes only make a name longer.
    guard raw.count > name.count, raw.contains(0x5C) else { return false }
    return JSONText.unescaped(raw).elementsEqual(name)
  }

  /// Returns the content of the string that starts here, and moves past it.
  private mutating func string() -> Range<Int>? {
    guard next() == 0x22, let end = JSONText.endOfString(at: index, in: bytes) else { return nil }
    defer { index = end }
    return index + 1..<end - 1
  }

  private mutating func skipValue() -> Bool {
    switch next() {
    case 0x22: return string() != nil
    case 0x7B, 0x5B:
      guard let end = JSONText.endOfContainer(at: index, in: bytes) else { return false }
      index = end
      return true
    default:
      while let byte = next(), byte != 0x2C, byte != 0x7D, byte != 0x5D { index += 1 }
      return index < bytes.count
    }
  }

  private mutating func scalar() -> String? {
    switch next() {
    case nil, 0x7B, 0x5B: return nil
    case 0x22:
      guard let inside = string() else { return nil }
      let text = JSONText.unescaped(bytes[inside].prefix(Self.maximumLength))
      return String(decoding: text, as: UTF8.self)
    default:
      let literal = bytes[index...].prefix {
        $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x2B || $0 == 0x2E
      }
      let text = String(decoding: literal.prefix(Self.maximumLength), as: UTF8.self)
      return text.isEmpty || text == "null" ? nil : text
    }
  }
}
