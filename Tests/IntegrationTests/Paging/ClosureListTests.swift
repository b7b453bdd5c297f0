import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// What lists and loops do with the pages of a closure: page numbers, windows, pages at once, versions, any items.
@Suite(.timeLimit(.minutes(1))) struct ClosureListTests {
  private typealias Book = ClosurePageTests.Book

  private static func books(_ ids: Range<Int>) -> [Book] { ids.map { Book(id: $0) } }

  private func ids(of loop: ItemWalk<Book>) async throws(LoadError) -> [Int] {
    var ids: [Int] = []
    while let page = try await loop.nextPage() { ids += page.items.map(\.id) }
    return ids
  }

  @MainActor @Test func `a page is loaded by its number`() async {
    let list = ListModel(of: Book.self, paging: .offset(limit: 5)) { offset, limit in
      Page(Self.books(0..<20).dropFirst(offset).prefix(limit).map(\.self), total: 20)
    }
    _ = await list.loadPage(2).outcome
    #expect(Array(list.rows.items) == Self.books(10..<15))
    _ = await list.loadPreviousPage().outcome
    #expect(Array(list.rows.items) == Self.books(5..<15))
    #expect(list.page?.url == nil && list.page?.facts.total == 20)
  }

  @Test func `several pages are loaded at once`() async throws {
    let gate = Gate()
    let loop = ItemWalk(of: Book.self, paging: .pageNumber(size: 5), parallel: 3) { number, size in
      // The second page comes only once the third one is asked for.
      if number == 2 { try await gate.pass() }
      if number == 3 { gate.open() }
      return Page(Self.books((number - 1) * size..<number * size), total: 50)
    }
    #expect(try await ids(of: loop) == Array(0..<50) && loop.end == .complete)
  }

  @MainActor @Test func `a page that left the window is loaded again`() async throws {
    let list = ListModel(
      of: Book.self, paging: .offset(limit: 5),
      configure: { ($0.window, $0.prefetchDistance) = (.rows(5), 0) }
    ) { offset, limit in
      Page(Self.books(0..<40).dropFirst(offset).prefix(limit).map(\.self), total: 40)
    }
    _ = await list.refresh().outcome
    for number in 1..<3 {
      list.rowsWillAppear(number * 5 - 1..<number * 5)
      _ = await list.loadNextPage().outcome
    }
    let gone = try #require(list.rows.pages.first { !$0.isLoaded })
    var events = list.events.makeAsyncIterator()
    list.rowsWillAppear(gone.range)
    while let step = await events.next(), step.event != .didFinish(.evicted(gone.id)) {}
    #expect(list.rows.row(at: gone.range.lowerBound)?.item?.id == gone.range.lowerBound)
  }

  @Test func `one version on all pages makes a claim exact`() async throws {
    let loop = ItemWalk(of: Book.self, paging: .pageNumber(), consistency: .exact) { number in
      Page(number < 3 ? Self.books(number * 4 - 4..<number * 4) : [], hasMore: number < 2, version: "r1")
    }
    #expect(try await ids(of: loop) == Array(0..<8))
    #expect(loop.walk.consistency.claim == .exact)
  }

  /// A class whose objects are not sendable.
  final class Node: Identifiable {
    let id: Int

    init(_ id: Int) { self.id = id }
  }

  @MainActor @Test func `objects that are not sendable are passed on`() async throws {
    let list = ListModel(of: Node.self, paging: .cursor) { cursor in
      Page([Node(cursor == nil ? 1 : 2)], next: cursor == nil ? "b" : nil)
    }
    await list.loadAll()
    #expect(list.rows.items.map(\.id) == [1, 2])
    let loop = ItemWalk(of: Node.self, paging: .cursor) { cursor in
      Page([Node(cursor == nil ? 1 : 2)], next: cursor == nil ? "b" : nil)
    }
    var ids: [Int] = []
    while let page = try await loop.nextPage() { ids += page.items.map(\.id) }
    #expect(ids == [1, 2])
  }
}
