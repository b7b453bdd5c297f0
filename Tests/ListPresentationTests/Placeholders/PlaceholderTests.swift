import Foundation
import ListModel
import ListReading
import ServerAPI
import Testing

@testable import ListPresentation

/// The reasons for an empty view, and its placeholders.
struct PlaceholderTests {
  static let error = LoadError.decoding("broken")
  static let silence = LoadError.request(RequestError(.connectRefused))
  /// A day in November 2023.
  static let moment = Date(timeIntervalSince1970: 1_700_000_000.0)

  struct Case: Sendable {
    var rows = 0
    var filtered = false
    var loaded = true
    var endedEmpty = true
    var refresh = LoadState.idle
    var next = LoadState.idle
    var freshness = Freshness.live(asOf: Date(timeIntervalSince1970: 1))
    var reason: Placeholder.Reason?
  }

  static let table: [Case] = [
    // Nothing was requested yet.
    Case(loaded: false, endedEmpty: false),
    Case(loaded: false, endedEmpty: false, refresh: .loading, reason: .loadingFirst),
    // Everything is loaded, and the list is empty.
    Case(reason: .empty),
    Case(next: .reachedEnd(.complete), reason: .empty),
    Case(filtered: true, reason: .filteredEmpty),
    Case(filtered: true, next: .stillSearching(pages: 10), reason: .filteredEmpty),
    Case(filtered: true, next: .loading, reason: .loadingFirst),
    // A failure doesn't count as empty.
    Case(loaded: false, endedEmpty: false, refresh: .failed(error), reason: .failed(error)),
    Case(refresh: .failed(error), reason: .failed(error)),
    Case(next: .failed(error), reason: .failed(error)),
    // An empty list stays empty during a refresh; evicted rows count as loading.
    Case(refresh: .loading, reason: .empty),
    Case(filtered: true, refresh: .loading, reason: .filteredEmpty),
    Case(endedEmpty: false, refresh: .loading, reason: .loadingFirst),
    // Rows are never hidden.
    Case(rows: 1, refresh: .failed(error)),
    Case(rows: 1, next: .failed(error)),
    Case(rows: 1, refresh: .loading),
    Case(rows: 1, refresh: .failed(error), freshness: .unreachable(asOf: moment, error)),
    // A server that does not respond takes precedence over its own error, but not over a running load.
    Case(
      loaded: false, endedEmpty: false, refresh: .failed(silence), freshness: .nothing,
      reason: .unreachable(asOf: nil)),
    Case(
      refresh: .failed(silence), freshness: .unreachable(asOf: moment, silence),
      reason: .unreachable(asOf: moment)),
    Case(freshness: .unreachable(asOf: moment, silence), reason: .unreachable(asOf: moment)),
    Case(
      endedEmpty: false, refresh: .loading, freshness: .unreachable(asOf: moment, silence),
      reason: .loadingFirst),
    // An unusable response is still a response.
    Case(
      refresh: .failed(error), freshness: .stored(asOf: moment), reason: .failed(error)),
    Case(freshness: .stored(asOf: moment), reason: .empty),
  ]

  @Test(arguments: table)
  func `the reason follows from the state of the list`(row: Case) {
    var facts = ListFacts()
    facts.shownRows = row.rows
    facts.isFiltered = row.filtered
    facts.hasLoaded = row.loaded
    facts.endedEmpty = row.endedEmpty
    facts.refreshState = row.refresh
    facts.nextState = row.next
    facts.freshness = row.freshness
    #expect(facts.placeholderReason == row.reason)
  }

  @Test func `two empty sections count as empty`() {
    let sections = ListSections<Int>([ListSection("a", header: "A"), ListSection("b")])
    #expect(sections.isEmpty)
    var facts = ListFacts()
    facts.shownRows = sections.rowCount
    facts.hasLoaded = true
    #expect(facts.placeholderReason == .empty)
    let some = ListSections<Int>([ListSection("a"), ListSection("b", items: [1])])
    #expect(!some.isEmpty)
  }

  private static let reasons: [Placeholder.Reason] = [
    .loadingFirst, .empty, .filteredEmpty, .failed(error), .unreachable(asOf: nil),
    .unreachable(asOf: moment),
  ]

  private func parts(_ placeholder: Placeholder?) -> Placeholder.Content? {
    guard case .parts(let parts) = placeholder?.body else { return nil }
    return parts
  }

