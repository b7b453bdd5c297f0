public import ItemMapping
internal import ListReading
package import ServerAPI
internal import Support

/// How the rounds between full ones read only the rows that may have changed.
///
/// ```swift
/// sync.watermark = .newestFirst(by: "updated_at")
/// sync.watermark = .since("updated_after", "updated_at", fullEvery: 50)
/// ```
///
/// Each row has a stamp that grows when the row is new or changes: a date, or a number. A round that was read without a
/// gap leaves a mark: the highest stamp that the list is known to have had when the round began. The next one reads the
/// rows down to the mark, and some below it. That overlap is measured: rows that come late, with a stamp below the
/// mark, widen it to twice their lateness, for twenty rounds.
///
/// The next rounds read the whole list if something speaks against the stamps: a row without one, two in another order,
/// another type, or pages of which it isn't known how they join. The receipt says why.
///
/// Only full rounds show which rows are gone, and what the short ones have missed.
public struct SyncWatermark: Hashable, Sendable {
  /// How a round finds the rows that may have changed.
  package enum Way: Hashable, Sendable {
    /// From the start of the list, which has the highest stamps.
    case newestFirst
    /// By a parameter of the request, of which the server returns the rows from a stamp on.
    case since(parameter: String)
  }

  package let way: Way
  /// The path of the stamp in a row.
  public let stamp: JSONPath
  /// Each how many rounds one reads the whole list.
  public let fullEvery: Int

  private init(_ way: Way, _ stamp: JSONPath, _ fullEvery: Int) {
    precondition(fullEvery > 0, "fullEvery must be at least 1, found \(fullEvery)")
    (self.way, self.stamp, self.fullEvery) = (way, stamp, fullEvery)
  }

  /// The usual number of rounds from a full one to the next.
  public static let usualFullEvery = 20

  /// A list that is sorted by the stamp of its rows, newest first.
  ///
  /// - Parameters:
  ///   - stamp: The path of the stamp in a row.
  ///   - fullEvery: Each how many rounds one reads the whole list.
  public static func newestFirst(by stamp: JSONPath, fullEvery: Int = usualFullEvery) -> SyncWatermark {
    SyncWatermark(.newestFirst, stamp, fullEvery)
  }

  /// A list whose server returns the rows that have changed since a stamp.
  ///
  /// - Parameters:
  ///   - parameter: The parameter of the request, such as `since` or `updated_after`. Its value has the form that stamps
  ///     have in rows: a date of ISO 8601 with the same zone, or a number.
  ///   - stamp: The path of the stamp in a row.
  ///   - fullEvery: Each how many rounds one reads the whole list, without the parameter.
  public static func since(
    _ parameter: String, _ stamp: JSONPath, fullEvery: Int = usualFullEvery
  ) -> SyncWatermark {
    SyncWatermark(.since(parameter: parameter), stamp, fullEvery)
  }

  /// A digest of the list and of the way to read it. A mark of another plan says nothing.
  package func plan(of call: Call) -> UInt64 {
    var writer = ByteWriter()
    for text in ["\(call.method)", call.address, "\(way)", stamp.description] { writer.write(text) }
    for item in call.params.items { writer.write("\(item.name)=\(item.value.texts)") }
    for case .bytes(let bytes) in call.body?.pieces ?? [] { writer.write(Array(bytes)) }
    return ContentMark.of(writer.bytes)
  }
}
