import ItemMapping
import ServerAPI
import TestSupport
import Testing

@testable import ListReading

/// How pages join those before them, without items, requests or a clock.
@Suite struct ReadingTests {
  private let paging = Paging.pageNumber(size: 2, endsBy: .total("total"))
  private let offsets = Paging.offset(limit: 2, endsBy: .total("total"))

  private func reading(_ level: Consistency.Level, by paging: Paging) -> Reading {
    Reading(level, first: paging.strategy.first, at: .page(paging.strategy.first))
  }

  /// A page with two rows, as a server with this total sends it.
  private func page(
    _ key: PageKey, total: Int, number: Int = 0, count: Int = 2, by paging: Paging
  ) throws -> ReadPage {
    let envelope = try JSONDocument(#"{"rows":[1,2],"total":\#(total)}"#).root
    let facts = paging.strategy.facts(
      in: PageResponse(
        key: key, call: Call("/rows"),
        response: HTTPResponse(body: ResponseBody(), url: try WebURL("https://test/rows")),
        envelope: envelope, itemsPath: "rows", count: count))
    return ReadPage(
      number: number, key: key, facts: facts, count: count, isEmpty: count == 0, hasIDs: true,
      fingerprint: key.hashValue, asOf: 0, version: nil, isStored: false, paging: paging,
      nextPaging: paging)
  }

  private func compared(_ ids: ClosedRange<Int>, known: Int = 0) -> ComparedRows {
    var shared = SharedRows()
    (shared.known, shared.distance) = (known, known == 0 ? nil : 0)
    return ComparedRows(
      ids: ids.map { RowDigest(RowID($0)) }, shared: shared, startsKnown: known > 0,
      hasKnown: known > 0)
  }

  private func added(_ rows: Int, isNew: Bool = true) -> Reading.Added {
    Reading.Added(
      shared: .init(), rows: ReceivedRows(count: rows), isNew: isNew, isNewToProgram: isNew)
  }

  /// Requests the next page.
  private func start(_ reading: inout Reading) throws -> PageKey {
    guard case .page(let key) = reading.link else { throw PagingError.custom("the list ended") }
    return reading.start(key)
  }

  /// Joins a page with two new rows.
  private func read(
    _ reading: inout Reading, total: Int, rows: Int, by paging: Paging
  ) throws -> PageKey {
    let key = try start(&reading)
    let page = try page(key, total: total, by: paging)
    #expect(reading.receive(page) == .join(Reading.Joining(page: page)))
    _ = reading.join(Reading.Joining(page: page), added(rows))
    return key
  }

  @Test func `pages join one after the other until all rows have come`() throws {
    var reading = reading(.signs, by: paging)
    #expect(try read(&reading, total: 4, rows: 2, by: paging).place == .number(1))
    #expect(reading.end() == nil)
    #expect(try read(&reading, total: 4, rows: 4, by: paging).place == .number(2))
    #expect(reading.end() == .complete && reading.turn == nil)
  }

  @Test func `a total that falls is followed back to a known row`() throws {
    var reading = reading(.signs, by: paging)
    _ = try read(&reading, total: 6, rows: 2, by: paging)
    let waiting = try page(try start(&reading), total: 5, by: paging)
    #expect(reading.receive(waiting) == .compare)
    guard case .request(let before) = reading.receive(waiting, compared(4...5)) else {
      return #expect(Bool(false), "\(reading)")
    }
    #expect(before.place == .number(1) && reading.isSearching && reading.isLookingBack)
    let again = try page(before, total: 5, number: 1, by: paging)
    #expect(reading.receive(again) == .compare)
    let joining = Reading.Joining(page: waiting, found: [1], outcome: .mended, searchedPages: 1)
    #expect(reading.receive(again, compared(2...3, known: 1)) == .join(joining))
    #expect(reading.join(joining, added(5)).seam == .mended && reading.account.loss == nil)
    #expect(reading.consistency(at: nil).checks == 1)
  }

  @Test func `a total that falls is a loss where nothing is looked for`() throws {
    var reading = reading(.any, by: paging)
    _ = try read(&reading, total: 6, rows: 2, by: paging)
    let page = try page(try start(&reading), total: 5, by: paging)
    guard case .join(let joining) = reading.receive(page) else {
      return #expect(Bool(false), "\(reading)")
    }
    #expect(joining.outcome == .open && joining.loss != nil)
    // What is only received changes nothing yet, so that a checkpoint is that of the page before.
    #expect(reading.account.loss == nil)
    #expect(reading.join(joining, added(4)).seam == .open && reading.account.loss != nil)
  }

  @Test(arguments: [(Consistency.Level.signs, 4), (.seams, 4), (.seams, 6)])
  func `an overlap without rows is the end where all rows of the total came`(
    level: Consistency.Level, total: Int
  ) throws {
    var reading = reading(level, by: .offset(limit: 2))
    reading.link = .page(PageKey(.offset(2)))
    reading.account.rows.count = 4
    reading.record.resumeInside(areKnown: true)
    reading.paging = .offset(limit: 2)
    for number in [4, total] {
      let facts = PageFacts(next: .page(PageKey(.offset(4))), total: number)
      reading.account.add(facts, at: PageKey(.offset(0)), isNew: true)
    }
    let key = reading.start(PageKey(.offset(4)))
    #expect((key.place == .offset(3)) == (level == .seams))
    let facts = PageFacts(next: .page(PageKey(.offset(6))), total: total)
    let empty = ReadPage(
      key: key, facts: facts, count: 0, isEmpty: true, hasIDs: true, asOf: 0, version: nil,
      isStored: false, paging: .offset(limit: 2), nextPaging: .offset(limit: 2))
    var step = reading.receive(empty)
    if step == .compare { step = reading.receive(empty, compared(1...1)) }
    guard total == 4 else {
      // The rows that are missing may have moved to any page before.
      guard case .request = step else { return #expect(Bool(false), "\(step)") }
      return
    }
    guard case .join(let joining) = step else { return #expect(Bool(false), "\(step)") }
    #expect(joining.overlap == nil && joining.loss == nil)
    _ = reading.join(joining, added(4, isNew: false))
    #expect(reading.end() == .complete)
  }

  @Test func `an overlap shows the seam, and a refused one is requested as the page`() throws {
    var reading = reading(.seams, by: offsets)
    _ = try read(&reading, total: 6, rows: 2, by: offsets)
    let overlap = try start(&reading)
    #expect(overlap.place == .offset(1) && reading.isLooking && !reading.isLookingBack)
    let page = try page(overlap, total: 6, by: offsets)
    #expect(reading.receive(page) == .compare)
    let compared = compared(2...3, known: 1)
    guard case .join(let joining) = reading.receive(page, compared) else {
      return #expect(Bool(false), "\(reading)")
    }
    #expect(joining.overlap != nil && joining.outcome == nil)
    var added = added(3)
    added.shared = compared.shared
    #expect(reading.join(joining, added).seam == .seen)

    _ = try start(&reading)
    var requests: [PageKey.Place] = []
    while let key = reading.refused(.request(RequestError(.status(400)))), requests.count < 5 {
      requests.append(key.place)
    }
    #expect(requests.last == .offset(3) && !reading.isLooking, "\(requests)")
  }

  @Test func `pages that come again end the list, but not after a step back`() throws {
    for isRepeat in [false, true] {
      var reading = reading(.signs, by: paging)
      _ = try read(&reading, total: 9, rows: 2, by: paging)
      for number in 1...2 {
        var page = try page(try start(&reading), total: 9, by: paging)
        page.fingerprint = 7
        var added = added(2, isNew: false)
        added.isRepeat = isRepeat
        _ = reading.join(Reading.Joining(page: page), added)
        let isStopped = if case .stopped = reading.link { true } else { false }
        #expect(isStopped == (isRepeat || number == 2))
        if isStopped { break }
      }
    }
  }

  @Test func `edits move the page after the one that is requested`() throws {
    for (moves, place) in [([-1], 3), ([-1, -1], 2), ([], 4)] {
      var reading = reading(.any, by: offsets)
      _ = try read(&reading, total: 9, rows: 2, by: offsets)
      let page = try page(try start(&reading), total: 9, by: offsets)
      for rows in moves { reading.shiftNext(by: rows) }
      _ = reading.join(Reading.Joining(page: page), added(4))
      #expect(try start(&reading).place == .offset(place))
    }
    var reading = reading(.any, by: offsets)
    _ = try read(&reading, total: 9, rows: 2, by: offsets)
    let page = try page(try start(&reading), total: 9, by: offsets)
    reading.shift = .page(PageKey(.offset(1)))
    reading.shiftNext(by: -1)
    _ = reading.join(Reading.Joining(page: page), added(4))
    #expect(try start(&reading).place == .offset(0))
  }

  @Test func `too many pages without a new row end the list`() throws {
    var reading = reading(.any, by: paging)
    reading.maximumEmptyPages = 2
    _ = try read(&reading, total: 9, rows: 2, by: paging)
    for number in 1...3 {
      let page = try page(try start(&reading), total: 9, by: paging)
      _ = reading.join(Reading.Joining(page: page), added(2, isNew: false))
      #expect(reading.emptyPages == number)
    }
    #expect(reading.link == .stopped(.emptyPages(3)))
  }
}
