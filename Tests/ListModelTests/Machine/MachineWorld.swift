import ServerAPI
import TestSupport

@testable import ListModel
@testable import ListReading

/// A list of four pages with one row each, and its events. Drives the machine as its owner does, and checks
/// the contract after each event.
struct MachineWorld {
  enum Event: Hashable, CustomStringConvertible {
    case load(LoadKind)
    case retry
    /// The request in flight at this index gets its response.
    case respond(Int)
    /// … with no new rows.
    case barren(Int)
    case fail(Int)
    /// … and another page is requested before its page can join the list.
    case check(Int)
    /// A stored response to the request at this index is shown.
    case preview(Int)
    case restore
    /// A response to a cancelled request arrives.
    case late
    case cancelOldest
    case cancelNewest
    case cancelAll
    case reset

    var description: String {
      switch self {
      case .load(let kind): "load(.\(kind))"
      case .respond(let index): "respond(\(index))"
      case .barren(let index): "barren(\(index))"
      case .fail(let index): "fail(\(index))"
      case .check(let index): "check(\(index))"
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
        .load(.refresh), .load(.next), .load(.previous), .load(.page(1)), .retry, .late,
        .cancelOldest,
        .cancelNewest, .cancelAll, .reset, .restore,
      ] + (0..<2).flatMap { [.respond($0), .barren($0), .fail($0), .check($0), .preview($0)] }

    /// The events of a list whose pages are read again while it is used.
    static let deep: [Event] = [
      .load(.refresh), .load(.next), .load(.deep), .retry, .late, .cancelOldest, .cancelAll, .reset, .restore,
      .respond(0), .respond(1), .barren(0), .fail(0), .fail(1),
    ]
  }

  /// The pages of the server; a list starts with page 0.
  static let pages = -1...2

  var machine: PageMachine
  var rows: [Int] = []
  /// Requests in flight, oldest first.
  var requests: [(number: Int, key: PageKey)] = []
  var stale: [Int] = []
  /// Loads without an outcome, oldest first.
  var pending: [Int] = []
  var lastLoad = 0
  /// Kinds of loads that started and did not finish.
  var started: [LoadKind] = []
  var problem: String?

