import Testing

@testable import ListReading

/// When a list trusts the windows of its server, and when it gives them up.
@Suite struct OverlapTests {
  typealias Meeting = ConsistencyRecord.Meeting

  /// A window of rows before the page that begins at row 20, ten rows a page.
  private func window(
    _ rows: Int, isFirst: Bool = true, isWide: Bool = false, ownSize: Int? = nil
  ) -> PageWindow {
    var key = PageKey(.offset(20 - rows), size: isWide ? 10 + rows : 10)
    if let ownSize { key = PageKey(.number(1), size: ownSize) }
    return PageWindow(
      key: key, rows: rows, isFirst: isFirst, isWide: isWide, ownSize: ownSize)
  }

  private func position(
    _ level: Consistency.Level = .seams, pages: Int, rows: Int
  ) -> SeamWindows.Position {
    SeamWindows.Position(
      level: level, paging: .offset(limit: 10), first: PageKey(.offset(0), size: 10),
      pages: pages, rows: rows, total: nil, leadsToID: false, saysMore: false)
  }

  private func judge(
    _ overlap: inout Overlap, _ window: PageWindow, _ meeting: Meeting, count: Int = 10,
    hasNext: Bool = true
  ) -> Overlap.Verdict {
    overlap.judge(window, count: count, meeting, size: 10, hasNext: hasNext, isEndTold: false)
  }

  @Test func `only a window with exactly the rows requested before the page is trusted`() {
    let meetings: [(known: Int, isTrusted: Bool, verdict: Overlap.Verdict)] = [
      (0, false, .apart), (1, false, .joined), (2, true, .joined), (3, false, .doubtful),
    ]
    for (known, isTrusted, verdict) in meetings {
      var overlap = Overlap()
      #expect(judge(&overlap, window(2), Meeting(known: known, distance: 0)) == verdict)
      #expect(overlap.isTrusted == isTrusted, "\(known)")
    }
  }

  @Test func `a window of the requested size is trusted with fewer known rows`() {
    for (count, isTrusted) in [(12, true), (11, false), (10, false)] {
      var overlap = Overlap()
      let verdict = judge(
        &overlap, window(2, isWide: true), Meeting(known: 1, distance: 0), count: count)
      #expect(verdict == .joined && overlap.isTrusted == isTrusted, "\(count)")
    }
  }

  @Test func `a window that has new rows before known ones is not trusted`() {
    var overlap = Overlap()
    var meeting = Meeting(known: 2, distance: 0)
    meeting.hasNewBeforeKnown = true
    #expect(judge(&overlap, window(2), meeting) == .joined && !overlap.isTrusted)
  }

  @Test func `a known row far before the last one joins nothing if new rows follow it`() {
    for (distance, endsKnown, verdict): (Int, Bool, Overlap.Verdict) in [
      (10, false, .joined), (11, false, .apart), (11, true, .joined),
    ] {
      var overlap = Overlap()
      var meeting = Meeting(known: 1, distance: distance)
      meeting.endsKnown = endsKnown
      #expect(judge(&overlap, window(1), meeting) == verdict, "\(distance) \(endsKnown)")
    }
  }

  @Test func `a page compared with its doubtful window shows whether that began as requested`() {
    // The rows of the window before the page, and what a window of two rows before it may have.
    let places: [(position: Int?, isTrusted: Bool)] = [
      (nil, false), (0, false), (1, true), (2, true), (7, true), (8, false), (-3, true),
      (-4, false),
    ]
    for (position, isTrusted) in places {
      var overlap = Overlap()
      overlap.verify(window(2), position: position, of: 10)
      #expect(overlap.isTrusted == isTrusted, "\(String(describing: position))")
      #expect(overlap.takeChecks() == 1 && overlap.takeChecks() == 0)
      if !isTrusted { overlap.verify(window(2), position: position, of: 10) }
      #expect(overlap.isGivenUp == !isTrusted)
    }
  }

  @Test func `a page of another size may only begin next to where it was requested`() {
    for (position, isTrusted) in [(1, true), (2, true), (3, true), (4, false), (0, false)] {
      var overlap = Overlap()
      overlap.verify(window(2, ownSize: 12), position: position, of: 12)
      #expect(overlap.isTrusted == isTrusted, "\(position)")
    }
  }

  @Test func `windows are given up after two refusals`() {
    var overlap = Overlap()
    overlap.refuse()
    #expect(!overlap.isGivenUp && !overlap.isWide)
    overlap.refuse()
    #expect(overlap.isGivenUp)
  }

  @Test func `a page of another size with fewer rows than it should have is not asked for again`() {
    var overlap = Overlap()
    let own = window(2, ownSize: 12)
    #expect(judge(&overlap, own, Meeting(known: 2, distance: 0), count: 13) == .ignored)
    #expect(overlap.isGivenUp)
  }

  /// Steps back as often as is allowed.
  private func steps(
    _ level: Consistency.Level, pages: Int, rows: Int, isTrusted: Bool = false
  ) -> Int {
    var overlap = Overlap()
    if isTrusted { _ = judge(&overlap, window(1), Meeting(known: 1, distance: 0)) }
    for step in 0..<1_000
    where overlap.stepBack(from: window(1), size: 10, position(level, pages: pages, rows: rows))
      == nil
    { return step }
    return 1_000
  }

  @Test func `steps back have a bound that only pages with rows raise`() {
    #expect(steps(.seams, pages: 1, rows: 10) == 14)
    #expect(steps(.seams, pages: 10, rows: 100) == 32)
    #expect(steps(.seams, pages: 50, rows: 10) == 16)
    #expect(steps(.signs, pages: 10, rows: 100) == 16)
    #expect(steps(.seams, pages: 10, rows: 100, isTrusted: true) == 38)
  }

  @Test func `a step back at the bound gives up windows that never came as requested`() {
    for isTrusted in [false, true] {
      var overlap = Overlap()
      if isTrusted { _ = judge(&overlap, window(1), Meeting(known: 1, distance: 0)) }
      while overlap.stepBack(from: window(1), size: 10, position(pages: 1, rows: 10)) != nil {}
      #expect(overlap.isGivenUp == !isTrusted)
    }
  }

  @Test func `each step goes further back`() {
    var overlap = Overlap()
    let near = position(pages: 10, rows: 100)
    #expect(overlap.stepBack(from: window(1), size: 10, near) == 9)
    #expect(overlap.stepBack(from: window(9, isFirst: false), size: 10, near) == 18)
    #expect(overlap.stepBack(from: window(1), size: 1, near) == 2)
  }

  @Test func `a window further back is not trusted, as it may begin where a page does`() {
    var overlap = Overlap()
    let back = window(20, isFirst: false)
    #expect(judge(&overlap, back, Meeting(known: 20, distance: 0), count: 20) == .joined)
    #expect(!overlap.isTrusted)
  }

  @Test func `rows are still after three seams at which none has moved`() {
    var overlap = Overlap()
    for seams in 0...3 {
      #expect(overlap.isStill == (seams == 3))
      _ = judge(&overlap, window(1), Meeting(known: 1, distance: 0))
    }
    var (inserted, back) = (overlap, overlap)
    _ = judge(&inserted, window(1), Meeting(known: 2, distance: 0))
    _ = back.stepBack(from: window(1), size: 10, position(pages: 9, rows: 90))
    #expect(!inserted.isStill && !back.isStill)
  }
}
