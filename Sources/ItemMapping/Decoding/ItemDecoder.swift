#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values of any `Decodable` type from JSON, several times faster than Foundation does.
///
/// Types, strategies, values and kinds of `DecodingError` are those of Foundation's `JSONDecoder`, so
/// one can take the other's place. Where a member's name is repeated, the first counts with both.
/// These differences are meant:
///
/// - The text is checked as a whole before anything is decoded. A fault in a part that no type looks
///   at fails too, with the ``JSONError`` as the underlying error. Only UTF-8 is read.
/// - What ``JSONDocument/repairs`` lists is read instead of refused.
/// - At most 192 values are decoded within each other, so that a stack of 512 KB suffices. What is
///   nested deeper, with a list and each of its elements counted, is refused with its coding path.
/// - A number that does not fit and a date that can't be read are reported with their full coding
///   path. From 2^53 on, a fraction never gets lost on the way into an integer.
/// - Keys without an order in Foundation, such as `allKeys`, come in the order of the text.
public struct ItemDecoder: Sendable {
  /// How members' names become coding keys. As they are, unless set.
  public var keyStrategy: KeyStrategy = .useDefaultKeys
  /// How a `Date` is written. As the type decodes itself, unless set.
  public var dateStrategy: DateStrategy = .deferredToDate
  /// How `Data` is written. In Base64, unless set.
  public var dataStrategy: DataStrategy = .base64
  /// Which strings stand for the numbers that JSON has no word for. None, unless set.
  public var floatStrategy: FloatStrategy = .throw
  /// What types find in `userInfo` of the decoder they are made from.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder with the strategies Foundation begins with.
  public init() {}

  /// Decodes a value within a document. Coding paths begin at this value.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from view: JSONView) throws -> T {
    try TapeDecoding(self, view.document)
      .decode(type, at: view.index, place: { CodingPlace() }, key: { nil })
  }

  /// Decodes the outermost value of a document.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from document: JSONDocument
  ) throws -> T {
    try decode(type, from: document.root)
  }

  /// Parses and decodes a text. Bytes that are no JSON give `DecodingError.dataCorrupted`, whose
  /// underlying error is the ``JSONError``.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from bytes: some Collection<UInt8>
  ) throws -> T {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: error.description, underlyingError: error))
    }
    return try decode(type, from: document)
  }

  /// What decodes many values of one document one by one, so that one that fails leaves the others
  /// alone. Settings are taken over once.
  func elements(of document: JSONDocument, basePath: [any CodingKey] = []) -> ElementDecoding {
    ElementDecoding(
      decoding: TapeDecoding(self, document),
      base: basePath.reduce(CodingPlace()) { $0.adding($1) })
  }
}

/// Decodes values of one document one by one.
struct ElementDecoding {
  fileprivate let decoding: TapeDecoding
  fileprivate let base: CodingPlace

  /// Decodes the value at this index of the tape, the element at this position of its list.
  func decode<T: Decodable>(_ type: T.Type, at index: Int, position: Int) throws -> T {
    try decoding.decode(
      type, at: index, place: { base.adding(position) }, key: { nil })
  }
}

extension ItemDecoder {
  /// How members' names become coding keys.
  public enum KeyStrategy: Sendable {
    /// Names are keys.
    case useDefaultKeys
    /// `first_name` becomes `firstName`; underscores at either end stay. The keys of a dictionary
    /// are left alone.
    case convertFromSnakeCase
    /// The key that is made from the path down to a member, whose last element is its name. The
    /// keys of a dictionary are left alone.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// How a `Date` is written.
  public enum DateStrategy: Sendable {
    /// As the type decodes itself: seconds since the beginning of 2001.
    case deferredToDate
    /// As seconds since the beginning of 1970.
    case secondsSince1970
    /// As milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// As a string such as `2024-05-01T10:20:30Z`, with or without a fraction of a second.
    case iso8601
    /// As this function reads it.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }

  /// How `Data` is written.
  public enum DataStrategy: Sendable {
    /// As the type decodes itself: an array of numbers.
    case deferredToData
    /// As a string in Base64.
    case base64
    /// As this function reads it.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }

  /// Which strings stand for the numbers that JSON has no word for.
  public enum FloatStrategy: Sendable {
    /// None: a string in place of a number is an error.
    case `throw`
    /// These, wherever a `Double` or a `Float` is decoded.
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
}

extension ItemDecoder.KeyStrategy {
  var isDefault: Bool { if case .useDefaultKeys = self { true } else { false } }

  /// The key for a name in snake case.
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
