import ServerAPI

@testable import ListModel

/// A list of four pages with a row each, and all that can happen to it: the machine is driven here
/// as its owner would, and every promise is checked after each event.
struct MachineWorld {
  enum Event: Hashable, CustomStringConvertible {
    case ask(LoadKind)
    case retry
    /// The request of that place among those under way is answered.
    case answer(Int)
    /// … brings nothing new.
    case barren(Int)
    case fail(Int)
    /// What is stored for the request of that place is shown.
    case preview(Int)
    case restore
    /// The answer to a request that was given up comes all the same.
    case late
    case cancelOldest
    case cancelNewest
    case cancelAll
    case reset

    var description: String {
      switch self {
      case .ask(let kind): "ask(.\(kind))"
      case .answer(let index): "answer(\(index))"
      case .barren(let index): "barren(\(index))"
      case .fail(let index): "fail(\(index))"
      case .preview(let index): "preview(\(index))"
      case .restore: "restore"
      case .retry: "retry"
      case .late: "late"
      case .cancelOldest: "cancelOldest"
      case .cancelNewest: "cancelNewest"
      case .cancelAll: "cancelAll"
      case .reset: "reset"
      }
    }

    static let all: [Event] =
      [
        .ask(.refresh), .ask(.next), .ask(.previous), .ask(.page(1)), .retry, .late, .cancelOldest,
        .cancelNewest, .cancelAll, .reset, .restore,
      ] + (0..<2).flatMap { [.answer($0), .barren($0), .fail($0), .preview($0)] }
  }

  /// The pages there are; a list begins with page 0.
  static let pages = -1...2

  var machine: PageMachine
  var rows: [Int] = []
  /// Requests under way, oldest first.
  var requests: [(number: Int, key: PageKey)] = []
  var stale: [Int] = []
  /// Loads without an outcome, oldest first.
  var pending: [Int] = []
  var lastLoad = 0
  /// Kinds that started and did not finish.
  var running: [LoadKind] = []
  var problem: String?

