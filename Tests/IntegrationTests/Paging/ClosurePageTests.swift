import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Pages that a closure returns: what it may get wrong, how it fails, and how it is cancelled.
@Suite(.timeLimit(.minutes(1))) struct ClosurePageTests {
  struct Book: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title = "A title"
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String { "the database is closed" }
  }

  private static func books(_ ids: Range<Int>) -> [Book] { ids.map { Book(id: $0) } }

  /// Reads a loop to its end.
  private func ids(of loop: ItemWalk<Book>) async throws(LoadError) -> [Int] {
    var ids: [Int] = []
    while let page = try await loop.nextPage() { ids += page.items.map(\.id) }
    return ids
  }

  private func expectIncomplete(_ loop: ItemWalk<Book>, _ reason: String, _ expected: [Int]) async {
    var ids: [Int] = []
    let error = await #expect(throws: LoadError.self) {
      while let page = try await loop.nextPage() { ids += page.items.map(\.id) }
    }
    #expect(ids == expected)
    #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
  }

  // MARK: - What a closure says

  @Test func `each way of paging reads every row`() async throws {
    let byCursor = ItemWalk(of: Book.self, paging: .cursor) { cursor in
      let start = cursor.flatMap { Int($0) } ?? 0
      return Page(Self.books(start..<start + 3), next: start < 9 ? "\(start + 3)" : nil)
    }
    #expect(try await ids(of: byCursor) == Array(0..<12) && byCursor.end == .complete)
    let byOffset = ItemWalk(of: Book.self, paging: .offset(limit: 5)) { offset, limit in
      Page(Self.books(0..<12).dropFirst(offset).prefix(limit).map(\.self), total: 12)
    }
    #expect(try await ids(of: byOffset) == Array(0..<12) && byOffset.walk.total == 12)
    let bySize = ItemWalk(of: Book.self, paging: .pageNumber(size: 5, first: 0)) { number, size in
      Page(Self.books(0..<12).dropFirst(number * size).prefix(size).map(\.self), hasMore: number < 2)
    }
    #expect(try await ids(of: bySize) == Array(0..<12))
    let byNumber = ItemWalk(of: Book.self, paging: .pageNumber()) { number in
      Page(number < 4 ? Self.books(number * 4 - 4..<number * 4) : [])
    }
    #expect(try await ids(of: byNumber) == Array(0..<12))
  }

  @Test func `the same cursor again ends the loop with a message, and loses nothing`() async {
    let loop = ItemWalk(of: Book.self, paging: .cursor) { _ in Page(Self.books(0..<3), next: "again") }
    await expectIncomplete(loop, "can't continue: ", [0, 1, 2])
  }

  @MainActor @Test func `the same cursor again ends a list with a message, and loses nothing`() async {
    let list = ListModel(of: Book.self, paging: .cursor) { _ in Page(Self.books(0..<3), next: "again") }
    let outcome = await list.loadAll()
    guard case .reachedEnd(.incomplete(let error)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect("\(error)".contains("can't continue: ") && Array(list.rows.items) == Self.books(0..<3))
  }

  @Test func `the same rows without ids end the loop`() async {
    let loop = ItemWalk(of: Book.self, paging: .pageNumber(), identity: .none) { _ in Page(Self.books(0..<2)) }
    let error = await #expect(throws: LoadError.self) {
      while try await loop.nextPage() != nil {}
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("can't continue: "))
    #expect(loop.count < 40)
  }

  @Test func `rows without ids that can't be compared are all kept`() async throws {
    struct Line: Sendable { let text: String }
    let loop = ItemWalk(of: Line.self, paging: .pageNumber(), identity: .none) { number in
      Page(number <= 30 ? [Line(text: "same"), Line(text: "same")] : [])
    }
    var count = 0
    while let page = try await loop.nextPage() { count += page.items.count }
    #expect(count == 60)
  }

  @Test func `an empty page with a cursor is not the end`() async throws {
    let loop = ItemWalk(of: Book.self, paging: .cursor) { cursor in
      switch cursor {
      case nil: Page(Self.books(0..<2), next: "b")
      case "b": Page([], next: "c")
      default: Page(Self.books(2..<4))
      }
    }
    #expect(try await ids(of: loop) == [0, 1, 2, 3])
  }

  @Test func `endless empty pages end the loop`() async {
    let loop = ItemWalk(of: Book.self, paging: .cursor) { cursor in
      Page([], next: "\((cursor.flatMap { Int($0) } ?? 0) + 1)")
    }
    await expectIncomplete(loop, "without a new row", [])
  }

  @Test(arguments: [1, 3, 7, 50]) func `more and fewer rows than were asked for lose none`(size: Int) async throws {
    let offsets = ItemWalk(of: Book.self, paging: .offset(limit: 5)) { offset, _ in
      Page(Self.books(0..<20).dropFirst(offset).prefix(size).map(\.self), total: 20)
    }
    #expect(try await ids(of: offsets) == Array(0..<20))
    let cursors = ItemWalk(of: Book.self, paging: .cursor) { cursor in
      let rows = Self.books(0..<20).dropFirst(cursor.flatMap { Int($0) } ?? 0).prefix(size)
      return Page(rows.map(\.self), next: rows.last.flatMap { $0.id < 19 ? "\($0.id + 1)" : nil })
    }
    #expect(try await ids(of: cursors) == Array(0..<20))
  }

  @Test func `doubled ids are one row`() async throws {
    let loop = ItemWalk(of: Book.self, paging: .cursor) { cursor in
      cursor == nil ? Page([Book(id: 1), Book(id: 1), Book(id: 2)], next: "b") : Page([Book(id: 2), Book(id: 3)])
    }
    #expect(try await ids(of: loop) == [1, 2, 3])
  }

  @Test func `wrong totals are not believed`() async throws {
    for total in [-5, 1, Int.min] {
      let loop = ItemWalk(of: Book.self, paging: .offset(limit: 5)) { offset, limit in
        Page(Self.books(0..<12).dropFirst(offset).prefix(limit).map(\.self), total: total)
      }
      #expect(try await ids(of: loop) == Array(0..<12), "\(total)")
    }
    let high = ItemWalk(of: Book.self, paging: .cursor) { _ in Page(Self.books(0..<3), total: 4) }
    await expectIncomplete(high, "the server reported 4", [0, 1, 2])
  }

  @Test func `a page that has more but no cursor ends the loop with a message`() async {
    let loop = ItemWalk(of: Book.self, paging: .cursor) { _ in Page(Self.books(0..<3), hasMore: true) }
    await expectIncomplete(loop, "expected a cursor", [0, 1, 2])
  }

  @Test func `any text is a cursor`() async throws {
    for text in ["\"", "{\"a\":1}", "null", " ", "\u{0}\u{1F600}", "0"] {
      let loop = ItemWalk(of: Book.self, paging: .cursor) { cursor in
        if cursor == nil { return Page(Self.books(0..<2), next: text) }
        guard cursor == text else { throw Failure() }
        return Page(Self.books(2..<3))
      }
      #expect(try await ids(of: loop) == [0, 1, 2], "\(text)")
    }
  }

  @Test func `ids of any type tell rows apart`() async throws {
    struct Key: Hashable, Sendable { var a: Int, b: String? }
    struct Item: Identifiable, Sendable { var id: Key }
    let items = [Key(a: 1, b: nil), Key(a: 1, b: "x"), Key(a: 2, b: nil), Key(a: 1, b: nil)].map { Item(id: $0) }
    let loop = ItemWalk(of: Item.self, paging: .cursor) { _ in Page(items) }
    var found: [Key] = []
    while let page = try await loop.nextPage() { found += page.items.map(\.id) }
    #expect(found == items.prefix(3).map(\.id))
  }

  // MARK: - Failures

  @Test func `an error is thrown, and the next page is the same one`() async throws {
    let fails = Mutex(false)
    let loop = ItemWalk(of: Book.self, paging: .offset(limit: 2)) { offset, limit in
      if fails.withLock({ $0 }) { throw Failure() }
      return Page(Self.books(0..<4).dropFirst(offset).prefix(limit).map(\.self), total: 4)
    }
    #expect(try await loop.nextPage()?.items.count == 2)
    fails.withLock { $0 = true }
    await #expect(throws: LoadError.custom("the database is closed")) { _ = try await loop.nextPage() }
    fails.withLock { $0 = false }
    #expect(try await loop.nextPage()?.items.map(\.id) == [2, 3])
    #expect(try await loop.nextPage() == nil && loop.end == .complete)
  }

  @MainActor @Test func `a load that failed is repeated by a retry`() async {
    let fails = Mutex(true)
    let list = ListModel(of: Book.self, paging: .cursor) { cursor in
      if cursor != nil, fails.withLock({ $0 }) { throw Failure() }
      return cursor == nil ? Page(Self.books(0..<2), next: "b") : Page(Self.books(2..<4))
    }
    _ = await list.loadNextPage().outcome
    #expect(await list.loadNextPage().outcome == .failed(.custom("the database is closed")))
    #expect(list.rows.items.count == 2)
    fails.withLock { $0 = false }
    _ = await list.retry().outcome
    #expect(Array(list.rows.items) == Self.books(0..<4) && list.state(of: .next) == .reachedEnd(.complete))
  }

  @MainActor @Test func `a cancellation that the closure throws is one`() async {
    let list = ListModel(of: Book.self, paging: .cursor) { _ in throw CancellationError() }
    #expect(await list.loadNextPage().outcome == .cancelled(.byCaller))
  }

  @MainActor @Test func `a load ends at once although its closure ignores the cancellation`() async {
    let gate = Gate()
    let list = ListModel(of: Book.self, paging: .cursor) { _ in
      await Task { try? await gate.pass() }.value
      return Page(Self.books(0..<2))
    }
    let load = list.loadNextPage()
    load.cancel()
    #expect(await load.outcome == .cancelled(.byCaller))
    gate.open()
    #expect(list.rows.isEmpty)
    _ = await list.loadNextPage().outcome
    #expect(Array(list.rows.items) == Self.books(0..<2))
  }

  @Test func `a loop whose closure ignores the cancellation loses no page`() async throws {
    let gate = Gate()
    nonisolated(unsafe) let loop = ItemWalk(of: Book.self, paging: .cursor) { _ in
      await Task { try? await gate.pass() }.value
      return Page(Self.books(0..<2))
    }
    let task = Task {
      do throws(LoadError) {
        return (try await loop.nextPage()?.items.map(\.id), nil as LoadError?)
      } catch {
        return (nil, error)
      }
    }
    await gate.reached()
    task.cancel()
    gate.open()
    let (ids, error) = await task.value
    #expect(ids == nil && error?.isCancelled == true)
    #expect(try await loop.nextPage()?.items == Self.books(0..<2))
  }
}
