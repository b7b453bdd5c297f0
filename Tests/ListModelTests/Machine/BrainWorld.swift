import Foundation
import QuireTesting
import ServerAPI
import TestSupport

@testable import ListModel
@testable import ListReading

/// A whole list without a network: a server whose rows change between any two pages, and an observer that
/// knows only its events.
struct BrainWorld: ~Copyable {
  private(set) var brain: ListBrain<Int>
  private var server: [Int] = (0..<60).map { $0 }
  private var fresh = 1_000
  private var requests: [(number: Int, kind: LoadKind, key: PageKey)] = []
  private var pending: Set<Int> = []
  private var lastLoad = 0
  private var started: [LoadKind] = []
  private var edits: [EditID] = []
  /// The rows that were inserted, and those that were removed, while these requests were in flight.
  private var insertedMeanwhile: [Int: Set<RowID>] = [:]
  private var removedMeanwhile: [Int: Set<RowID>] = [:]
  /// The rows as the events describe them; `nil` is a placeholder.
  private var observed: [Int?] = []
  private var freshness = Freshness.nothing
  /// Previous rows of the server, for stored responses.
  private var oldServer: [Int] = (3..<50).map { $0 }
  /// The numbers of gaps that have opened, that have closed because a page had rows of both sides, and that the server
  /// had no more rows for.
  private(set) var gaps = (opened: 0, closed: 0, unavailable: 0)
  /// The number of deep refreshes that have ended.
  private(set) var deepRefreshes = 0
  var problem: String?
  /// The requests of probes, with those that were superseded.
  private var probes: [(number: Int, key: PageKey)] = []
  private var newRows: NewRows?
  private let kind: Kind
  /// The number of requests since a load of the next page has started.
  private var requestsOfLoad = 0

  init(window: ListWindow?, _ kind: Kind = Kind()) {
    self.kind = kind
    var settings = ListSettings<Int>()
    settings.consistency = kind.level
    settings.window = window
    settings.prefetchDistance = 5
    settings.searchPages = 3
    brain = ListBrain(first: Self.key(0, kind), settings: settings)
  }

  /// The key of a page.
  private static func key(_ page: Int, _ kind: Kind) -> PageKey {
    PageKey(kind.hasOffsets ? .offset(page * 7) : .number(page))
  }

  private var paging: Paging {
    kind.hasOffsets ? .offset(limit: 7) : .pageNumber(size: 7, first: 0)
  }