  @Test func `custom views precede parts, and parts the defaults`() {
    var plan = Placeholder.Plan()
    #expect(parts(plan.placeholder(for: .empty))?.message == "Nothing here yet")
    plan.parts = { reason, usual in
      var parts = usual
      if reason == .empty { parts = Placeholder.Content("No books", image: .named("shelf")) }
      return parts
    }
    #expect(
      parts(plan.placeholder(for: .empty))
        == Placeholder.Content("No books", image: .named("shelf"))
    )
    #expect(parts(plan.placeholder(for: .filteredEmpty))?.message == "Nothing matches")
    plan.custom = { $0 == .empty ? "welcome" : nil }
    #expect(plan.placeholder(for: .empty)?.body == .custom("welcome"))
    #expect(parts(plan.placeholder(for: .filteredEmpty))?.message == "Nothing matches")
  }

  @Test func `every text has a default and can be replaced`() throws {
    var plan = Placeholder.Plan()
    let usual = Self.reasons.map { parts(plan.placeholder(for: $0)) }
    #expect(
      usual.map { $0?.message } == [
        "Loading…", "Nothing here yet", "Nothing matches", "The list could not be loaded",
        "The server can't be reached",
        "The server can't be reached. The last known list is from 2023-11-14 22:13",
      ])
    #expect(usual.map { $0?.action?.kind } == [nil, .refresh, .loadMore, .retry, .retry, .retry])
    #expect(usual.map { $0?.isBusy } == [true, false, false, false, false, false])
    plan.texts.empty = "Noch nichts"
    plan.texts.refresh = "Neu laden"
    plan.texts.unreachableSince = { "Offline: \($0)" }
    plan.texts.timeZone = try #require(TimeZone(secondsFromGMT: 3_600))
    #expect(parts(plan.placeholder(for: .empty))?.message == "Noch nichts")
    #expect(parts(plan.placeholder(for: .empty))?.action?.title == "Neu laden")
    #expect(
      parts(plan.placeholder(for: .unreachable(asOf: Self.moment), at: Self.moment + 60))?.message
        == "Offline: from 23:13")
    #expect(
      parts(plan.placeholder(for: .unreachable(asOf: Date(timeIntervalSince1970: .nan))))?.message
        == "The server can't be reached")
  }

  @Test func `placeholders can be turned off`() {
    for reason in Self.reasons { #expect(Placeholder.Plan.none.placeholder(for: reason) == nil) }
    var plan = Placeholder.Plan()
    plan.parts = { reason, usual in reason == .loadingFirst ? nil : usual }
    #expect(plan.placeholder(for: .loadingFirst) == nil)
    #expect(plan.placeholder(for: .empty) != nil)
    #expect(plan.placeholder(for: nil) == nil)
  }

  @Test func `the position follows from the height, and scrolling is an option`() {
    var plan = Placeholder.Plan()
    plan.scrollsWithContent = false
    guard let placeholder = plan.placeholder(for: .empty) else {
      Issue.record("no placeholder")
      return
    }
    #expect(!placeholder.scrollsWithContent && placeholder.spacing == 24)
    #expect(placeholder.center(in: 1_000) == 382)
    #expect(placeholder.center(in: 500, offset: -20) == 171)
    for wrong in [Double.nan, -1, .infinity] { #expect(placeholder.center(in: wrong) == 0) }
    #expect(placeholder.center(in: 100, offset: .nan) == 0)
  }

  @Test func `placeholders with different reasons are not equal`() {
    let plan = Placeholder.Plan()
    #expect(plan.placeholder(for: .empty) == plan.placeholder(for: .empty))
    #expect(
      plan.placeholder(for: .unreachable(asOf: Date(timeIntervalSince1970: 1)))
        != plan.placeholder(for: .unreachable(asOf: Date(timeIntervalSince1970: 2))))
  }

  @Test(
    arguments: [
      (0, .idle, false, nil), (0, .loading, false, .loadingFirst), (0, .idle, true, .empty),
      (0, .loading, true, .empty), (3, .failed(error), true, nil), (3, .loading, false, nil),
      (0, .failed(error), true, .failed(error)),
      (0, .failed(silence), false, .unreachable(asOf: nil)),
    ] as [(Int, LoadState, Bool, Placeholder.Reason?)])
  func `a table with a data source of its own has the same reasons`(
    rows: Int, load: LoadState, hasLoaded: Bool, reason: Placeholder.Reason?
  ) {
    #expect(Placeholder.Reason(rows: rows, load: load, hasLoaded: hasLoaded) == reason)
    let filtered = Placeholder.Reason(
      rows: rows, load: load, hasLoaded: hasLoaded, isFiltered: true)
    #expect(filtered == (reason == .empty ? .filteredEmpty : reason))
  }

  @Test func `an unreachable server is shown with the date of what the program knows`() {
    let reason = Placeholder.Reason(
      rows: 0, load: .failed(Self.silence), hasLoaded: false, asOf: Self.moment)
    #expect(reason == .unreachable(asOf: Self.moment))
  }
}
