import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport

@testable import ListReading

/// A walk without a network over a list of numbers, with rows inserted, removed and moved between any two requests.
struct WalkWorld {
  /// How the server pages.
  enum Way: CaseIterable {
    case pages
    /// After a number of rows, as many as are requested.
    case offsets
    /// The same, with at most the rows of a page.
    case cappedOffsets
    /// After the value of the last row, which no other row has.
    case keys
    /// After the group of the last row, which it shares with others.
    case groups
    /// After a cursor with the key of the last row.
    case cursor
    /// After a cursor with a number of rows.
    case counting
  }

  enum Event: Hashable, CaseIterable {
    /// The next page is loaded, or one of the requests for it fails.
    case page, failAtFirst, failAtSecond
    /// The walk is resumed in another process.
    case resume
    case deleteFirst, deleteLast, insertFirst, insertLast
    /// The last row comes to the top.
    case moveToFirst

    static let withoutMoves = allCases.filter { $0 != .moveToFirst }

    var isChurn: Bool {
      switch self {
      case .page, .failAtFirst, .failAtSecond, .resume: false
      case .deleteFirst, .deleteLast, .insertFirst, .insertLast, .moveToFirst: true
      }
    }
  }

  static let size = 3

  /// A row of the server; its key says where it is among the others.
  struct Row: Hashable {
    var id: Int
    var key: Int
  }

  private(set) var server: [Row]
  private(set) var delivered: [Int] = []
  private(set) var brain: WalkBrain
  private(set) var problem: String?
  /// The ids of the rows that were there at each request so far.
  private(set) var stayers: Set<Int>?
  /// The ids of the server at each request.
  private(set) var instants: [[Int]] = []
  private(set) var hasMoved = false
  private let way: Way
  private let paging: Paging
  private let tellsTotal: Bool
  private let level: Consistency.Level
  private var fresh = 1_000

  init(
    rows: Int, tellsTotal: Bool, way: Way = .pages, consistency level: Consistency.Level = .seams
  ) {
    server = (0..<rows).map { Row(id: $0 + 500, key: $0 * 3) }
    (self.tellsTotal, self.way) = (tellsTotal, way)
    paging =
      switch way {
      case .pages where tellsTotal:
        .pageNumber(size: Self.size, first: 0, endsBy: .total("total"))
      case .pages: .pageNumber(size: Self.size, first: 0)
      case .offsets where tellsTotal, .cappedOffsets where tellsTotal:
        .offset(limit: Self.size, endsBy: .total("total"))
      case .offsets, .cappedOffsets: .offset(limit: Self.size)
      case .keys:
        .keyset(["key"], into: [.query("after")], isUnique: true, endsBy: .hasNext("more"))
      case .groups: .keyset(["group"], into: [.query("after")], endsBy: .hasNext("more"))
      case .cursor, .counting: .cursor(at: "next", endsBy: .total("total"))
      }
    self.level = level
    brain = WalkBrain(paging, WalkedRows(.recognized), checking: level, from: nil)
  }

  /// The ids of the rows of the server.
  var serverIDs: [Int] { server.map(\.id) }

  /// Changes the server, or makes the walk take a step.
  mutating func apply(_ event: Event) {
    switch event {
    case .page: advance()
    case .failAtFirst: advance(failingAt: 0)
    case .failAtSecond: advance(failingAt: 1)
    case .resume: resume()
    case .deleteFirst: if !server.isEmpty { server.removeFirst() }
    case .deleteLast: _ = server.popLast()
    case .insertFirst: server.insert(newRow((server.first?.key ?? 0) - 3), at: 0)
    case .insertLast: server.append(newRow((server.last?.key ?? 0) + 3))
    case .moveToFirst:
      guard server.count > 1, var row = server.popLast() else { return }
      hasMoved = true
      row.key = (server.first?.key ?? 0) - 3
      server.insert(row, at: 0)
    }
  }

  /// Reads the rest of the list, which no longer changes.
  mutating func finish() {
    for _ in 0..<100 where brain.end == nil && problem == nil { advance() }
    check(brain.end != nil, "the walk does not end")
  }

  private mutating func newRow(_ key: Int) -> Row {
    fresh += 1
    return Row(id: fresh, key: key)
  }

