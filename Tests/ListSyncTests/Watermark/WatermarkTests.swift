import ListSync
import Testing

/// What a round decides by its stamps, as values.
@Suite struct WatermarkTests {
  private func stamp(_ number: Int) -> Stamp {
    guard let stamp = Stamp("\(number)") else { preconditionFailure("\(number) is a stamp") }
    return stamp
  }

  private func round(
    mark: Int? = 100, floor: Int = 90, overlap: Double = 0, isSorted: Bool = true, isShort: Bool = true
  ) -> RoundStamps {
    let border = mark.map {
      Watermark.Border(mark: Watermark.Mark(stamp($0), floor: stamp(floor)), overlap: overlap)
    }
    return RoundStamps(plan: 1, isSorted: isSorted, isShort: isShort, border: border, now: 2e9)
  }

  private func rows(_ numbers: Int..., changed: Set<Int> = []) -> [RoundStamps.Row] {
    numbers.map {
      RoundStamps.Row(stamp($0), isChanged: changed.contains($0), hasNewStamp: changed.contains($0))
    }
  }

  private let whole = Watermark.Ending(isFull: false, isRead: true, isProven: true)
  private let full = Watermark.Ending(isFull: true, isRead: true, isProven: true)

  @Test(
    arguments: [
      ([105, 100, 95], 90, 0.0, false), ([105, 100, 90], 90, 0, false), ([105, 100, 89], 90, 0, true),
      ([105, 100, 89], 90, 20, false), ([105, 100, 80], 90, 20, false), ([105, 100, 79], 90, 20, true),
      ([105, 100], 100, 0, false), ([105, 99], 100, 0, true),
    ] as [([Int], Int, Double, Bool)])
  func `a round stops strictly below the border, so that equal stamps are read`(
    numbers: [Int], floor: Int, overlap: Double, stops: Bool
  ) {
    var round = round(floor: floor, overlap: overlap)
    round.add(numbers.map { RoundStamps.Row(stamp($0)) })
    #expect(round.mayStop == stops)
  }

  @Test func `a row that came late widens the overlap of the running round and of the next ones`() {
    var round = round()
    round.add(rows(105, 100, 92, 89, changed: [105, 92]))
    #expect(round.lateness == 8 && round.late == 1 && round.missed == 0 && !round.mayStop)
    round.add(rows(84))
    #expect(!round.mayStop)
    round.add(rows(83))
    #expect(round.mayStop)
    var watermark = Watermark(plan: 1)
    watermark = watermark.after(round, whole).watermark
    #expect(watermark.largestLateness == 8 && watermark.border?.overlap == 16 && watermark.mark?.stamp == stamp(105))
    for _ in 1..<Watermark.rounds { watermark = watermark.after(self.round(), whole).watermark }
    #expect(watermark.largestLateness == 8)
    #expect(watermark.after(self.round(), whole).watermark.largestLateness == 0)
  }

  @Test func `content that changes without its stamp says nothing of lateness`() {
    var round = round()
    var changed = rows(105, 100, 92, 89)
    changed[2].isChanged = true
    round.add(changed)
    #expect(round.lateness == 0 && round.late == 1 && round.mayStop)
  }

  @Test func `a full round counts what short ones have missed`() {
    var round = round(floor: 95, overlap: 10, isShort: false)
    round.add(rows(105, 100, 92, 89, 50, 40, changed: [92, 89, 50]))
    #expect(round.late == 3 && round.missed == 2 && round.lateness == 50)
    #expect(Watermark(plan: 1).after(round, full).watermark.border?.overlap == 100)
  }

  private struct Case: Sendable {
    var name: String
    var pages: [[String?]]
    var detour: String?
    var problem: String?
    /// The mark after a full round.
    var mark: String?
  }

  private static let cases = [
    Case(name: "in order", pages: [["105", "100"], ["100", "80"]], mark: "105"),
    Case(
      name: "one inversion", pages: [["105", "100"], ["101", "80"]], problem: "not sorted newest first: 101 comes"),
    Case(name: "no stamp", pages: [["105", nil], ["80"]], problem: "a row has no stamp"),
    Case(name: "two types", pages: [["105", "2020-01-01"], ["80"]], problem: "different types: 105 and 2020-01-01"),
    Case(name: "another type", pages: [["2020-01-01"]], detour: "another type than the last mark", mark: "2020-01-01"),
    Case(name: "lower top", pages: [["99", "80"]], detour: "newest stamp, 99, is below", mark: "99"),
    Case(name: "future", pages: [["5000000000", "105", "80"]], mark: "105"),
    Case(name: "only future", pages: [["5000000000"], ["80"]], problem: "no stamp of the first page is in the past"),
    Case(name: "no rows", pages: [[]], mark: nil),
    Case(name: "texts", pages: [["b", "a"]], detour: "another type", mark: "b"),
  ]

