import Foundation
import ItemMapping
import ServerAPI
import Support
import Testing

@testable import ListReading

/// What is claimed after which overlaps.
struct ConsistencyRecordTests {
  /// A record after a first overlap and another one.
  private func record(
    _ approach: ConsistencyRecord.Approach, _ shared: SharedRows?, isCounted: Bool = false,
    outcome: Seam? = nil
  ) -> ConsistencyRecord {
    var record = ConsistencyRecord()
    record.add(.start, SharedRows(), rows: 10, endSign: isCounted ? .counted : .said, at: 100)
    record.add(
      approach, shared, rows: 10, endSign: isCounted ? .counted : .said, at: 200, outcome: outcome)
    return record
  }

  @Test(
    arguments: [
      (.chain, SharedRows(), .whole), (.position, SharedRows(), .unproven),
      (.position, SharedRows(known: 1, distance: 0), .whole),
      (.position, SharedRows(known: 1, distance: 10), .whole),
      // A row far above has more likely moved than all rows after it were removed.
      (.position, SharedRows(known: 1, distance: 11), .unproven),
      (.position, SharedRows(known: 1, distance: nil), .unproven),
      (.position, SharedRows(known: 2, distance: 0, isOrdered: false), .unproven),
      (.chain, SharedRows(known: 2, distance: 0, isOrdered: false), .unproven),
      (.chain, SharedRows(known: 1, distance: 0, hasNewBeforeKnown: true), .unproven),
      (.chain, SharedRows(known: 1, distance: 0), .whole),
      (.chain, SharedRows(repeatsID: true), .unproven), (.chain, nil, .unproven),
    ] as [(ConsistencyRecord.Approach, SharedRows?, Consistency.Claim)])
  func `an overlap is joined to those before it, or nothing is proven`(
    approach: ConsistencyRecord.Approach, shared: SharedRows?, claim: Consistency.Claim
  ) {
    #expect(record(approach, shared).consistency(at: .complete).claim == claim)
  }

  @Test func `a claim names what it rests on`() {
    let chained = record(.chain, SharedRows()).consistency(at: .complete)
    #expect(chained.assumptions == [.instants, .ids, .order, .cursors, .end])
    let seen = record(.position, SharedRows(known: 1, distance: 0), isCounted: true)
    #expect(seen.consistency(at: .complete).assumptions == [.instants, .ids, .order, .positions])
    #expect(seen.consistency(at: nil).assumptions == [.instants, .ids, .order])
  }

  @Test(arguments: [ListAssumption.instants, .ids, .order, .positions, .cursors])
  func `a claim is not made without its assumptions`(assumption: ListAssumption) {
    var record = record(.chain, SharedRows(known: 1, distance: 0), isCounted: true)
    record.add(.chain, SharedRows(), rows: 10, endSign: .counted, at: 300)
    #expect(record.consistency(at: .complete).claim == .whole)
    #expect(record.consistency(at: .complete).without([assumption]).claim == .unproven)
    record.doubt(assumption)
    #expect(record.consistency(at: .complete).claim == .unproven)
  }

  @Test(arguments: [(Seam.mended, Consistency.Claim.unproven), (.open, .mayLack(atMost: nil))])
  func `the outcome of a search counts`(outcome: Seam, claim: Consistency.Claim) {
    let record = record(.position, SharedRows(), outcome: outcome)
    #expect(record.consistency(at: .complete).claim == claim && record.count(outcome) == 1)
  }

  @Test func `an incomplete list may lack rows, and one response is exact`() {
    let reason = PagingError.missingRows("")
    let both = record(.chain, SharedRows())
    #expect(both.consistency(at: .incomplete(reason)).claim == .mayLack(atMost: nil))
    var single = ConsistencyRecord()
    #expect(single.consistency(at: nil).claim == .unproven)
    single.add(.start, nil, rows: 3, endSign: .said, at: 100)
    #expect(single.consistency(at: .complete).claim == .exact)
    #expect(single.consistency(at: nil).claim == .whole)
  }