  mutating func handle(_ event: Event) {
    switch event {
    case .load(let kind):
      let load = newLoad()
      if case .page(let number) = kind {
        perform(brain.request(kind, load: load, key: Self.key(number, self.kind)))
      } else {
        perform(brain.request(kind, load: load))
      }
    case .refresh(let mode): perform(brain.refresh(mode, load: newLoad()))
    case .around(let id): perform(brain.refresh(.around(RowID(id)), load: newLoad()))
    case .retry: perform(brain.retry(load: newLoad()))
    case .cancelOldest: if let load = pending.min() { perform(brain.cancel(load: load)) }
    case .cancelAll: perform(brain.cancelAll())
    case .reset:
      perform(brain.reset(first: Self.key(0, kind)))
      edits = []
    case .respond(let index):
      guard !requests.isEmpty else { return }
      let at = index % requests.count
      if requests[at].kind == .restore { return respondToRestore(at, index) }
      let request = requests.remove(at: at)
      let (page, facts) = page(for: request.key, of: server)
      let inserted = (insertedMeanwhile.removeValue(forKey: request.number) ?? [])
        .filter { brain.store.contains($0) }
      let removed = (removedMeanwhile.removeValue(forKey: request.number) ?? [])
        .filter { !brain.store.contains($0) }
      let before = (brain.store.gaps, brain.store.tree.last?.id)
      perform(brain.arrived(request.number, loaded(page, facts), by: paging, next: paging))
      if brain.store.gaps.count > before.0.count { gaps.opened += 1 }
      if case .gap(let gap) = request.kind, brain.store.gap(gap) == nil, brain.store.tree.last?.id == before.1 {
        gaps.closed += 1
      }
      gaps.unavailable += brain.store.gaps.count { brain.store.gap($0)?.unavailable != nil }
      check(inserted.allSatisfy { brain.store.contains($0) }, "an inserted row is lost")
      check(!removed.contains { brain.store.contains($0) }, "a removed row is back")
      check(freshness != .nothing, "there are rows without freshness")
      if request.kind == .deep, brain.machine.hasLoaded, brain.machine.extent?.deep == nil { deepRefreshes += 1 }
    case .preview(let index, let behind):
      guard !requests.isEmpty else { return }
      let request = requests[index % requests.count]
      guard request.kind != .restore, !brain.isChecking(request.number) else { return }
      let stored = behind == 0 ? server : Array(oldServer.dropFirst(behind))
      var (page, facts) = page(for: request.key, of: stored)
      page.source = .cache(asOf: Date(timeIntervalSince1970: 0.5), isFresh: false)
      page.asOf = 0.5
      let before = brain.isPreviewed(request.number)
      perform(brain.previewed(request.number, loaded(page, facts)))
      // A stored response doesn't show which rows are gone.
      if case .evicted = request.kind { break }
      if brain.machine.splices(request.number) { break }
      check(before || brain.isPreviewed(request.number), "a stored page was not shown")
    case .restore: perform(brain.request(.restore, load: newLoad()))
    case .fail(let index):
      guard !requests.isEmpty else { return }
      let at = index % requests.count
      if requests[at].kind == .restore {
        return perform(brain.nothingKept(requests.remove(at: at).number))
      }
      let request = requests.remove(at: at)
      let error: LoadError =
        index.isMultiple(of: 2) ? .decoding("broken") : .request(RequestError(.connectRefused))
      let isOverlap = request.key.isOverlap && brain.isChecking(request.number)
      perform(brain.failed(request.number, error))
      // A window that can't be read is requested as a page.
      if isOverlap, index.isMultiple(of: 2) { return }
      if case .unreachable = freshness {
        check(!index.isMultiple(of: 2), "an invalid response counts as no response")
      } else {
        check(index.isMultiple(of: 2) || freshness == .nothing, "the list is not offline")
      }
    case .refuse(let index):
      guard !requests.isEmpty else { return }
      let at = index % requests.count
      guard requests[at].kind != .restore else { return }
      let request = requests.remove(at: at)
      let isOverlap = request.key.isOverlap && brain.isChecking(request.number)
      let loads = started.count
      perform(brain.failed(request.number, .request(RequestError(.status(400)))))
      check(!isOverlap || started.count >= loads, "a refused window failed a load")
    case .serverInserts(let at):
      fresh += 1
      server.insert(fresh, at: min(at, server.count))
    case .serverGrows(let count):
      server.insert(contentsOf: fresh + 1...fresh + 1 + count, at: 0)
      fresh += 1 + count
    case .loadGap(let at, let side):
      let gaps = brain.store.gaps
      if !gaps.isEmpty { perform(brain.loadGap(gaps[at % gaps.count], from: side, load: newLoad())) }
    case .serverDeletes(let at): if at < server.count { server.remove(at: at) }
    case .serverMoves(let at):
      guard at < server.count else { return }
      server.insert(server.remove(at: at), at: 0)
    case .edit(let n): edit(n)
    case .confirm: if !edits.isEmpty { perform(brain.confirm(edits.removeFirst())) }
    case .confirmAs(let n, let isNew): confirm(n, isNew: isNew)
    case .rollback: if let edit = edits.popLast() { perform(brain.rollback(edit)) }
    case .rowsAppeared(let row): perform(brain.rowsAppeared(row..<row + 3))
    case .probe: probe()
    case .respondToProbe(let n): respondToProbe(n)
    case .failProbe(let n): if !probes.isEmpty { _ = brain.probe.end(probes.remove(at: n % probes.count).number) }
    }
    check(newRows == brain.probe.newRows, "a change of the new rows was not notified")
    check(!brain.probe.found.contains { brain.store.contains($0) }, "a row of the list is new")
    check(observed == rows(of: brain.rows), "the events do not describe the rows")
    check(freshness == brain.freshness, "a change of freshness was not notified")
    let ids = observed.compactMap(\.self)
    check(Set(ids).count == ids.count, "a row is in the list twice")
    check(brain.store.gaps == brain.machine.gaps, "the gaps are not those that are read")
    check(
      brain.store.gaps == brain.store.snapshot.pages.map(\.id).filter { brain.store.gap($0) != nil },
      "the gaps are not those of the rows")
    check(
      brain.store.gaps.isEmpty || brain.machine.consistency.claim == .mayLack(atMost: nil),
      "a list with a gap claims to have its rows")
    let waiting = brain.machine.runningLoads.flatMap(\.running.loads) + brain.machine.waitingLoads
    check(Set(waiting) == pending, "a load never ends")
    // The searches of a list may take as many requests as it has pages.
    check(requestsOfLoad <= 60, "a load takes any number of requests")
  }

