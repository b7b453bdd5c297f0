internal import ItemMapping
internal import ServerAPI

/// How a closure is asked for the pages of a list. `Place` is what it is called with.
///
/// ```swift
/// .cursor                        // { cursor in … }          nil for the first page
/// .offset(limit: 50)             // { offset, limit in … }
/// .pageNumber(size: 50)          // { number, size in … }
/// .pageNumber()                  // { number in … }
/// ```
///
/// It names no parameters, headers or members, as a ``Paging`` does: the closure knows how to request a page. Where a list
/// is sorted by keys, the key of the last row is the cursor of the next page.
public struct ClosurePaging<Place: Sendable>: Sendable {
  /// The paging that reads a page as a response.
  package let paging: Paging
  /// Returns what the closure is called with for a page.
  let place: @Sendable (PageKey) throws(PagingError) -> Place

  /// Whether a page without a cursor says that it is the last one.
  var hasCursor: Bool { if case .cursor = paging.way { true } else { false } }
}

extension ClosurePaging where Place == String? {
  /// Pages that start at a cursor in the page before; `nil` is the first page.
  ///
  /// The list ends at a page without a cursor. See ``Page/next``.
  public static var cursor: ClosurePaging {
    ClosurePaging(paging: .cursor(at: ClosureFacts.next)) { key throws(PagingError) in
      switch key.place {
      case .start: nil
      case .after(let cursor): cursor.plainText
      default: throw .foreignKey(key, expected: "a cursor")
      }
    }
  }
}

extension ClosurePaging where Place == (offset: Int, limit: Int) {
  /// Pages that start after a number of rows.
  ///
  /// The list ends as ``Page/hasMore`` and ``Page/total`` say; without them, at a page without rows or with fewer rows
  /// than the pages before. To see whether rows have moved, a page may be asked for with an offset and a limit that
  /// reach into the page before.
  ///
  /// - Parameter limit: The number of rows of a page.
  public static func offset(limit: Int) -> ClosurePaging {
    ClosurePaging(paging: .offset(limit: limit)) { key throws(PagingError) in
      guard case .offset(let offset) = key.place else {
        throw .foreignKey(key, expected: "an offset")
      }
      return (offset, key.size ?? limit)
    }
  }
}

extension ClosurePaging where Place == (number: Int, size: Int) {
  /// Pages with numbers, and with a size of your own.
  ///
  /// The list ends as ``Page/hasMore`` and ``Page/total`` say; without them, at a page without rows or with fewer rows
  /// than the pages before. A page may be asked for with another size, and then has the number that it has among pages
  /// of that size.
  ///
  /// - Parameters:
  ///   - size: The number of rows of a page.
  ///   - first: The number of the first page, usually 1 or 0.
  public static func pageNumber(size: Int, first: Int = 1) -> ClosurePaging {
    ClosurePaging(paging: .pageNumber(size: size, first: first)) { key throws(PagingError) in
      (try key.number(), key.size ?? size)
    }
  }
}

extension ClosurePaging where Place == Int {
  /// Pages with numbers, whose size is not chosen.
  ///
  /// - Parameter first: The number of the first page, usually 1 or 0.
  public static func pageNumber(first: Int = 1) -> ClosurePaging {
    ClosurePaging(paging: .pageNumber(first: first)) { key throws(PagingError) in try key.number() }
  }
}

extension PageKey {
  fileprivate func number() throws(PagingError) -> Int {
    guard case .number(let number) = place else {
      throw .foreignKey(self, expected: "the number of a page")
    }
    return number
  }
}
