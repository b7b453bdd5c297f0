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