  @Test func `what is known of single rows limits the claim`() {
    var single = ConsistencyRecord()
    single.add(.start, SharedRows(repeatsID: true), rows: 3, endSign: .said, at: 100)
    #expect(single.consistency(at: .complete).claim == .unproven, "an id is there twice")
    single = ConsistencyRecord()
    single.add(.start, SharedRows(), rows: 3, endSign: .said, at: 100)
    #expect(single.consistency(at: .complete).assumptions == [.instants, .ids, .end])
    #expect(single.consistency(at: .complete, unreadable: 2).claim == .mayLack(atMost: 2))
    #expect(single.consistency(at: nil, unreadable: 2).claim == .mayLack(atMost: 2))
    let counted = record(.position, SharedRows())
    #expect(counted.consistency(at: .complete, unreadable: 2).claim == .mayLack(atMost: nil))
  }

  @Test(
    arguments: [
      (.said, .exact, [.instants, .ids, .end]), (.counted, .exact, [.instants, .ids, .positions]),
      (.chosen, .whole, [.instants, .ids]),
    ] as [(EndSign, Consistency.Claim, Set<ListAssumption>)])
  func `a claim rests on how the end is found`(
    sign: EndSign, claim: Consistency.Claim, basis: Set<ListAssumption>
  ) {
    var record = ConsistencyRecord()
    record.add(.start, SharedRows(), rows: 3, endSign: sign, at: 100)
    #expect(record.consistency(at: .complete).claim == claim)
    #expect(record.consistency(at: .complete).assumptions == basis)
  }

  @Test(
    arguments: [
      (.pageNumber(), .counted), (.pageNumber(endsBy: .page(3)), .chosen),
      (.keyset(["id"], into: ["after"]), .counted),
      (.keyset(["id"], into: ["after"], endsBy: .hasNext("more")), .said),
      (.cursor(at: "next"), .said), (.cursor(at: "next", endsBy: .hasNext("more")), .said),
      (.cursor(at: "next", endsBy: .shortPage), .counted), (.automatic, .counted), (.link, .said),
    ] as [(Paging, EndSign)])
  func `each paging finds its end in one of three ways`(
    paging: Paging, sign: EndSign
  ) {
    #expect(paging.strategy.endSign == sign)
  }

  @Test(arguments: [(true, Consistency.Claim.whole), (false, .unproven)])
  func `a page that is read from its middle is not exact`(
    areKnown: Bool, claim: Consistency.Claim
  ) {
    var record = ConsistencyRecord()
    record.resumeInside(areKnown: areKnown)
    record.add(.chain, SharedRows(), rows: 3, endSign: .said, at: 100)
    #expect(record.consistency(at: .complete).claim == claim)
  }

  @Test func `a page that comes again with other rows joins nothing`() throws {
    var record = record(.chain, SharedRows())
    record.replace(at: 50, version: nil, dropsRows: false)
    #expect(record.consistency(at: .complete).claim == .whole)
    record.replace(at: 300, version: nil, dropsRows: true)
    let consistency = record.consistency(at: .complete)
    #expect(consistency.claim == .unproven)
    #expect(try #require(consistency.moments).lowerBound.timeIntervalSince1970 == 50)
  }

  @Test func `a claim speaks from the oldest to the newest page`() throws {
    let moments = try #require(record(.chain, SharedRows()).consistency(at: nil).moments)
    #expect(moments.lowerBound.timeIntervalSince1970 == 100)
    #expect(moments.upperBound.timeIntervalSince1970 == 200)
  }

  @Test func `a record survives a checkpoint`() throws {
    var record = record(.chain, SharedRows(known: 1, distance: 0, hasNewBeforeKnown: true))
    record.add(.position, nil, rows: 1, endSign: .counted, at: 300, outcome: .open)
    var writer = ByteWriter()
    record.write(to: &writer)
    var reader = ByteReader(writer.bytes)
    #expect(try ConsistencyRecord(&reader) == record)
  }

  @Test func `claims are ordered by how much they say`() {
    let claims: [Consistency.Claim] = [
      .mayLack(atMost: nil), .mayLack(atMost: 2), .mayLack(atMost: 1), .unproven, .whole, .exact,
    ]
    #expect(claims.reversed().sorted() == claims)
    #expect(claims.dropFirst(2).map(\.name) == ["may-lack", "unproven", "whole", "exact"])
    #expect(Consistency.Claim.mayLack(atMost: 3).bound == 3 && Consistency.Claim.exact.bound == nil)
  }

  @Test func `a bound of missing rows is counted in words`() {
    #expect("\(Consistency(.mayLack(atMost: 1)))" == "at most 1 row may be missing")
    #expect("\(Consistency(.mayLack(atMost: 2)))" == "at most 2 rows may be missing")
  }
}
