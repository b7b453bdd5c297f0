public import ItemMapping
internal import ServerAPI

/// The rows of a list as items, for a loop over all of them.
///
/// ```swift
/// for try await book in server.items(Book.self, "/books") { print(book.title) }
/// ```
///
/// A loop that ends without an error has read every row, as far as the server's responses show. If rows are missing, it
/// throws the reason after the last row: a loop has no other way to report it that can't be missed. A request that fails
/// leaves the walk where it is, so that another loop continues with the next row. After an error in the rows of
/// a page, it continues with the next page, and its end is incomplete.
///
/// Pages may also come from a closure: `ItemWalk(of:paging:pages:)`.
///
/// Pages are requested as the loop needs them, and mapped off the caller's actor. Only one page of items is in
/// memory, and the ids of earlier rows. Cancelling the task ends the loop with an error.
public final class ItemWalk<Item>: AsyncSequence {
  /// The walk that reads the pages.
  public let walk: PageWalk
  /// The number of items that loops have received.
  public private(set) var count = 0

  /// Makes items from rows; `nil` where the rows have their items, which a closure returned.
  private let reader: PageReader<Item>?
  private let acceptsUnreadableRows: Bool
  private var page: Page?
  /// The number of items of the page that loops have received.
  private var consumed = 0

  /// Creates a walk over items.
  ///
  /// - Parameters:
  ///   - walk: The walk that reads the pages.
  ///   - reader: Makes items from rows.
  ///   - acceptsUnreadableRows: Whether rows that can't be read are meant to be left out. Otherwise the walk ends
  ///     as incomplete, and a page of which no row can be read throws.
  public init(
    _ walk: PageWalk, reading reader: PageReader<Item>, acceptsUnreadableRows: Bool = false
  ) {
    self.walk = walk
    self.reader = reader
    self.acceptsUnreadableRows = acceptsUnreadableRows
  }

  /// Creates a walk over the items that a closure returned.
  init(ofClosure walk: PageWalk) {
    self.walk = walk
    reader = nil
    acceptsUnreadableRows = true
  }

  /// How the list ended; `nil` while there are rows to come.
  public var end: ListEnd? { hasItems ? nil : walk.end }

  /// The position after the last item of a loop, from which another walk can continue; `nil` where the list has
  /// ended.
  public var checkpoint: PageWalk.Checkpoint? {
    guard hasItems, let page else { return walk.checkpoint }
    var checkpoint = page.walked.checkpoint
    checkpoint.rowsToSkip += page.rowsBefore(consumed)
    return checkpoint
  }

  private var hasItems: Bool { page.map { consumed < $0.items.count } ?? false }

  /// Returns the next page, or what is left of one that a loop began; `nil` at the end of the list, which throws
  /// if rows are missing.
  public func nextPage() async throws(LoadError) -> Page? {
    if hasItems, var rest = page {
      rest.items.removeFirst(consumed)
      count += rest.items.count
      page = nil
      return rest
    }
    guard let next = try await loadPage() else { return nil }
    count += next.items.count
    return next
  }

  private func loadPage() async throws(LoadError) -> Page? {
    page = nil
    guard let walked = try await walk.next() else {
      if case .incomplete(let error)? = walk.end { throw .paging(error) }
      return nil
    }
    let read: (value: [Item], report: MappingReport)
    do throws(LoadError) {
      read = try await Self.read(walked, by: reader)
    } catch {
      // The walk is past the page, whose rows no loop gets.
      walk.dropUnreadable(walked.rows.count, "\(error)")
      throw error
    }
    let dropped = read.report.droppedItems
    if dropped > 0, !acceptsUnreadableRows {
      walk.dropUnreadable(dropped, read.report.firstDropped)
      if read.value.isEmpty { throw .mapping(.noReadableRows(read.report)) }
    }
    return Page(items: read.value, report: read.report, walked: walked)
  }

  /// Maps the new rows of a page.
  @concurrent
  private static func read(
    _ page: PageWalk.Page, by reader: PageReader<Item>?
  ) async throws(LoadError) -> sending (value: [Item], report: MappingReport) {
    guard let reader else { return (value: ClosureRows<Item>.items(of: page.rows), report: MappingReport()) }
    guard let first = page.rows.first else {
      return (value: [], report: MappingReport())
    }
    do throws(MappingError) {
      // Rows that had moved come with those of the page that they were found on.
      if page.duplicates == 0, page.rows.last?.document === first.document,
        first.document.root[page.itemsPath]?.count == page.rows.count
      {
        return try reader.items(in: first.document, at: page.itemsPath)
      }
      let rows = "[" + page.rows.map(\.text).joined(separator: ",") + "]"
      return try reader.items(in: PageBytes(Array(rows.utf8)).document(), at: .root)
    } catch {
      throw .mapping(error)
    }
  }

  /// Returns the iterator of a loop. A second loop continues after the last item of the first one.
  public func makeAsyncIterator() -> Iterator { Iterator(items: self) }

  /// The iterator of a loop.
  public struct Iterator: AsyncIteratorProtocol {
    let items: ItemWalk

    /// Returns the next item; `nil` at the end of the list, which throws if rows are missing.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LoadError) -> Item? {
      while !items.hasItems {
        items.consumed = 0
        guard let page = try await items.loadPage() else { return nil }
        items.page = page
      }
      defer {
        items.consumed += 1
        items.count += 1
      }
      return items.page?.items[items.consumed]
    }
  }

  /// One page of items.
  public struct Page {
    /// The items of the new rows that could be read, in order.
    public var items: [Item]
    /// Everything in the rows that was not as expected.
    public var report: MappingReport
    /// The page with its rows as JSON, its facts and its checkpoint.
    public var walked: PageWalk.Page
  }
}

extension ItemWalk.Page {
  /// The number of rows up to this many items. Where rows could not be read, it is not known which ones, so
  /// that the rows of the page come again.
  fileprivate func rowsBefore(_ count: Int) -> Int { items.count == walked.rows.count ? count : 0 }
}