  init(search: PageMachine.Search = PageMachine.Search(pages: 3)) {
    machine = PageMachine(first: PageKey(.number(0)), search: search)
  }

  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .respond(let index), .barren(let index), .fail(let index): index < requests.count
    case .preview(let index):
      index < requests.count && !isRestore(requests[index].number)
        && machine.runningLoad(requests[index].number)?.running.preview == nil
    case .check(let index):
      index < requests.count
        && machine.placement(of: requests[index].number) == .at(.next)
        && machine.extent?.reading.isLooking == false
    case .late: !stale.isEmpty
    case .cancelOldest: !pending.isEmpty
    case .cancelNewest: pending.count > 1
    case .load, .retry, .cancelAll, .reset, .restore: true
    }
  }

  private func isRestore(_ number: Int) -> Bool {
    machine.runningLoad(number)?.running.kind == .restore
  }

  mutating func handle(_ event: Event) {
    let before = (machine.extent, rows)
    let effects: [ListEffect]
    switch event {
    case .load(let kind):
      let load = newLoad()
      effects = machine.request(
        kind, load: load, key: kind == .page(1) ? PageKey(.number(1)) : nil)
    case .retry: effects = machine.retry(load: newLoad())
    case .respond(let index): effects = respond(requests.remove(at: index), isNew: true)
    case .barren(let index): effects = respond(requests.remove(at: index), isNew: false)
    case .preview(let index): effects = preview(requests[index])
    case .check(let index):
      let request = requests.remove(at: index)
      machine.extent?.reading.turn = .look(.apart, for: request.key)
      let checked = machine.extent
      effects = machine.request(request.key, for: request.number)?.effects ?? []
      check(checked == machine.extent && before.1 == rows, "a check changed rows or links")
    case .restore: effects = machine.request(.restore, load: newLoad())
    case .fail(let index) where isRestore(requests[index].number):
      effects = machine.nothingKept(requests.remove(at: index).number)
    case .fail(let index):
      effects = machine.failed(requests.remove(at: index).number, .decoding("broken"))
      check(
        links(before.0) == links(machine.extent) && before.1 == rows,
        "a failure changed rows or links")
    case .late:
      let number = stale.removeLast()
      check(machine.placement(of: number) == nil, "a late response has a place")
      effects = joined(
        number, page(machine.first, PageFacts(next: .end), rows: 0), nil, isAgain: false)
      check(effects.isEmpty, "a late response had an effect")
      check(machine.extent == before.0, "a late response changed the links")
    case .cancelOldest: effects = machine.cancel(load: pending[0])
    case .cancelNewest: effects = machine.cancel(load: pending[pending.count - 1])
    case .cancelAll:
      effects = machine.cancelAll()
      check(
        machine.work == .extending(PageMachine.Extension()),
        "a load continued after all were cancelled")
    case .reset:
      effects = machine.reset(first: PageKey(.number(0)))
      rows = []
      check(!machine.hasLoaded && machine.runningLoads.isEmpty, "something survived a reset")
    }
    effects.forEach { perform($0) }
    checkAll()
  }

  /// An extent apart from what is requested now.
  private func links(_ extent: PageMachine.Extent?) -> PageMachine.Extent? {
    var extent = extent
    extent?.reading.turn = nil
    extent?.deep = nil
    return extent
  }

  private mutating func newLoad() -> Int {
    lastLoad += 1
    pending.append(lastLoad)
    return lastLoad
  }

  private mutating func respond(
    _ request: (number: Int, key: PageKey), isNew: Bool
  ) -> [ListEffect] {
    guard case .number(let page) = request.key.place else { return [] }
    if isRestore(request.number) { return restore(request.number, isLast: isNew) }
    if machine.placement(of: request.number) == .deep { return readAgain(page, request, isNew: isNew) }
    let isAgain = machine.placement(of: request.number)?.isAgain == true
    insert(page, for: request.number)
    return joined(
      request.number,
      self.page(request.key, facts(of: page), rows: isNew ? 1 : 0, fingerprint: page),
      Merge(page: PageID(order: page), added: isNew ? 1 : 0), isAgain: isAgain)
  }

  /// Reads a page again. Whether it is new says whether it can be laid over the rows.
  private mutating func readAgain(
    _ page: Int, _ request: (number: Int, key: PageKey), isNew: Bool
  ) -> [ListEffect] {
    let read = self.page(request.key, facts(of: page), rows: 1, fingerprint: page)
    guard isNew, rows.first == 0, let deep = machine.extent?.deep else { return machine.replaceDeep(request.number) }
    let added = Reading.Added(
      shared: SharedRows(), rows: ReceivedRows(count: deep.ahead.account.rows.count + 1), isNew: true,
      isNewToProgram: true)
    machine.extent?.deep?.add(Reading.Joining(page: read), added, isKnown: true)
    machine.extent?.deep?.commit(upTo: PageID(order: page), [], kept: [], hasMoves: false)
    if page + 1 < rows.count { return machine.proceedDeep(request.number) }
    let link = machine.extent?.reading.link
    let effects = machine.endDeep(request.number, ListChange(), at: read, ReceivedRows(count: rows.count))
    check(machine.extent?.deep == nil, "a deep refresh has ended, and goes on")
    check(machine.extent?.reading.link == link, "the list goes on elsewhere")
    return effects
  }

  private func page(
    _ key: PageKey, _ facts: PageFacts, rows: Int, fingerprint: Int = 0
  ) -> ReadPage {
    ReadPage(
      key: key, facts: facts, count: rows, isEmpty: rows == 0, hasIDs: true,
      fingerprint: fingerprint, asOf: 0, version: nil, isStored: false)
  }

  private mutating func joined(
    _ number: Int, _ page: ReadPage, _ merge: Merge?, isAgain: Bool
  ) -> [ListEffect] {
    machine.joined(
      number, Reading.Joining(page: page, isAgain: isAgain), merge: merge,
      added: Reading.Added(
        rows: ReceivedRows(count: rows.count), isNew: merge?.isNew == true,
        isNewToProgram: merge?.isNew == true, isRepeat: merge == nil)
    ).effects
  }

  private mutating func preview(_ request: (number: Int, key: PageKey)) -> [ListEffect] {
    guard case .number(let page) = request.key.place else { return [] }
    insert(page, for: request.number)
    machine.previewed(
      request.number, facts(of: page), isEmpty: false,
      merge: Merge(page: PageID(order: page), added: 1), rows: ReceivedRows(count: rows.count))
    return []
  }

  /// Inserts a page where the machine wants it.
  private mutating func insert(_ page: Int, for number: Int) {
    switch machine.placement(of: number) {
    case .all: rows = [page]
    case .at(.next): rows.append(page)
    case .at(.previous): rows.insert(page, at: 0)
    case .evicted, .gap, .deep: break
    case .over(let preview, _):
      check(rows.contains(preview.page.order), "a page replaced a missing preview")
    case nil: check(false, "an expected page has no place")
    }
  }

  /// Restores the kept pages 0 and 1, the second one perhaps later.
  private mutating func restore(_ number: Int, isLast: Bool) -> [ListEffect] {
    let kept = machine.hasLoaded || isLast ? [0, 1] : [0]
    if kept.count == 1 { requests.append((number, machine.first)) }
    rows = kept
    return machine.restored(
      number, PageFacts(next: facts(of: kept.count - 1).next, previous: facts(of: 0).previous),
      account: RowAccount(ReceivedRows(count: rows.count)), change: ListChange(),
      isLast: kept.count == 2)
  }

  private func facts(of page: Int) -> PageFacts {
    PageFacts(
      next: page < Self.pages.upperBound ? .page(PageKey(.number(page + 1))) : .end,
      previous: page > Self.pages.lowerBound ? .page(PageKey(.number(page - 1))) : .end)
  }

  private mutating func perform(_ effect: ListEffect) {
    switch effect {
    case .request(let number, _, let key): requests.append((number, key))
    case .abandon(let number):
      check(
        requests.contains { $0.number == number }, "a request that was not in flight was cancelled")
      requests.removeAll { $0.number == number }
      stale.append(number)
    case .finish(let load, _):
      check(pending.contains(load), "a load ended twice")
      pending.removeAll { $0 == load }
    case .notify(.didStart(let kind)):
      check(!started.contains(kind), "a load started twice")
      started.append(kind)
    case .notify(.didFinish(let kind)):
      // A load beyond an end finishes without a start.
      started.removeAll { $0 == kind }
    case .notify: break
    }
  }

  private mutating func checkAll() {
    check(
      rows == rows.first.map { Array($0..<($0 + rows.count)) } ?? [], "the rows are not in order")
    let runningLoads = machine.runningLoads.map(\.running)
    check(
      Set(runningLoads.map(\.number)) == Set(requests.map(\.number)),
      "running loads and requests differ")
    let waited = runningLoads.flatMap(\.loads) + machine.waitingLoads
    check(waited.sorted() == pending.sorted(), "the pending loads are not the waiting ones")
    check(started.count == runningLoads.count, "the started loads are not the running ones")
    check(machine.hasLoaded || rows.isEmpty, "there are rows though nothing is loaded")
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }

  /// Two worlds with equal shapes behave alike, since numbers only have to differ.
  var shape: Shape {
    func place(_ load: Int) -> Int { pending.firstIndex(of: load) ?? -1 }
    func shape(_ running: PageMachine.RunningLoad) -> PageMachine.RunningLoad {
      var running = running
      running.loads = running.loads.map(place)
      (running.number, running.addedRows) = (0, min(running.addedRows, 1))
      // It only matters for the cache.
      running.isRepeat = false
      return running
    }
    var work = machine.work
    switch work {
    case .extending(let extending):
      work = .extending(
        .init(
          sides: extending.sides.mapValues(shape), middle: extending.middle.mapValues(shape),
          deep: extending.deep.map(shape)))
    case .rebuilding(var rebuild):
      rebuild.running = shape(rebuild.running)
      rebuild.waiting = rebuild.waiting.mapValues { $0.map(place) }
      rebuild.deep = rebuild.deep.map(place)
      if case .restore(var next?) = rebuild.goal {
        next.loads = next.loads.map(place)
        rebuild.goal = .restore(then: next)
      }
      work = .rebuilding(rebuild)
    }
    // No page of this world reports a number, so that it has no effect how many pages there were.
    var extent = machine.extent
    func shape(_ known: Reading) -> Reading {
      var reading = Reading(
        known.level, first: known.first, at: known.link, RowAccount(known.account.rows))
      reading.pagesUnread = known.pagesUnread
      reading.turn = known.turn
      reading.loops = known.loops
      return reading
    }
    if let known = extent?.reading { extent?.reading = shape(known) }
    if let deep = extent?.deep {
      var other = DeepReading(Reading(deep.above.level, first: machine.first, at: deep.above.link))
      other.commit(upTo: deep.page, [], kept: [], hasMoves: false)
      extent?.deep = other
    }
    return Shape(
      rows: rows, extent: extent, work: work, failures: machine.failures,
      requests: requests.map(\.key), hasStale: !stale.isEmpty)
  }

  struct Shape: Hashable {
    var rows: [Int]
    var extent: PageMachine.Extent?
    var work: PageMachine.Work
    var failures: [PageMachine.Failure]
    var requests: [PageKey]
    var hasStale: Bool
  }
}

extension PageMachine {
  /// Loads that wait for a rebuild to end.
  var waitingLoads: [Int] {
    guard let rebuild else { return [] }
    var loads = rebuild.waiting.values.flatMap(\.self) + rebuild.deep
    if case .restore(let next?) = rebuild.goal { loads += next.loads }
    return loads
  }
}
