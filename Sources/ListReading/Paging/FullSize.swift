/// The number of rows of a full page, as far as the pages of a list show it.
///
/// A page with fewer rows is the last one only if the pages before it were full: a server that filters rows after it
/// has cut the page sends short pages everywhere.
struct FullSize: Hashable, Sendable {
  enum Grounds: Int, Hashable, Sendable {
    /// No page had more rows, and no two pages had as many.
    case assumed
    /// Pages had all rows that were requested, or the same number of rows.
    case confirmed
    /// Pages in the middle of the list had fewer rows.
    case varied
  }

  var rows: Int
  var grounds = Grounds.assumed

  /// Whether a page with so many rows is the last one; `false` where that is not known.
  ///
  /// - Parameter asked: The number of rows that were requested, if any.
  func isLast(_ count: Int, asked: Int?) -> Bool {
    guard count < rows else { return false }
    return switch grounds {
    case .confirmed: true
    case .assumed: PageSizes.usual.contains(rows) || asked == nil && rows < 10
    case .varied: false
    }
  }

  /// What a page with fewer rows shows, if it is the last one.
  var signOfShortPage: EndSign { grounds == .confirmed ? .short : .silent }

  /// Returns what is known after another page of the usual size.
  ///
  /// - Parameters:
  ///   - count: The number of its rows.
  ///   - asked: The number of rows that were requested, if any.
  func after(_ count: Int, asked: Int?) -> FullSize {
    let isFull = count == rows || asked.map { count >= $0 } ?? false
    let grounds: Grounds = isFull && grounds != .varied ? .confirmed : .varied
    return FullSize(rows: max(rows, count), grounds: grounds)
  }
}

/// Numbers of rows that servers choose for a page.
enum PageSizes {
  static let usual: Set<Int> = [
    5, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 100, 128, 150, 200, 250, 256, 300,
    400, 500, 512, 1000, 1024, 2000, 5000, 10_000,
  ]

  /// Whether servers are likely to stop after so many rows, whatever the list has: 1,000, 5,000, 10,000.
  static func isLimit(_ rows: Int) -> Bool {
    var rest = rows
    while rest > 0, rest.isMultiple(of: 10) { rest /= 10 }
    return rows >= 1_000 && [1, 2, 25, 5].contains(rest)
  }
}
