internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The response of a server, with any status.
public struct HTTPResponse: Sendable {
  /// What is known of the exchange besides the response itself.
  struct Record {
    var source = HTTPResponse.Source.network
    var interim: [HTTPResponse.Interim] = []
    var endsWithConnection = false
    var limitWait = Duration.zero
    var paceWait = Duration.zero
    var retries = 0
    var timings = HTTPResponse.Timings()
    var attempts: [HTTPResponse.Attempt] = []
    /// Removes the response from the cache, also where it is about to be stored.
    var removeFromCache: (@Sendable () -> Void)?
  }

  /// The status code, with three digits.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The decoded body; empty if a ``HTTPRequest/receiver`` received it.
  public var body: ResponseBody
  /// The address of the response, after redirects.
  public var url: WebURL
  private var boxed: Boxed<Record>

  var record: Record {
    _read { yield boxed.value }
    _modify { yield &boxed.value }
  }

  /// The source of the response.
  public var source: HTTPResponse.Source {
    get { boxed.value.source }
    set { boxed.value.source = newValue }
  }
  /// Interim responses (1xx) before this one, such as early hints.
  package var interim: [HTTPResponse.Interim] {
    get { boxed.value.interim }
    set { boxed.value.interim = newValue }
  }
  /// Whether only the end of the connection marks the end of the body, so that it may be truncated.
  package var endsWithConnection: Bool {
    get { boxed.value.endsWithConnection }
    set { boxed.value.endsWithConnection = newValue }
  }
  /// How long the call waited because the server asked for it, which is part of ``Timings/total`` but not of the time limit.
  package var limitWait: Duration { boxed.value.limitWait }
  /// The same for ``Server/Configuration/pace``.
  package var paceWait: Duration { boxed.value.paceWait }
  /// How often the call was retried.
  package var retries: Int { boxed.value.retries }
  /// The time spent in each phase.
  public var timings: HTTPResponse.Timings {
    get { boxed.value.timings }
    set { boxed.value.timings = newValue }
  }
  /// Every exchange of the call, including retries and redirects; the successful one is last.
  public var attempts: [HTTPResponse.Attempt] {
    get { boxed.value.attempts }
    set { boxed.value.attempts = newValue }
  }

  /// Creates a response, as a transport or a test does.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: ResponseBody = ResponseBody(),
    url: WebURL, timings: HTTPResponse.Timings = HTTPResponse.Timings()
  ) {
    self.init(
      status: status, headers: headers, body: body, url: url, record: Record(timings: timings))
  }

  init(status: Int, headers: HTTPHeaders, body: ResponseBody, url: WebURL, record: Record) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    boxed = Boxed(record)
  }

  /// Removes the response from the cache, for a reader that refuses it.
  package func removeFromCache() { record.removeFromCache?() }

  /// Whether the status is from 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension HTTPResponse {
  /// A response with an informational status (1xx), sent before the final response.
  package struct Interim: Hashable, Sendable {
    /// The status code, from 100 to 199.
    package var status: Int
    /// The header fields.
    package var headers: HTTPHeaders

    /// Creates an interim response.
    package init(status: Int, headers: HTTPHeaders) {
      self.status = status
      self.headers = headers
    }
  }
}

extension HTTPResponse {
  /// The value of `Content-Type`, or `nil` if it is missing or empty.
  package var mediaType: HTTPResponse.MediaType? {
    guard let value = headers["Content-Type"], !value.isEmpty else { return nil }
    return HTTPResponse.MediaType(value)
  }
}

extension HTTPResponse: CustomStringConvertible {
  /// One line without content and fields: `200 from https://host/path, 11 bytes in 2.7 ms`.
  public var description: String {
    "\(status) from \(Redaction.usual.url(url)), \(body) in \(timings.total.text)"
  }
}

extension HTTPResponse {
  /// The source of a response.
  public enum Source: Hashable, Sendable {
    /// The server.
    case network
    /// The cache, after the server confirmed that the stored response is unchanged.
    case validated
    /// The cache alone. `asOf` is when the server last confirmed the response, and `isFresh` whether it
    /// is not yet stale.
    case cache(asOf: Date, isFresh: Bool)
  }
}

extension HTTPResponse.Source {
  /// Whether the response comes from the cache alone.
  public var isCache: Bool { if case .cache = self { true } else { false } }

  /// When the server last confirmed a cached response, in seconds since 1970; `nil` for other sources.
  package var cachedSince: Double? {
    if case .cache(let date, _) = self { date.timeIntervalSince1970 } else { nil }
  }
}