  init(search: PageMachine.Search = PageMachine.Search(pages: 3)) {
    machine = PageMachine(first: PageKey(.number(0)), search: search)
  }

  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .answer(let index), .barren(let index), .fail(let index): index < requests.count
    case .preview(let index):
      index < requests.count && !isRestore(requests[index].number)
        && machine.job(requests[index].number)?.1.preview == nil
    case .late: !stale.isEmpty
    case .cancelOldest: !pending.isEmpty
    case .cancelNewest: pending.count > 1
    case .ask, .retry, .cancelAll, .reset, .restore: true
    }
  }

  private func isRestore(_ number: Int) -> Bool { machine.job(number)?.1.kind == .restore }

  mutating func happen(_ event: Event) {
    let before = (machine.links, rows)
    let effects: [PageEffect]
    switch event {
    case .ask(let kind):
      let load = newLoad()
      effects = machine.ask(
        kind, load: load, key: kind == .page(1) ? PageKey(.number(1)) : nil)
    case .retry: effects = machine.retry(load: newLoad())
    case .answer(let index): effects = answer(requests.remove(at: index), isNew: true)
    case .barren(let index): effects = answer(requests.remove(at: index), isNew: false)
    case .preview(let index): effects = preview(requests[index])
    case .restore: effects = machine.ask(.restore, load: newLoad())
    case .fail(let index) where isRestore(requests[index].number):
      effects = machine.nothingKept(requests.remove(at: index).number)
    case .fail(let index):
      effects = machine.failed(requests.remove(at: index).number, .decoding("broken"))
      check(before.0 == machine.links && before.1 == rows, "a failure moved something")
    case .late:
      var calls = 0
      let mark = PageMark(key: machine.first, fingerprint: 0, isEmpty: true, isNew: false)
      effects = machine.arrived(stale.removeLast(), PageFacts(next: .end)) { _ in
        calls += 1
        return PageMerge(mark: mark)
      }
      check(effects.isEmpty && calls == 0, "a late answer was taken in")
      check(machine.links == before.0, "a late answer moved something")
    case .cancelOldest: effects = machine.cancel(load: pending[0])
    case .cancelNewest: effects = machine.cancel(load: pending[pending.count - 1])
    case .cancelAll:
      effects = machine.cancelAll()
      check(
        machine.jobs.isEmpty && machine.waiting.isEmpty && machine.wish == nil,
        "something went on after cancelling")
    case .reset:
      effects = machine.reset(first: PageKey(.number(0)))
      rows = []
      check(!machine.hasLoaded && machine.jobs.isEmpty, "something outlived a reset")
    }
    effects.forEach { carryOut($0) }
    checkAll()
  }

  private mutating func newLoad() -> Int {
    lastLoad += 1
    pending.append(lastLoad)
    return lastLoad
  }

  private mutating func answer(
    _ request: (number: Int, key: PageKey), isNew: Bool
  ) -> [PageEffect] {
    guard case .number(let page) = request.key.place else { return [] }
    if isRestore(request.number) { return restore(request.number, isLast: isNew) }
    let facts = facts(of: page)
    var merged = rows
    var calls = 0
    var isOver: Int?
    let effects = machine.arrived(request.number, facts) { placement in
      calls += 1
      switch placement {
      case .anew: merged = [page]
      case .at(.next): merged.append(page)
      case .at(.previous): merged.insert(page, at: 0)
      case .gap: break
      case .over(let preview, _): isOver = preview.page?.order
      }
      return PageMerge(
        added: isNew ? 1 : 0,
        mark: PageMark(key: request.key, fingerprint: page, isEmpty: !isNew, isNew: isNew))
    }
    rows = merged
    check(isOver.map { rows.contains($0) } ?? true, "a page took the place of nothing")
    check(calls == 1, "a page that was waited for was not merged once")
    return effects
  }

  private mutating func preview(_ request: (number: Int, key: PageKey)) -> [PageEffect] {
    guard case .number(let page) = request.key.place else { return [] }
    var merged = rows
    let effects = machine.previewed(request.number, facts(of: page)) { placement in
      switch placement {
      case .anew: merged = [page]
      case .at(.next): merged.append(page)
      case .at(.previous): merged.insert(page, at: 0)
      case .gap, .over: break
      }
      return PageMerge(
        added: 1, mark: PageMark(key: request.key, fingerprint: page, isEmpty: false, isNew: true),
        page: PageID(order: page))
    }
    rows = merged
    return effects
  }

  /// Pages 0 and 1 are kept; the second one may come later.
  private mutating func restore(_ number: Int, isLast: Bool) -> [PageEffect] {
    let kept = machine.hasLoaded || isLast ? [0, 1] : [0]
    if kept.count == 1 { requests.append((number, machine.first)) }
    rows = kept
    let mark = PageMark(key: machine.first, fingerprint: 0, isEmpty: false, isNew: true)
    return machine.restored(
      number, PageFacts(next: facts(of: kept.count - 1).next, previous: facts(of: 0).previous),
      isLast: kept.count == 2
    ) { PageMerge(mark: mark) }
  }

  private func facts(of page: Int) -> PageFacts {
    PageFacts(
      next: page < Self.pages.upperBound ? .page(PageKey(.number(page + 1))) : .end,
      previous: page > Self.pages.lowerBound ? .page(PageKey(.number(page - 1))) : .end)
  }

  private mutating func carryOut(_ effect: PageEffect) {
    switch effect {
    case .send(let number, _, let key): requests.append((number, key))
    case .giveUp(let number):
      check(requests.contains { $0.number == number }, "what was not under way was given up")
      requests.removeAll { $0.number == number }
      stale.append(number)
    case .finish(let load, _):
      check(pending.contains(load), "a load ended twice")
      pending.removeAll { $0 == load }
    case .tell(.didStart(let kind)):
      check(!running.contains(kind), "a load started twice")
      running.append(kind)
    case .tell(.didFinish(let kind)):
      // Asking beyond an end finishes without a start.
      running.removeAll { $0 == kind }
    case .tell: break
    }
  }

  private mutating func checkAll() {
    check(
      rows == rows.first.map { Array($0..<($0 + rows.count)) } ?? [], "the rows are not in order")
    check(
      Set(machine.jobs.values.map(\.number)) == Set(requests.map(\.number)),
      "jobs and requests differ")
    let waited =
      machine.jobs.values.flatMap(\.loads) + machine.waiting.values.flatMap(\.self)
      + (machine.wish?.loads ?? [])
    check(waited.sorted() == pending.sorted(), "a load waits for nothing")
    check(
      machine.waiting.isEmpty || machine.jobs[.main] != nil, "something waits for nothing")
    check(
      machine.wish == nil || machine.jobs[.main]?.kind == .restore, "a wish waits for nothing")
    check(
      machine.jobs[.main] == nil || machine.jobs.count == 1,
      "a side loads while the list is made anew")
    check(
      running.count == machine.jobs.count, "what started is not what runs")
    check(machine.hasLoaded == !machine.links.isEmpty, "links without a list")
    check(machine.hasLoaded || rows.isEmpty, "rows without a list")
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }

  /// Two worlds with equal shapes go on alike: numbers only have to differ.
  var shape: Shape {
    func place(_ load: Int) -> Int { pending.firstIndex(of: load) ?? -1 }
    return Shape(
      rows: rows, hasLoaded: machine.hasLoaded, links: machine.links,
      jobs: machine.jobs.mapValues {
        Shape.Job(
          kind: $0.kind, key: $0.key, loads: $0.loads.map(place), isAhead: $0.isAhead,
          side: $0.side, added: min($0.addedRows, 1), searched: $0.searchedPages,
          preview: $0.preview)
      },
      waiting: machine.waiting.mapValues { $0.map(place) },
      wish: machine.wish.map {
        .init(kind: $0.kind, key: $0.key, loads: $0.loads.map(place))
      }, failures: machine.failures,
      requests: requests.map(\.key), hasStale: !stale.isEmpty, fruitless: machine.fruitless,
      halted: machine.halted)
  }

  struct Shape: Hashable {
    struct Job: Hashable {
      var kind: LoadKind
      var key: PageKey
      var loads: [Int]
      var isAhead: Bool
      var side: ListSide?
      var added: Int
      var searched: Int
      var preview: PagePreview?
    }
    var rows: [Int]
    var hasLoaded: Bool
    var links: [ListSide: PageLink]
    var jobs: [PageMachine.Lane: Job]
    var waiting: [ListSide: [Int]]
    var wish: PageMachine.Wish?
    var failures: [PageMachine.Failure]
    var requests: [PageKey]
    var hasStale: Bool
    var fruitless: Set<Int>
    var halted: [ListSide: Int]
  }
}
