/// Makes items of JSON.
///
/// ```swift
/// let mapped = try ItemMapper().items(Book.self, in: document, at: "data.list")
/// if !mapped.report.isClean { print(mapped.report) }
/// ```
///
/// What is wrong with the JSON never loses more than what is wrong itself: a value that can't be read
/// leaves the property as it was, an element that can't be used is left out, and the report tells of
/// both. Only what leaves nothing to return is thrown.
public struct ItemMapper: Sendable {
  /// Whether only values of the very JSON type are taken. Otherwise they are converted where they
  /// stand for the same: `"42"` for 42.
  public var isStrict = false
  /// Whether the first value that is lost ends it all with an error.
  public var failsFast = false
  /// Whether an empty string or an empty array stands for an object that is not there.
  public var emptyAsAbsent = false
  /// How many issues of one kind the report describes; it counts them all.
  public var samples = 3
  /// Taken along for the code of items and values.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A mapper with the usual rules.
  public init() {}
}

/// What a mapping made, and what was wrong with the JSON.
public struct Mapped<Value> {
  /// What was made.
  public var value: Value
  /// What was wrong.
  public var report: MappingReport
}

extension Mapped: Sendable where Value: Sendable {}
