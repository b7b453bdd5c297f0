import Foundation
import Support
import Testing

@testable import ListModel

/// What is claimed after which windows.
struct ConsistencyRecordTests {
  typealias Meeting = ConsistencyRecord.Meeting

  /// A record after a first window and another one.
  private func record(
    _ approach: ConsistencyRecord.Approach, _ meeting: Meeting?, isCounted: Bool = false,
    outcome: Seam? = nil
  ) -> ConsistencyRecord {
    var record = ConsistencyRecord()
    record.add(.start, Meeting(), rows: 10, endsByCount: isCounted, at: 100)
    record.add(approach, meeting, rows: 10, endsByCount: isCounted, at: 200, outcome: outcome)
    return record
  }

  @Test(
    arguments: [
      (.chain, Meeting(), .whole), (.position, Meeting(), .unproven),
      (.position, Meeting(known: 1, distance: 0), .whole),
      (.position, Meeting(known: 1, distance: 10), .whole),
      // A row far above has more likely moved than all rows after it were removed.
      (.position, Meeting(known: 1, distance: 11), .unproven),
      (.position, Meeting(known: 1, distance: nil), .unproven),
      (.position, Meeting(known: 2, distance: 0, isOrdered: false), .unproven),
      (.chain, Meeting(known: 2, distance: 0, isOrdered: false), .unproven),
      (.chain, Meeting(known: 1, distance: 0, hasNewBeforeKnown: true), .unproven),
      (.chain, Meeting(known: 1, distance: 0), .whole),
      (.chain, Meeting(repeatsID: true), .unproven), (.chain, nil, .unproven),
    ] as [(ConsistencyRecord.Approach, Meeting?, Consistency.Claim)])
  func `a window is joined to those before it, or nothing is proven`(
    approach: ConsistencyRecord.Approach, meeting: Meeting?, claim: Consistency.Claim
  ) {
    #expect(record(approach, meeting).consistency(at: .complete).claim == claim)
  }

  @Test func `a claim names what it rests on`() {
    let chained = record(.chain, Meeting()).consistency(at: .complete)
    #expect(chained.assumptions == [.instants, .ids, .order, .cursors])
    let seen = record(.position, Meeting(known: 1, distance: 0), isCounted: true)
    #expect(seen.consistency(at: .complete).assumptions == [.instants, .ids, .order, .positions])
    #expect(seen.consistency(at: nil).assumptions == [.instants, .ids, .order])
  }

  @Test(arguments: ListAssumption.allCases)
  func `a claim is not made without its assumptions`(assumption: ListAssumption) {
    var record = record(.chain, Meeting(known: 1, distance: 0), isCounted: true)
    record.add(.chain, Meeting(), rows: 10, endsByCount: true, at: 300)
    #expect(record.consistency(at: .complete).claim == .whole)
    #expect(record.consistency(at: .complete).without([assumption]).claim == .unproven)
    record.doubt(assumption)
    #expect(record.consistency(at: .complete).claim == .unproven)
  }

  @Test(arguments: [(Seam.mended, Consistency.Claim.unproven), (.open, .mayLack(atMost: nil))])
  func `the outcome of a search counts`(outcome: Seam, claim: Consistency.Claim) {
    let record = record(.position, Meeting(), outcome: outcome)
    #expect(record.consistency(at: .complete).claim == claim && record.count(outcome) == 1)
  }

  @Test func `an incomplete list may lack rows, and one response is exact`() {
    let reason = PagingError.missingRows("")
    let both = record(.chain, Meeting())
    #expect(both.consistency(at: .incomplete(reason)).claim == .mayLack(atMost: nil))
    var single = ConsistencyRecord()
    #expect(single.consistency(at: nil).claim == .unproven)
    single.add(.start, nil, rows: 3, endsByCount: false, at: 100)
    #expect(single.consistency(at: .complete).claim == .exact)
    #expect(single.consistency(at: nil).claim == .whole)
  }

  @Test func `a claim speaks from the oldest to the newest page`() throws {
    let moments = try #require(record(.chain, Meeting()).consistency(at: nil).moments)
    #expect(moments.lowerBound.timeIntervalSince1970 == 100)
    #expect(moments.upperBound.timeIntervalSince1970 == 200)
  }

  @Test func `a record survives a checkpoint`() throws {
    var record = record(.chain, Meeting(known: 1, distance: 0, hasNewBeforeKnown: true))
    record.add(.position, nil, rows: 1, endsByCount: true, at: 300, outcome: .open)
    var writer = ByteWriter()
    record.write(to: &writer)
    var reader = ByteReader(writer.bytes)
    #expect(try ConsistencyRecord(&reader) == record)
  }

  @Test func `claims are ordered by how much they say`() {
    let claims: [Consistency.Claim] = [.mayLack(atMost: nil), .unproven, .whole, .exact]
    #expect(claims.sorted() == claims)
    #expect(claims.map(\.name) == ["may-lack", "unproven", "whole", "exact"])
    #expect(Consistency.Claim.mayLack(atMost: 3).bound == 3 && Consistency.Claim.exact.bound == nil)
  }
}
