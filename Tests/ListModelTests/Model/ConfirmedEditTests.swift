import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Edits that the server has confirmed hide no other row of a list whose rows they move.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ConfirmedEditTests {
  /// A server whose rows can be deleted and inserted.
  private final class EditedServer: Sendable {
    let rows = Lock(Array(0..<10))
    let withTotal: Bool

    init(withTotal: Bool) { self.withTotal = withTotal }

    var transport: MockTransport {
      MockTransport { [self] request in
        rows.withLock { rows in
          let number = request.query["page"].flatMap { Int($0) } ?? 0
          let offset = request.query["offset"].flatMap { Int($0) } ?? number * 3
          let total = withTotal ? #","total":\#(rows.count)"# : ""
          let more = offset + 3 < rows.count
          return .json(
            page(
              rows.dropFirst(offset).prefix(3),
              #""more":\#(more)\#(total),"next":\#(more ? #""/rows?page=\#(number + 1)""# : "null")"#
            ))
        }
      }
    }
  }

  private nonisolated static let counted: [Paging] = [
    .offset(limit: 3, endsBy: .hasNext("more")),
    .offset(limit: 3, endsBy: .hasNext("more"), .total("total")),
    .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")),
    .pageNumber(size: 3, first: 0, endsBy: .hasNext("more"), .total("total")),
    .nextURL(at: "next"), .nextURL(at: "next", total: "total"),
  ]

  @Test(arguments: counted, [1, 2, 4])
  func `rows that are deleted and confirmed move no other row out of the list`(
    paging: Paging, count: Int
  ) async throws {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(paging: paging, server.transport)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    let edits = try (0..<count).map { try bench.model.edit(.remove(RowID($0))) }
    server.rows.withLock { $0.removeFirst(count) }
    for edit in edits { bench.model.confirm(edit) }
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.ids == Array(count..<10))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test(arguments: counted)
  func `pages that arrive between an edit and its confirmation hide no row`(
    paging: Paging
  ) async throws {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(paging: paging, server.transport)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.remove(1))
    _ = server.rows.withLock { $0.remove(at: 1) }
    _ = await bench.model.loadNextPage().outcome
    bench.model.confirm(edit)
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.ids.sorted() == [0] + Array(2..<10))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
  }

  @Test(arguments: counted)
  func `a row that is inserted and confirmed hides no other row`(paging: Paging) async throws {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(paging: paging, server.transport)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(
      .insert(Row(id: 77), id: 77, at: .start))
    server.rows.withLock { $0.insert(77, at: 0) }
    bench.model.confirm(edit)
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.ids == [77] + Array(0..<10))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    // An offset counts the inserted row, so that no page repeats one.
    if "\(paging)".hasPrefix(".offset") {
      #expect(bench.transport.requests.map { $0.query["offset"] } == ["0", "4", "7", "10"])
    }
  }

  @Test(arguments: counted)
  func `a draft that becomes the server's row hides no other row`(paging: Paging) async throws {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(paging: paging, server.transport)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.insert(Row(id: -1), at: .start))
    server.rows.withLock { $0.insert(77, at: 0) }
    bench.model.confirm(edit, as: Row(id: 77))
    #expect(bench.ids == [77, 0, 1, 2])
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.ids == [77] + Array(0..<10))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    #expect(bench.delegate.mismatches.isEmpty)
    if "\(paging)".hasPrefix(".offset") {
      #expect(bench.transport.requests.map { $0.query["offset"] } == ["0", "4", "7", "10"])
    }
  }

  @Test(arguments: counted)
  func `a draft whose row a refresh has brought hides no other row`(paging: Paging) async throws {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(paging: paging, server.transport)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.insert(Row(id: -1), at: .after(1)))
    server.rows.withLock { $0.insert(77, at: 0) }
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [77, 0, 1, -1])
    bench.model.confirm(edit, as: Row(id: 77))
    #expect(bench.ids == [77, 0, 1])
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.ids == [77] + Array(0..<10))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `an insertion that the server has sent before it is confirmed counts once`()
    async throws
  {
    let server = EditedServer(withTotal: true)
    let bench = ListBench(
      paging: .offset(limit: 3, endsBy: .hasNext("more"), .total("total")), server.transport)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.insert(Row(id: 77), id: 77, at: .end))
    server.rows.withLock { $0.insert(77, at: 4) }
    _ = await bench.model.loadNextPage().outcome
    bench.model.confirm(edit)
    server.rows.withLock { _ = $0.removeLast() }
    for _ in 0..<9 where bench.model.state(of: .next) == .idle {
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(Set(bench.ids) == Set([77] + Array(0..<9)))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
  }
}
