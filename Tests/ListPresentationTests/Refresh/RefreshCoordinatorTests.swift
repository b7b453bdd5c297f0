import ListModel
import ListReading
import Testing

@testable import ListPresentation

/// When a list is refreshed, when its next page is loaded, and what header and footer show.
struct RefreshCoordinatorTests {
  private let error = LoadError.decoding("broken")

  private func coordinator(
    loaded: Bool = true, rows: Int = 10, next: LoadState = .idle,
    _ configure: (inout RefreshOptions) -> Void = { _ in }
  ) -> RefreshCoordinator {
    var options = RefreshOptions()
    options.prefetchDistance = 2
    configure(&options)
    var coordinator = RefreshCoordinator(options)
    _ = coordinator.handle(.listChanged(facts(loaded: loaded, rows: rows, next: next)))
    return coordinator
  }

  private func facts(
    loaded: Bool = true, rows: Int = 10, next: LoadState = .idle,
    previous: LoadState = .reachedEnd(.complete)
  ) -> ListFacts {
    var facts = ListFacts()
    facts.hasLoaded = loaded
    facts.shownRows = rows
    facts.nextState = next
    facts.previousState = previous
    return facts
  }

  private func ticket(_ number: Int) -> RefreshCoordinator.Ticket { .init(number: number) }

  // MARK: - Header