extension HTTPResponse {
  /// Decodes the body in the character set of `Content-Type`, by default UTF-8.
  ///
  /// The supported character sets are UTF-8, US-ASCII, ISO 8859-1 and Windows-1252 (treated as one, as
  /// browsers do), and UTF-16, which is big-endian unless its name or a byte order mark says otherwise. An
  /// empty body is `""`. Other character sets and invalid bytes throw ``RequestError/Kind/undecodable(_:)``.
  public func text() throws(RequestError) -> String {
    let charset = mediaType?.charset ?? "utf-8"
    guard let decode = Self.decoder(for: charset) else {
      throw RequestError(.undecodable("the character set “\(charset.prefix(40))” is not supported"))
    }
    guard let text = body.withUnsafeBytes(decode) else {
      throw RequestError(.undecodable("the body is not valid \(charset)"))
    }
    return text
  }

  private static func decoder(for charset: String) -> ((UnsafeRawBufferPointer) -> String?)? {
    switch charset {
    case "utf-8", "utf8": utf8
    case "us-ascii", "ascii": ascii
    case "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252": windows1252
    case "utf-16": { utf16($0, isBigEndian: nil) }
    case "utf-16be": { utf16($0, isBigEndian: true) }
    case "utf-16le": { utf16($0, isBigEndian: false) }
    default: nil
    }
  }

  private static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return String(validating: bytes[mark...], as: UTF8.self)
  }

  private static func ascii(_ bytes: UnsafeRawBufferPointer) -> String? {
    bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Only the bytes 0x80 … 0x9F differ from the first 256 code points of Unicode. Five of them are
  /// unassigned and stay control characters.
  private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> String? {
    let special: [UInt16] = [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
    let units = bytes.map { (0x80...0x9F).contains($0) ? special[Int($0 - 0x80)] : UInt16($0) }
    return String(decoding: units, as: UTF16.self)
  }

  private static func utf16(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool?) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    var start = 0
    var isBigEndian = isBigEndian ?? true
    if bytes.starts(with: [0xFE, 0xFF]) {
      (start, isBigEndian) = (2, true)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      (start, isBigEndian) = (2, false)
    }
    let units = stride(from: start, to: bytes.count, by: 2).lazy.map { index in
      let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? a << 8 | b : b << 8 | a
    }
    return String(validating: units, as: UTF16.self)
  }
}

extension HTTPResponse {
  /// The value of a `Content-Type` field, compared without regard to case.
  ///
  /// ```swift
  /// MediaType("Application/Problem+JSON; charset=UTF-8").essence   // application/problem+json
  /// ```
  package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case, such as `application/json`.
    package let essence: String
    /// The character set in lower case, if given.
    package let charset: String?

    /// Parses the value of a field; invalid parameters are skipped.
    package init(_ text: String) {
      var parts = text.utf8.split(separator: 0x3B, omittingEmptySubsequences: false)[...]
      essence = Self.clean(parts.popFirst() ?? "".utf8[...])
      charset = parts.lazy.compactMap(Self.charset).first { _ in true }
    }

    /// Whether the type has the suffix `+json`, such as `application/problem+json`.
    var isJSONSuffixed: Bool { essence.utf8.suffix(5).elementsEqual("+json".utf8) }

    /// Whether the type matches `pattern`, which may be a range such as `image/*`.
    func matches(_ pattern: HTTPResponse.MediaType) -> Bool {
      if pattern.essence == "*/*" || pattern.essence == essence { return true }
      guard pattern.essence.utf8.suffix(2).elementsEqual("/*".utf8) else { return false }
      return essence.utf8.starts(with: pattern.essence.utf8.dropLast())
    }

    private static func charset(_ parameter: Substring.UTF8View) -> String? {
      guard let sign = parameter.firstIndex(of: 0x3D),
        clean(parameter[..<sign]) == "charset"
      else { return nil }
      return clean(parameter[sign...].dropFirst())
    }

    /// Returns the text in lower case, without surrounding white space and quotes.
    private static func clean(_ text: Substring.UTF8View) -> String {
      let isEdge: (UInt8) -> Bool = { $0.isBlank || $0 == 0x22 }
      let start = text.firstIndex { !isEdge($0) } ?? text.endIndex
      let end = text.lastIndex { !isEdge($0) }.map(text.index(after:)) ?? start
      return String(decoding: text[start..<end].map(\.asciiLowercased), as: UTF8.self)
    }
  }
}
