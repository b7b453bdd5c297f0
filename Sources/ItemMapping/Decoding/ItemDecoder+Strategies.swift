#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