  private mutating func edit(_ n: Int) {
    let ids = observed.compactMap(\.self)
    let edit: ListEdit<Int>
    switch n % 4 {
    case 0:
      fresh += 1
      edit = .insert(fresh, id: RowID(fresh), at: n % 8 == 0 ? .start : .end)
    case 1: edit = .remove(RowID(n))
    case 2: edit = .update(RowID(n), n)
    default: edit = .move(RowID(n), to: ids.isEmpty ? .start : .after(RowID(ids[n % ids.count])))
    }
    guard let made = try? brain.edit(edit) else { return }
    edits.append(made.id)
    perform(made.effects)
  }

  private mutating func confirm(_ n: Int, isNew: Bool) {
    guard !edits.isEmpty else { return }
    let edit = edits.removeFirst()
    guard let row = brain.store.edits.row(of: edit), case .number(var item) = row,
      let pending = brain.store.edits[row].first(where: { $0.id == edit })
    else { return perform(brain.confirm(edit, as: 0, id: RowID(0))) }
    // Only a draft gets another id.
    if pending.isInsertion {
      fresh += 1
      if isNew { server.insert(fresh, at: min(n % 9, server.count)) }
      item = isNew || server.isEmpty ? fresh : server[n % server.count]
    }
    let other = RowID(item)
    let (before, wasThere) = (brain.store.snapshot.count, brain.store.contains(row))
    let isKnown = brain.store.contains(other) || brain.store.edits.isRemoving(other)
    if pending.isInsertion, !isKnown || row == other {
      for request in requests {
        if case .page = request.kind { continue }
        insertedMeanwhile[request.number, default: []].insert(other)
      }
    }
    if pending.isRemoval, !brain.store.edits.isInserting(row) {
      for request in requests { removedMeanwhile[request.number, default: []].insert(row) }
    }
    perform(brain.confirm(edit, as: item, id: other))
    if wasThere, !pending.isRemoval {
      check(
        brain.store.contains(other) || brain.store.edits.isRemoving(other),
        "a confirmed row is lost")
    }
    check(abs(before - brain.store.snapshot.count) < 2, "a confirmation changed other rows")
  }

  private mutating func probe() {
    guard case .request(let number, let key) = brain.beginProbe() else { return }
    check(brain.machine.hasLoaded && brain.machine.rebuild == nil, "a probe of a list without a first page")
    probes.append((number, key))
  }

  private mutating func respondToProbe(_ n: Int) {
    guard !probes.isEmpty else { return }
    let request = probes.remove(at: n % probes.count)
    let (page, facts) = page(for: request.key, of: server)
    let (machine, rows, isRunning) = (brain.machine, brain.rows, brain.probe.state == .running(request.number))
    let before = newRows
    perform(brain.probed(request.number, loaded(page, facts)))
    check(brain.machine == machine && brain.rows.isSame(as: rows), "a probe changed the list")
    check(isRunning || newRows == before, "a late probe changed the new rows")
    check(!isRunning || brain.probe.state == .resting, "a probe never ends")
  }

  private mutating func newLoad() -> Int {
    lastLoad += 1
    pending.insert(lastLoad)
    return lastLoad
  }

  /// Restores kept pages: those in the middle and then the others, or all at once.
  private mutating func respondToRestore(_ at: Int, _ n: Int) {
    let number = requests[at].number
    let kept = (0..<4).map { page(for: Self.key($0, kind), of: oldServer) }.map { page, facts in
      var page = page
      page.source = .cache(asOf: Date(timeIntervalSince1970: 0.25), isFresh: false)
      page.asOf = 0.25
      return (page: LoadedPage(rows: page, page: ListPage()), facts: facts)
    }
    if brain.machine.hasLoaded {
      requests.remove(at: at)
      let last = 1 + n % 3
      let isShort = last == 3
      perform(
        brain.restored(
          number,
          Restoration(
            before: [kept[0].page], after: isShort ? [kept[3].page] : [],
            facts: PageFacts(next: isShort ? kept[3].facts.next : kept[2].facts.next))))
      check(
        brain.restoredAnchor.map { observed.indices.contains($0) } ?? true,
        "the anchor is out of bounds")
    } else if n.isMultiple(of: 2) {
      requests.remove(at: at)
      perform(
        brain.restored(
          number,
          Restoration(
            after: kept.map(\.page), facts: PageFacts(next: kept[3].facts.next), anchor: (2, 4))))
      // Local rows shift all positions.
      let isPlain = !brain.store.isEdited
      check(
        !isPlain || brain.restoredAnchor.map { observed[$0] } == oldServer[18], "the wrong anchor")
    } else {
      perform(
        brain.restored(
          number,
          Restoration(
            after: kept[1...2].map(\.page),
            facts: PageFacts(next: kept[2].facts.next, previous: kept[1].facts.previous),
            isLast: false, anchor: (1, 4))))
    }
    check(observed == rows(of: brain.rows), "the events do not describe the rows")
  }