  private mutating func advance(failingAt failure: Int? = nil) {
    let before = (brain.checkpoint, brain.end, brain.pages, brain.consistency)
    var requests = 0
    var step = brain.next()
    while case .request(let key) = step {
      check(before.1 == nil, "a page after the end was requested")
      if requests == failure {
        check(
          brain.checkpoint == before.0 && brain.end == before.1 && brain.pages == before.2
            && brain.consistency == before.3, "a failure moved the walk")
        return
      }
      requests += 1
      guard requests < 40, let page = page(at: key) else {
        return check(false, "too many requests, or one for \(key.place)")
      }
      step = brain.receive(page)
    }
    guard case .deliver(let page) = step else {
      return check(brain.end != nil, "no page was delivered before the end")
    }
    check(page.checkpoint == before.0, "the checkpoint of a page is not the position of the walk")
    check(brain.pages == before.2 + 1, "a page was not counted")
    let ids = page.rows.compactMap { $0["id"]?.int }
    check(Set(ids).isDisjoint(with: delivered), "a row was delivered twice")
    delivered += ids
  }

  private mutating func resume() {
    guard let checkpoint = brain.checkpoint else { return }
    guard let read = PageWalk.Checkpoint(text: checkpoint.text) else {
      return check(false, "an unreadable checkpoint")
    }
    check(read == checkpoint, "a checkpoint changes when it is encoded")
    brain = WalkBrain(
      paging, WalkedRows(.recognized, delivered: Set(delivered.map { RowID($0) })),
      checking: level, from: read)
    check(brain.checkpoint == checkpoint, "the walk resumed from another checkpoint")
  }

  private mutating func page(at key: PageKey) -> LoadedPage<JSONView>? {
    guard let start = start(of: key) else { return nil }
    let ids = serverIDs
    stayers = stayers?.intersection(ids) ?? Set(ids)
    instants.append(ids)
    let size = way == .cappedOffsets ? min(key.size ?? .max, Self.size) : key.size
    let rows = server.dropFirst(start).prefix(size ?? Self.size)
    let text = rows.map { #"{"id":\#($0.id),"key":\#($0.key),"group":\#($0.group)}"# }
    let end = start + rows.count
    var facts = tellsTotal ? #","total":\#(server.count)"# : ""
    facts += #","more":\#(end < server.count)"#
    if end < server.count, let last = rows.last {
      facts += #","next":"\#(way == .counting ? "after \(end)" : "key \(last.key)")""#
    }
    guard
      let envelope = try? JSONDocument(#"{"rows":[\#(text.joined(separator: ","))]\#(facts)}"#)
        .root,
      let url = try? WebURL("https://test/rows")
    else { return nil }
    let items = envelope["rows"].map { Array($0.elements) } ?? []
    let page = ListPage<JSONView>()
    page.facts = paging.strategy.facts(
      in: PageResponse(
        key: key, call: Call("/rows"),
        response: HTTPResponse(status: 200, headers: [:], body: ResponseBody(), url: url),
        envelope: envelope, itemsPath: "rows", count: items.count))
    return LoadedPage(
      rows: PageRows(key: key, items: items, ids: nil, isEmpty: items.isEmpty), page: page,
      itemsPath: "rows")
  }

  /// The number of rows before a page.
  private func start(of key: PageKey) -> Int? {
    switch (way, key.place) {
    case (.pages, .number(let number)) where number >= 0: return number * Self.size
    case (.pages, _): return nil
    case (.offsets, .offset(let offset)), (.cappedOffsets, .offset(let offset)): return offset
    case (.offsets, _), (.cappedOffsets, _): return nil
    case (_, .start): return 0
    case (.keys, .after(.array(let values))):
      let last = values.first?.int ?? 0
      return server.firstIndex { $0.key > last } ?? server.count
    case (.groups, .after(.array(let values))):
      let last = values.first?.int ?? 0
      return server.firstIndex { $0.group > last } ?? server.count
    case (.cursor, .after(let cursor)):
      let last = cursor.string.flatMap { Int($0.dropFirst(4)) } ?? 0
      return server.firstIndex { $0.key > last } ?? server.count
    case (.counting, .after(let cursor)): return cursor.string.flatMap { Int($0.dropFirst(6)) }
    default: return nil
    }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }
}

extension WalkWorld.Row {
  /// Two rows after each other may be of one group.
  var group: Int { key / 6 }
}