  @Test(arguments: 0..<Self.cases.count)
  func `what speaks against stamps takes the short way away`(number: Int) {
    let expected = Self.cases[number]
    var round = round()
    for page in expected.pages { round.add(page.map { RoundStamps.Row($0.flatMap { Stamp($0) }) }) }
    #expect(round.problem?.contains(expected.problem ?? "-") ?? (expected.problem == nil), "\(expected.name)")
    #expect(round.detour?.contains(expected.detour ?? "-") ?? (expected.detour == nil), "\(expected.name)")
    if expected.problem != nil || expected.detour != nil { #expect(!round.mayStop, "\(expected.name)") }
    let next = Watermark(plan: 1).after(round, full)
    #expect(next.watermark.mark?.stamp.text == expected.mark, "\(expected.name)")
    #expect(next.watermark.isShortNext(fullEvery: 9) == (expected.mark != nil), "\(expected.name)")
  }

  @Test(arguments: [
    (Watermark.Ending(isFull: true, isRead: false, isProven: true), "not read to its end"),
    (Watermark.Ending(isFull: true, isRead: true, isProven: false), "nothing proves that the pages"),
    (Watermark.Ending(isFull: false, isRead: true, isProven: true), "no row of the last round came again"),
  ])
  func `a mark is only left by a round that joins the one before`(ending: Watermark.Ending, problem: String) {
    var watermark = Watermark(plan: 1)
    var first = round(mark: nil)
    first.add(rows(100, 90))
    watermark = watermark.after(first, full).watermark
    var round = round()
    round.add(rows(120, 110, changed: [120, 110]))
    let next = watermark.after(round, ending)
    #expect(next.problem?.contains(problem) == true && next.watermark.mark?.stamp == stamp(100))
    #expect(!next.watermark.isShortNext(fullEvery: 9))
  }

  @Test func `stamps after a clock that went back leave the old mark`() throws {
    let (old, new) = (try #require(Stamp("2026-11-28T20:00:00Z")), try #require(Stamp("2026-11-28T20:30:00Z")))
    var watermark = Watermark(plan: 1)
    watermark.mark = Watermark.Mark(old, floor: old)
    var round = RoundStamps(plan: 1, isSorted: true, isShort: true, border: watermark.border, now: 1_795_892_400)
    round.add([RoundStamps.Row(new, isChanged: true, hasNewStamp: true), RoundStamps.Row(old)])
    let next = watermark.after(round, full)
    #expect(!round.mayStop && next.problem?.contains("by the clock of this machine") == true)
    #expect(next.watermark.mark?.stamp == old && !next.watermark.isShortNext(fullEvery: 9))
  }

  @Test func `each Nth round is a full one`() {
    var watermark = Watermark(plan: 1)
    var kinds = ""
    for _ in 0..<9 {
      let isShort = watermark.isShortNext(fullEvery: 4)
      var round = RoundStamps(plan: 1, isSorted: true, isShort: isShort, border: watermark.border, now: 2e9)
      round.add(rows(100, 90))
      watermark = watermark.after(round, isShort ? whole : full).watermark
      kinds += isShort ? "s" : "F"
    }
    #expect(kinds == "FsssFsssF")
    #expect(!watermark.isShortNext(fullEvery: 1))
  }

  @Test func `where the order is unknown, the mark is what was seen before the round and on its first page`() {
    var watermark = Watermark(plan: 1)
    var first = round(mark: nil, isSorted: false, isShort: false)
    first.add(rows(10, 30))
    first.add(rows(99, 20))
    watermark = watermark.after(first, full).watermark
    // What has changed on the first page while the second one was read has a stamp above 30.
    #expect(watermark.mark?.stamp == stamp(30) && watermark.highest == stamp(99))
    var second = round(mark: 30, isSorted: false)
    second.add(rows(30, 99))
    second.add(rows(120))
    watermark = watermark.after(second, whole).watermark
    #expect(watermark.mark?.stamp == stamp(99) && watermark.highest == stamp(120))
  }

  @Test(
    arguments: [
      ("100", "90", 0.0, "89"), ("100", "90", 10, "89"), ("100", "90", 11, "88"), ("100", "100", 0, "99"),
      ("2026-01-01T00:00:10Z", "2026-01-01T00:00:08Z", 0, "2026-01-01T00:00:07Z"), ("b", "a", 0, nil),
      ("b", "a", .infinity, nil),
    ] as [(String, String, Double, String?)])
  func `a filter has the form of the stamps, and a step less`(
    mark: String, floor: String, overlap: Double, text: String?
  ) throws {
    let mark = Watermark.Mark(try #require(Stamp(mark)), floor: try #require(Stamp(floor)))
    #expect(Watermark.Border(mark: mark, overlap: overlap).text == text)
  }
}
