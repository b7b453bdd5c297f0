import ListModel
import QuireTesting
import Testing

@testable import ListPresentation
@testable import ListReading

/// Random events on a screen, with a list that follows its commands.
struct CoordinatorSequenceTests {
  /// A list, and the first failure.
  private struct World {
    var coordinator: RefreshCoordinator
    var rows = 0
    var hasLoaded = false
    var pagesLeft = 3
    var next = LoadState.idle
    var previous = LoadState.idle
    var refreshes: [RefreshCoordinator.Ticket] = []
    var ended: [RefreshCoordinator.Ticket] = []
    var headers = 0
    var unasked = 0
    var problem: String?

    init(_ options: RefreshOptions) { coordinator = RefreshCoordinator(options) }

    var facts: ListFacts {
      var facts = ListFacts()
      facts.hasLoaded = hasLoaded
      facts.shownRows = rows
      facts.nextState = next
      facts.previousState = previous
      return facts
    }

    mutating func send(_ event: RefreshCoordinator.Event) {
      for command in coordinator.handle(event) {
        switch command {
        case .beginHeader:
          headers += 1
          if headers != 1 { problem = "the header began \(headers) times" }
        case .endHeader:
          headers -= 1
          if headers != 0 { problem = "the header ended without a beginning" }
        case .renewRefresh:
          if refreshes.isEmpty { problem = "no refresh to renew" }
        case .refresh(let ticket):
          if !refreshes.isEmpty { problem = "two refreshes" }
          refreshes.append(ticket)
          // The list cancels its other loads for it.
          if next == .loading { next = .idle }
          if previous == .loading { previous = .idle }
        case .loadNext:
          if !refreshes.isEmpty { problem = "the next page during a refresh" }
          if next == .loading { problem = "two next pages" }
          if case .reachedEnd = next { problem = "a page after the last one" }
          if !hasLoaded { problem = "the next page before the first one" }
          next = .loading
        case .loadPrevious:
          if !refreshes.isEmpty { problem = "the page before during a refresh" }
          if previous == .loading { problem = "two pages before" }
          if !hasLoaded { problem = "the page before the first one before that one" }
          previous = .loading
        }
      }
      if coordinator.running != refreshes.last { problem = "it lost count of refreshes" }
      if coordinator.headerState == .loading, headers == 0 {
        problem = "a header without a refresh"
      }
      if coordinator.headerState == .loading, coordinator.footerState == .loading {
        problem = "both controls run"
      }
      if refreshes.isEmpty, headers != 0 { problem = "a header that never ends" }
    }

    mutating func step(_ random: inout SeededGenerator) -> String {
      let count = rows
      let lower = Int.random(in: 0...count, using: &random)
      switch Int.random(in: 0..<15, using: &random) {
      case 0:
        let age = Int.random(in: 0...80, using: &random)
        return send(.appeared(age: age == 0 ? nil : .seconds(age)), "appeared")
      case 1: return send(.disappeared, "disappeared")
      case 2:
        let distance = Double.random(in: -10...120, using: &random)
        return send(.pulledDown(distance), "down \(distance)")
      case 3:
        let distance = Double.random(in: -10...120, using: &random)
        return send(.pulledUp(distance), "up \(distance)")
      case 4: return send(.released, "released")
      case 5, 6:
        let rows = lower..<Int.random(in: lower...count, using: &random)
        let fills = Bool.random(using: &random)
        return send(.saw(rows, fillsView: fills), "saw \(rows) \(fills)")
      case 7: return send(.refresh(silently: Bool.random(using: &random)), "refresh")
      case 8: return send(.loadMore, "tap")
      case 9:
        var options = coordinator.options
        if Bool.random(using: &random) { options.pullsDown.toggle() }
        if Bool.random(using: &random) { options.pullsUp.toggle() }
        if Bool.random(using: &random) { options.footerTrigger = .pulling }
        return send(.options(options), "options \(options.pullsDown) \(options.pullsUp)")
      case 10:
        guard refreshes.isEmpty, next != .loading, previous != .loading else { return "" }
        _ = coordinator.handle(.refreshBegan)
        if let ticket = coordinator.running { refreshes = [ticket] }
        return "began elsewhere"
      case 11:
        guard let old = ended.randomElement(using: &random) else { return "" }
        let before = coordinator
        send(.refreshEnded(old, .succeeded))
        if coordinator != before { problem = "an old ticket did something" }
        return "ended again"
      default: return finish(&random)
      }
    }

    private mutating func send(_ event: RefreshCoordinator.Event, _ text: String) -> String {
      send(event)
      return text
    }

    /// Ends the running load of the list in some way.
    private mutating func finish(_ random: inout SeededGenerator) -> String {
      if let ticket = refreshes.popLast() {
        ended.append(ticket)
        let footer = coordinator.footerState
        guard Bool.random(using: &random) else {
          send(.refreshEnded(ticket, .failed(.decoding(""))))
          // The known end stays, as far as the footer shows it.
          if case .noMore = footer, coordinator.footerState != footer {
            problem = "a failed refresh forgot the end"
          }
          return "refresh failed"
        }
        hasLoaded = true
        pagesLeft = Int.random(in: 0...3, using: &random)
        rows = Int.random(in: 0...5, using: &random)
        next = pagesLeft == 0 ? .reachedEnd(.complete) : .idle
        previous = Bool.random(using: &random) ? .reachedEnd(.complete) : .idle
        _ = coordinator.handle(.listChanged(facts))
        send(.refreshEnded(ticket, .succeeded))
        if coordinator.options.pullsUp, rows > 0, pagesLeft > 0,
          case .noMore = coordinator.footerState
        {
          problem = "a refresh that succeeded left the end as it was"
        }
        return "refreshed: \(rows) rows, \(pagesLeft) pages left"
      }
      if previous == .loading, Bool.random(using: &random) {
        rows += Int.random(in: 0...4, using: &random)
        previous = .idle
        send(.listChanged(facts))
        return "page before ended: \(rows) rows"
      }
      guard next == .loading else { return "" }
      if Bool.random(using: &random) {
        pagesLeft -= 1
        rows += Int.random(in: 0...4, using: &random)
        next = pagesLeft <= 0 ? .reachedEnd(.complete) : .idle
      } else {
        next = .failed(.decoding(""))
      }
      send(.listChanged(facts))
      return "next ended: \(rows) rows"
    }
  }

  @Test func `one load runs at a time, and each begin has one end`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(400, full: 100_000) {
      var options = RefreshOptions()
      options.prefetchDistance = Int.random(in: 0...3, using: &random)
      options.automaticPages = Int.random(in: 0...3, using: &random)
      options.autoRefresh =
        [.never, .first, .always, .ifOlderThan(.seconds(40))].randomElement(using: &random)
        ?? .never
      var world = World(options)
      var steps: [String] = []
      for _ in 0..<60 {
        steps.append(world.step(&random))
        guard let problem = world.problem else { continue }
        Issue.record("\(problem) after \(steps.filter { !$0.isEmpty }) · \(random)")
        return
      }
    }
  }
}