  private func loaded(_ rows: PageRows<Int>, _ facts: PageFacts) -> LoadedPage<Int> {
    let page = ListPage<Int>()
    page.facts = facts
    return LoadedPage(rows: rows, page: page)
  }

  private func page(for key: PageKey, of server: [Int]) -> (PageRows<Int>, PageFacts) {
    let start: Int
    switch key.place {
    case .number(let number): start = number * 7
    case .offset(let offset): start = offset
    default: return (PageRows(key: key, items: [], ids: []), PageFacts(next: .end))
    }
    let items = server.dropFirst(start).prefix(key.size ?? 7).map { $0 }
    let end = start + items.count
    func link(_ start: Int) -> PageFacts.Link {
      .page(PageKey(kind.hasOffsets ? .offset(start) : .number(start / 7)))
    }
    let facts = PageFacts(
      next: end < server.count && !items.isEmpty ? link(end) : .end,
      previous: start > 0 ? link(max(0, start - 7)) : .end,
      total: kind.reportsTotal ? server.count : nil)
    let ids = items.map { RowID($0) }
    var page = PageRows(
      key: key, items: items, ids: ids, bytes: 70, fingerprint: ids.hashValue,
      isEmpty: items.isEmpty)
    page.asOf = 1
    return (page, facts)
  }

  private mutating func perform(_ effects: [ListEffect]) {
    var changes = 0
    let effects = brain.follow(effects)
    if brain.probe.state == .waiting, brain.machine.rebuild == nil { brain.probe.end() }
    for effect in effects {
      switch effect {
      case .request(let number, let kind, let key):
        requests.append((number, kind, key))
        requestsOfLoad += kind == .next ? 1 : 0
      case .abandon(let number): requests.removeAll { $0.number == number }
      case .finish(let load, _):
        check(pending.remove(load) != nil, "a load ended twice")
      case .notify(.didChange(let change)):
        changes += 1
        let now = rows(of: brain.rows)
        check(!change.isEmpty, "an empty change was notified")
        guard let changed = change.applied(to: observed, new: { now[$0] }) else {
          return check(false, "a change does not fit the rows")
        }
        check(changed == now, "a change is not exact")
        observed = changed
      case .notify(let event): follow(event)
      }
    }
    check(changes < 2, "one decision changed the rows twice")
    check(rows(of: brain.rows) == observed, "rows moved without a change")
  }

  private mutating func perform(_ joined: JoinedPages<Int>) {
    for id in (joined.found ?? []).map(\.id) + [joined.id].compactMap(\.self) {
      check(brain.store.tree.place(of: id) != nil, "a page that joined is missing")
    }
    perform(joined.effects)
    // Of pages that join together, the last one is what the load is for.
    if let page = joined.id {
      perform(brain.evict(keeping: page))
      check(
        brain.store.tree.place(of: page)?.page.isLoaded == true, "a page was evicted as it arrived")
    }
  }

  private mutating func follow(_ event: ListEvent) {
    switch event {
    case .didStart(let kind):
      check(!started.contains(kind), "a load started twice")
      started.append(kind)
      if kind == .next { requestsOfLoad = 0 }
    case .didFinish(let kind): started.removeAll { $0 == kind }
    case .didUpdateFreshness(let freshness):
      check(self.freshness != freshness, "an unchanged freshness was notified")
      self.freshness = freshness
    case .didUpdateNewRows(let newRows):
      check(self.newRows != newRows, "unchanged new rows were notified")
      self.newRows = newRows
    case .didSucceed(let kind) where kind.replacesList: check(newRows == nil, "rows are new after a refresh")
    case .didReset: check(started.isEmpty && observed.isEmpty, "a load or a row survived a reset")
    default: break
    }
  }

  private func rows(of snapshot: ListSnapshot<Int>) -> [Int?] {
    (0..<snapshot.count).map { snapshot.row(at: $0)?.item }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }
}