  @Test func `a pull past the threshold refreshes on release, and ends once`() {
    var list = coordinator()
    #expect(list.headerState == .idle)
    #expect(list.handle(.pulledDown(30)).isEmpty)
    #expect(list.headerState == .pulling(0.5))
    #expect(list.handle(.pulledDown(70)).isEmpty)
    #expect(list.headerState == .triggered)
    #expect(list.handle(.released) == [.beginHeader, .refresh(ticket(1))])
    #expect(list.headerState == .loading)
    #expect(list.handle(.pulledDown(70)).isEmpty && list.handle(.released).isEmpty)
    #expect(
      list.handle(.refreshEnded(ticket(1), .succeeded)) == [.endHeader(.succeeded)])
    #expect(list.headerState == .idle && list.running == nil)
    #expect(list.handle(.refreshEnded(ticket(1), .succeeded)).isEmpty)
  }

  @Test(arguments: [LoadToken.Outcome.succeeded, .failed(.decoding("broken")), .cancelled])
  func `the header closes on every outcome`(outcome: LoadToken.Outcome) {
    var list = coordinator()
    _ = list.handle(.refresh(silently: false))
    #expect(list.handle(.refreshEnded(ticket(1), outcome)) == [.endHeader(outcome)])
  }

  @Test func `a refresh requested while one runs joins it`() {
    var list = coordinator()
    #expect(list.handle(.refresh(silently: true)) == [.refresh(ticket(1))])
    #expect(list.headerState == .idle)
    #expect(list.handle(.refresh(silently: true)) == [.renewRefresh])
    #expect(list.handle(.refresh(silently: false)) == [.beginHeader, .renewRefresh])
    #expect(list.handle(.refresh(silently: false)) == [.renewRefresh])
    #expect(
      list.handle(.refreshEnded(ticket(1), .succeeded)) == [.endHeader(.succeeded)])
  }

  @Test func `a silent refresh never shows the header`() {
    var list = coordinator()
    _ = list.handle(.refresh(silently: true))
    #expect(list.headerState == .idle)
    #expect(list.handle(.refreshEnded(ticket(1), .succeeded)).isEmpty)
  }

  @Test func `options can be set and reset in any order`() {
    var list = coordinator { $0.pullsDown = false }
    #expect(list.headerState == .hidden)
    #expect(list.handle(.pulledDown(99)).isEmpty && list.handle(.released).isEmpty)
    var options = list.options
    options.pullsDown = true
    options.pullsUp = false
    #expect(list.handle(.options(options)).isEmpty)
    #expect(list.headerState == .idle && list.footerState == .hidden)
    #expect(list.handle(.refresh(silently: false)) == [.beginHeader, .refresh(ticket(1))])
    options.pullsDown = false
    #expect(list.handle(.options(options)) == [.endHeader(.cancelled)])
    #expect(list.headerState == .hidden && list.running == ticket(1))
    options.pullsDown = true
    options.pullsUp = true
    #expect(list.handle(.options(options)).isEmpty)
    #expect(list.handle(.refreshEnded(ticket(1), .succeeded)).isEmpty)
    #expect(list.footerState == .idle)
  }

  @Test func `a refresh started elsewhere can be joined`() {
    var list = coordinator()
    #expect(list.handle(.refreshBegan).isEmpty)
    #expect(list.handle(.refresh(silently: false)) == [.beginHeader, .renewRefresh])
    #expect(
      list.handle(.refreshEnded(ticket(1), .cancelled)) == [.endHeader(.cancelled)])
  }

  // MARK: - Appearing

  struct Appearance: Sendable {
    var rule: RefreshOptions.AutoRefresh
    var isLoaded: Bool
    /// In seconds.
    var age: Int?
    var refreshes: Bool
  }

  @Test(arguments: [
    Appearance(rule: .never, isLoaded: false, refreshes: false),
    Appearance(rule: .first, isLoaded: false, refreshes: true),
    Appearance(rule: .first, isLoaded: true, age: 1_000, refreshes: false),
    Appearance(rule: .always, isLoaded: true, age: 0, refreshes: true),
    Appearance(rule: .ifOlderThan(.seconds(60)), isLoaded: false, refreshes: true),
    Appearance(rule: .ifOlderThan(.seconds(60)), isLoaded: true, age: 59, refreshes: false),
    Appearance(rule: .ifOlderThan(.seconds(60)), isLoaded: true, age: 60, refreshes: true),
    Appearance(rule: .ifOlderThan(.seconds(60)), isLoaded: true, refreshes: true),
  ])
  func `an appearing list is refreshed by its rule`(appearance: Appearance) {
    var list = coordinator(loaded: appearance.isLoaded, rows: appearance.isLoaded ? 5 : 0) {
      $0.autoRefresh = appearance.rule
    }
    let age = appearance.age.map { Duration.seconds($0) }
    #expect(!list.handle(.appeared(age: age)).isEmpty == appearance.refreshes)
  }

  @Test func `the rule applies once for each appearance`() {
    var list = coordinator { $0.autoRefresh = .always }
    #expect(list.handle(.appeared(age: .zero)) == [.beginHeader, .refresh(ticket(1))])
    _ = list.handle(.refreshEnded(ticket(1), .succeeded))
    #expect(list.handle(.appeared(age: .zero)).isEmpty)
    #expect(list.handle(.disappeared).isEmpty)
    #expect(list.handle(.appeared(age: .zero)) == [.beginHeader, .refresh(ticket(2))])
  }

  @Test func `a first load has a placeholder and no header`() {
    var list = coordinator(loaded: false, rows: 0)
    #expect(list.handle(.appeared(age: .zero)) == [.refresh(ticket(1))])
  }

  @Test func `disappearing cancels a pull`() {
    var list = coordinator { $0.autoRefresh = .never }
    _ = list.handle(.pulledDown(99))
    _ = list.handle(.disappeared)
    #expect(list.handle(.released).isEmpty)
  }

  // MARK: - Footer

  @Test func `a successful refresh determines again whether there is more`() {
    var list = coordinator(next: .reachedEnd(.complete))
    #expect(list.footerState == .noMore(.complete))
    #expect(list.handle(.loadMore).isEmpty)
    _ = list.handle(.refresh(silently: false))
    #expect(list.footerState == .noMore(.complete))
    _ = list.handle(.listChanged(facts(next: .idle)))
    _ = list.handle(.refreshEnded(ticket(1), .succeeded))
    #expect(list.footerState == .idle)
    #expect(list.handle(.saw(8..<10, fillsView: true)) == [.loadNext])
  }

  @Test func `a failed refresh doesn't change the end`() {
    var list = coordinator(next: .reachedEnd(.complete))
    _ = list.handle(.refresh(silently: false))
    _ = list.handle(.listChanged(facts(next: .reachedEnd(.complete))))
    _ = list.handle(.refreshEnded(ticket(1), .failed(error)))
    #expect(list.footerState == .noMore(.complete))
  }

  @Test func `pulling up before anything was loaded loads the first page`() {
    var list = coordinator(loaded: false, rows: 0)
    #expect(list.footerState == .hidden)
    #expect(list.handle(.saw(0..<0, fillsView: false)).isEmpty)
    #expect(list.handle(.loadMore) == [.refresh(ticket(1))])
    #expect(list.handle(.loadMore).isEmpty)
  }

  @Test func `header and footer never run together`() {
    var list = coordinator()
    #expect(list.handle(.loadMore) == [.loadNext])
    #expect(list.footerState == .loading)
    #expect(list.handle(.refresh(silently: false)) == [.beginHeader, .refresh(ticket(1))])
    #expect(list.footerState == .idle)
    #expect(list.handle(.loadMore).isEmpty)
    #expect(list.handle(.saw(8..<10, fillsView: true)).isEmpty)
    #expect(list.handle(.listChanged(facts(next: .loading))).isEmpty)
    #expect(list.footerState == .idle)
    _ = list.handle(.listChanged(facts()))
    // Rows that became visible meanwhile count when the refresh ends.
    #expect(
      list.handle(.refreshEnded(ticket(1), .succeeded)) == [
        .endHeader(.succeeded), .loadNext,
      ])
  }

  @Test func `a failed footer waits for a tap`() {
    var list = coordinator(next: .failed(error))
    #expect(list.footerState == .failed(error))
    #expect(list.handle(.saw(8..<10, fillsView: true)).isEmpty)
    #expect(list.handle(.loadMore) == [.loadNext])
    #expect(list.footerState == .loading)
  }

  @Test func `a halted search continues with a tap, not by scrolling`() {
    var list = coordinator(next: .stillSearching(pages: 10))
    #expect(list.footerState == .idle)
    #expect(list.handle(.saw(8..<10, fillsView: true)).isEmpty)
    #expect(list.handle(.loadMore) == [.loadNext])
  }

  @Test func `a pulled footer loads on release`() {
    var list = coordinator { $0.footerTrigger = .pulling }
    #expect(list.handle(.saw(8..<10, fillsView: true)).isEmpty)
    #expect(list.handle(.pulledUp(40)).isEmpty && list.footerState == .idle)
    #expect(list.handle(.pulledUp(80)).isEmpty && list.footerState == .triggered)
    #expect(list.handle(.released) == [.loadNext])
    #expect(list.handle(.pulledUp(80)).isEmpty && list.handle(.released).isEmpty)
    _ = list.handle(.listChanged(facts(next: .reachedEnd(.complete))))
    #expect(list.handle(.pulledUp(80)).isEmpty && list.handle(.released).isEmpty)
  }

  @Test(arguments: [(5, false), (7, false), (8, true), (10, true)])
  func `the next page is loaded at the prefetch distance`(end: Int, loads: Bool) {
    var list = coordinator()
    #expect(list.handle(.saw(0..<end, fillsView: true)) == (loads ? [.loadNext] : []))
    #expect(list.handle(.saw(0..<end, fillsView: true)).isEmpty)
  }

  @Test func `an end reported before the footer shows is kept`() {
    var list = coordinator(next: .reachedEnd(.complete)) { $0.pullsUp = false }
    #expect(list.footerState == .hidden)
    var options = list.options
    options.pullsUp = true
    _ = list.handle(.options(options))
    #expect(list.footerState == .noMore(.complete))
  }

  @Test func `a list shorter than the view loads a limited number of pages`() {
    var list = coordinator(rows: 1) { $0.automaticPages = 3 }
    var loads = 0
    var rows = 1
    for _ in 0..<10 {
      if list.handle(.saw(0..<rows, fillsView: false)) == [.loadNext] {
        loads += 1
        rows += 1
        _ = list.handle(.listChanged(facts(rows: rows)))
      }
    }
    #expect(loads == 3 && list.footerState == .idle)
    #expect(list.handle(.loadMore) == [.loadNext])
    rows += 1
    _ = list.handle(.listChanged(facts(rows: rows)))
    #expect(list.handle(.saw(0..<rows, fillsView: false)) == [.loadNext])
  }

  @Test func `pages without new rows count toward the same limit`() {
    var list = coordinator(rows: 4) { $0.automaticPages = 2 }
    #expect(list.handle(.saw(0..<4, fillsView: true)) == [.loadNext])
    #expect(list.handle(.listChanged(facts(rows: 4))) == [.loadNext])
    #expect(list.handle(.listChanged(facts(rows: 4))).isEmpty)
    #expect(list.handle(.saw(0..<4, fillsView: true)).isEmpty)
    // Rows that are inserted by other means count as progress.
    #expect(list.handle(.listChanged(facts(rows: 5))) == [.loadNext])
  }

  @Test func `added rows wait until the view reports whether they fill it`() {
    var list = coordinator(rows: 1)
    #expect(list.handle(.saw(0..<1, fillsView: false)) == [.loadNext])
    #expect(list.handle(.listChanged(facts(rows: 30))).isEmpty)
    #expect(list.handle(.saw(0..<20, fillsView: true)).isEmpty)
    #expect(list.handle(.saw(0..<28, fillsView: true)) == [.loadNext])
  }

  @Test func `a reset restores the page limit`() {
    var list = coordinator(rows: 1) { $0.automaticPages = 1 }
    #expect(list.handle(.saw(0..<1, fillsView: false)) == [.loadNext])
    #expect(list.handle(.listChanged(facts(rows: 1))).isEmpty)
    #expect(list.handle(.saw(0..<1, fillsView: false)).isEmpty)
    _ = list.handle(.reset)
    #expect(list.handle(.saw(0..<1, fillsView: false)) == [.loadNext])
  }

  @Test func `with a limit of 0, coming near still loads`() {
    var list = coordinator(rows: 30) { $0.automaticPages = 0 }
    #expect(list.handle(.saw(0..<30, fillsView: false)).isEmpty)
    #expect(list.handle(.saw(10..<20, fillsView: true)).isEmpty)
    #expect(list.handle(.saw(20..<30, fillsView: true)) == [.loadNext])
    #expect(list.handle(.listChanged(facts(rows: 30))).isEmpty)
  }

  @Test func `a view at the first row loads a limited number of previous pages`() {
    var list = coordinator(rows: 30) { $0.automaticPages = 3 }
    func loads(_ rows: Range<Int>) -> Int {
      var loads = 0
      for _ in 0..<10 {
        _ = list.handle(.listChanged(facts(rows: 30, previous: .idle)))
        loads += list.handle(.saw(rows, fillsView: true)) == [.loadPrevious] ? 1 : 0
      }
      return loads
    }
    #expect(loads(0..<10) == 3)
    // Scrolling away and back requests more.
    #expect(loads(3..<13) == 0 && loads(2..<12) == 3)
    _ = list.handle(.refresh(silently: true))
    #expect(list.handle(.saw(0..<10, fillsView: true)).isEmpty)
    _ = list.handle(.refreshEnded(ticket(1), .succeeded))
    #expect(loads(0..<10) == 3)
  }
}
