import Testing

@testable import ListReading

/// When a list trusts the overlaps of its server, and when it gives them up.
@Suite struct OverlapTests {
  /// An overlap of rows before the page that begins at row 20, ten rows a page.
  private func overlap(
    _ rows: Int, isFirst: Bool = true, isWide: Bool = false, ownSize: Int? = nil
  ) -> PageOverlap {
    var key = PageKey(.offset(20 - rows), size: isWide ? 10 + rows : 10)
    if let ownSize { key = PageKey(.number(1), size: ownSize) }
    return PageOverlap(
      key: key, rows: rows, isFirst: isFirst, isWide: isWide, ownSize: ownSize)
  }

  private func position(
    _ level: Consistency.Level = .seams, pages: Int, rows: Int
  ) -> OverlapPlan.Position {
    OverlapPlan.Position(
      level: level, paging: .offset(limit: 10), first: PageKey(.offset(0), size: 10),
      pages: pages, rows: rows, total: nil, leadsToID: false, saysMore: false)
  }

  private func judge(
    _ policy: inout OverlapPolicy, _ overlap: PageOverlap, _ shared: SharedRows, count: Int = 10,
    hasNext: Bool = true
  ) -> OverlapPolicy.Verdict {
    policy.judge(overlap, count: count, shared, size: 10, hasNext: hasNext, isEndTold: false)
  }

  @Test func `only an overlap with exactly the rows requested before the page is trusted`() {
    let meetings: [(known: Int, isTrusted: Bool, verdict: OverlapPolicy.Verdict)] = [
      (0, false, .apart), (1, false, .joined), (2, true, .joined), (3, false, .doubtful),
    ]
    for (known, isTrusted, verdict) in meetings {
      var policy = OverlapPolicy()
      #expect(judge(&policy, overlap(2), SharedRows(known: known, distance: 0)) == verdict)
      #expect(policy.isTrusted == isTrusted, "\(known)")
    }
  }

  @Test func `an overlap of the requested size is trusted with fewer known rows`() {
    for (count, isTrusted) in [(12, true), (11, false), (10, false)] {
      var policy = OverlapPolicy()
      let verdict = judge(
        &policy, overlap(2, isWide: true), SharedRows(known: 1, distance: 0), count: count)
      #expect(verdict == .joined && policy.isTrusted == isTrusted, "\(count)")
    }
  }

  @Test func `an overlap that has new rows before known ones is not trusted`() {
    var policy = OverlapPolicy()
    var shared = SharedRows(known: 2, distance: 0)
    shared.hasNewBeforeKnown = true
    #expect(judge(&policy, overlap(2), shared) == .joined && !policy.isTrusted)
  }

  @Test func `a known row far before the last one joins nothing if new rows follow it`() {
    for (distance, endsKnown, verdict): (Int, Bool, OverlapPolicy.Verdict) in [
      (10, false, .joined), (11, false, .apart), (11, true, .joined),
    ] {
      var policy = OverlapPolicy()
      var shared = SharedRows(known: 1, distance: distance)
      shared.endsKnown = endsKnown
      #expect(judge(&policy, overlap(1), shared) == verdict, "\(distance) \(endsKnown)")
    }
  }

  @Test func `a page compared with its doubtful overlap shows whether that began as requested`() {
    // The rows of the overlap before the page, and what an overlap of two rows before it may have.
    let places: [(position: Int?, isTrusted: Bool)] = [
      (nil, false), (0, false), (1, true), (2, true), (7, true), (8, false), (-3, true),
      (-4, false),
    ]
    for (position, isTrusted) in places {
      var policy = OverlapPolicy()
      policy.verify(overlap(2), position: position, of: 10)
      #expect(policy.isTrusted == isTrusted, "\(String(describing: position))")
      #expect(policy.takeChecks() == 1 && policy.takeChecks() == 0)
      if !isTrusted { policy.verify(overlap(2), position: position, of: 10) }
      #expect(policy.isGivenUp == !isTrusted)
    }
  }

  @Test func `a page of another size may only begin next to where it was requested`() {
    for (position, isTrusted) in [(1, true), (2, true), (3, true), (4, false), (0, false)] {
      var policy = OverlapPolicy()
      policy.verify(overlap(2, ownSize: 12), position: position, of: 12)
      #expect(policy.isTrusted == isTrusted, "\(position)")
    }
  }

  @Test func `overlaps are given up after two refusals`() {
    var policy = OverlapPolicy()
    policy.refuse()
    #expect(!policy.isGivenUp && !policy.isWide)
    policy.refuse()
    #expect(policy.isGivenUp)
  }

  @Test func `a page of another size with fewer rows than it should have is not asked for again`() {
    var policy = OverlapPolicy()
    let own = overlap(2, ownSize: 12)
    #expect(judge(&policy, own, SharedRows(known: 2, distance: 0), count: 13) == .ignored)
    #expect(policy.isGivenUp)
  }

  /// Steps back as often as is allowed.
  private func steps(
    _ level: Consistency.Level, pages: Int, rows: Int, isTrusted: Bool = false
  ) -> Int {
    var policy = OverlapPolicy()
    if isTrusted { _ = judge(&policy, overlap(1), SharedRows(known: 1, distance: 0)) }
    for step in 0..<1_000
    where policy.stepBack(from: overlap(1), size: 10, position(level, pages: pages, rows: rows))
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

  @Test func `a step back at the bound gives up overlaps that never came as requested`() {
    for isTrusted in [false, true] {
      var policy = OverlapPolicy()
      if isTrusted { _ = judge(&policy, overlap(1), SharedRows(known: 1, distance: 0)) }
      while policy.stepBack(from: overlap(1), size: 10, position(pages: 1, rows: 10)) != nil {}
      #expect(policy.isGivenUp == !isTrusted)
    }
  }

  @Test func `each step goes further back`() {
    var policy = OverlapPolicy()
    let near = position(pages: 10, rows: 100)
    #expect(policy.stepBack(from: overlap(1), size: 10, near) == 9)
    #expect(policy.stepBack(from: overlap(9, isFirst: false), size: 10, near) == 18)
    #expect(policy.stepBack(from: overlap(1), size: 1, near) == 2)
  }

  @Test func `an overlap further back is not trusted, as it may begin where a page does`() {
    var policy = OverlapPolicy()
    let back = overlap(20, isFirst: false)
    #expect(judge(&policy, back, SharedRows(known: 20, distance: 0), count: 20) == .joined)
    #expect(!policy.isTrusted)
  }

  @Test func `rows are still after three seams at which none has moved`() {
    var policy = OverlapPolicy()
    for seams in 0...3 {
      #expect(policy.isStill == (seams == 3))
      _ = judge(&policy, overlap(1), SharedRows(known: 1, distance: 0))
    }
    var (inserted, back) = (policy, policy)
    _ = judge(&inserted, overlap(1), SharedRows(known: 2, distance: 0))
    _ = back.stepBack(from: overlap(1), size: 10, position(pages: 9, rows: 90))
    #expect(!inserted.isStill && !back.isStill)
  }
}
