internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values of any `Decodable` type from JSON, several times faster than Foundation does.
///
/// Types, strategies, values and kinds of `DecodingError` are those of Foundation's `JSONDecoder`,
/// so either can replace the other. In both, names are compared as strings, and the first member with
/// a name wins. These differences are intentional:
///
/// - The whole text is checked before anything is decoded. An error in a part that no type reads
///   fails too, with the ``JSONError`` as the underlying error. Only UTF-8 is supported.
/// - The faults that ``JSONDocument/repairs`` lists are repaired instead of rejected.
/// - A `Decimal` is also decoded from a string such as `"12.50"`; see ``readsDecimalsFromStrings``.
/// - At most 192 nested values are decoded, so that a stack of 512 KB suffices. A deeper value is
///   rejected with its coding path; a list and each of its elements count as one level each.
/// - A number that doesn't fit and a date that can't be read are reported with their full coding
///   path. From 2^53 on, a fraction is never lost when an integer is decoded.
/// - Keys without an order in Foundation, such as `allKeys`, are in the order of the text.
public struct ItemDecoder: Sendable {
  /// How members' names become coding keys. By default they are used unchanged. Keys of dictionaries always are.
  public var keyStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
  /// How a `Date` is decoded. By default the type decodes itself. With `.iso8601`, a date may have a fraction of a
  /// second.
  public var dateStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
  /// How `Data` is decoded. By default it is Base64.
  public var dataStrategy = JSONDecoder.DataDecodingStrategy.base64
  /// The strings that represent infinity and NaN, which JSON numbers can't express. By default none
  /// do.
  public var floatStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
  /// Whether a string such as `"12.50"` is decoded as a `Decimal`, which is how many servers send money. Up to 38
  /// digits are exact. By default it is.
  public var readsDecimalsFromStrings = true
  /// The `userInfo` of the decoder that types are decoded from.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder with Foundation's default strategies.
  public init() {}

  /// Decodes a value within a document. Coding paths start at this value.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from view: JSONView) throws -> T {
    let decoding = TapeDecoding(self, view.document)
    defer { decoding.end() }
    return try decoding.decode(type, at: view.index, CodingPlace())
  }

  /// Parses and decodes a text. Invalid JSON throws `DecodingError.dataCorrupted` with the
  /// ``JSONError`` as the underlying error.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from bytes: some Collection<UInt8>
  ) throws -> T {
    try decode(type) { () throws(JSONError) in try JSONDocument(bytes) }
  }

  /// Parses and decodes bytes in place. Invalid JSON throws `DecodingError.dataCorrupted` with the
  /// ``JSONError`` as the underlying error.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from bytes: PageBytes
  ) throws -> T {
    try decode(type) { () throws(JSONError) in try JSONDocument(bytes) }
  }

  private func decode<T: Decodable>(
    _ type: T.Type, parse: () throws(JSONError) -> JSONDocument
  ) throws -> T {
    let document: JSONDocument
    do throws(JSONError) {
      document = try parse()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: error.description, underlyingError: error))
    }
    return try decode(type, from: document.root)
  }

  /// Returns a decoder of single values of one document, so that a failure doesn't affect the
  /// others. The settings are read only once.
  func elements(of document: JSONDocument, basePath: [any CodingKey] = []) -> ElementDecoding {
    let decoding = TapeDecoding(self, document)
    let outermost = TapeDecoder(decoding, value: 0, depth: 0, in: nil, nil)
    let list = basePath.reduce(outermost) { TapeDecoder(decoding, value: 0, depth: 0, in: $0, $1) }
    return ElementDecoding(decoding: decoding, list: list)
  }
}

/// Decodes values of one document one at a time. Its decoders are used again from value to value and
/// released with this object.
final class ElementDecoding {
  private let decoding: TapeDecoding
  /// Stands for the list in coding paths.
  private let list: TapeDecoder

  fileprivate init(decoding: TapeDecoding, list: TapeDecoder) {
    self.decoding = decoding
    self.list = list
  }

  deinit { decoding.end() }

  /// Decodes the value at this index of the tape, which has this position in its list.
  func decode<T: Decodable>(_ type: T.Type, at index: Int, position: Int) throws -> T {
    try decoding.decode(type, at: index, CodingPlace(element: position, of: list))
  }
}

extension ItemDecoder {
  /// Returns the key for a name in snake case.
  static func camelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }),
      let last = name.lastIndex(where: { $0 != "_" })
    else { return name }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let tail = words.dropFirst().map(\.capitalized).joined()
    return name[..<first] + words[0].lowercased() + tail + name[last...].dropFirst()
  }
}

extension ItemDecoder {
  /// Reads a date like Foundation's `.iso8601`. The usual form is parsed here, all others by
  /// Foundation.
  static func iso8601Date(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    plainDate(utf8) ?? (try? Date.ISO8601FormatStyle().parse(String(decoding: utf8, as: UTF8.self)))
  }

  /// Reads a date in the form `2024-05-01T10:20:30Z`. Years before the Gregorian calendar, leap seconds and days
  /// that don't exist are left to Foundation.
  private static func plainDate(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    guard utf8.count == 20, utf8[10] == UInt8(ascii: "T"), utf8[19] == UInt8(ascii: "Z"),
      let time = scanner.dayAndTime(), time.year >= 1583, time.second < 60
    else { return nil }
    return time.date()
  }
}
