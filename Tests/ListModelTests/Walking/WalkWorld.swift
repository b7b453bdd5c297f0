import ItemMapping
import QuireTesting
import ServerAPI

@testable import ListModel

/// A walk without a network over a list of numbers, with rows inserted and removed between any two requests.
struct WalkWorld {
  enum Event: Hashable, CaseIterable {
    /// The next page is loaded, or one of the requests for it fails.
    case page, failAtFirst, failAtSecond
    /// The walk is resumed in another process.
    case resume
    case deleteFirst, deleteLast, insertFirst, insertLast

    var isChurn: Bool {
      switch self {
      case .page, .failAtFirst, .failAtSecond, .resume: false
      case .deleteFirst, .deleteLast, .insertFirst, .insertLast: true
      }
    }
  }

  static let size = 3

  private(set) var server: [Int]
  private(set) var delivered: [Int] = []
  private(set) var brain: WalkBrain
  private(set) var problem: String?
  private let paging: Paging
  private let tellsTotal: Bool
  private var fresh = 1_000

  init(rows: Int, tellsTotal: Bool) {
    server = Array(0..<rows)
    self.tellsTotal = tellsTotal
    paging =
      tellsTotal
      ? .pageNumber(size: Self.size, first: 0, endsBy: .total("total"))
      : .pageNumber(size: Self.size, first: 0)
    brain = WalkBrain(paging, WalkedRows(.recognized), from: nil)
  }

  mutating func happen(_ event: Event) {
    switch event {
    case .page: advance()
    case .failAtFirst: advance(failingAt: 0)
    case .failAtSecond: advance(failingAt: 1)
    case .resume: resume()
    case .deleteFirst: if !server.isEmpty { server.removeFirst() }
    case .deleteLast: _ = server.popLast()
    case .insertFirst: server.insert(newRow(), at: 0)
    case .insertLast: server.append(newRow())
    }
  }

  /// Reads the rest of the list, which no longer changes.
  mutating func finish() {
    for _ in 0..<100 where brain.end == nil && problem == nil { advance() }
    check(brain.end != nil, "the walk does not end")
  }

  private mutating func newRow() -> Int {
    fresh += 1
    return fresh
  }

  private mutating func advance(failingAt failure: Int? = nil) {
    let before = (brain.checkpoint, brain.end, brain.pages, brain.seams)
    var requests = 0
    var step = brain.next()
    while case .request(let key) = step {
      check(before.1 == nil, "a page after the end was requested")
      if requests == failure {
        check(
          brain.checkpoint == before.0 && brain.end == before.1 && brain.pages == before.2
            && brain.seams == before.3, "a failure moved the walk")
        return
      }
      requests += 1
      guard requests < 10, let page = page(at: key) else {
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
      paging, WalkedRows(.recognized, delivered: Set(delivered.map { RowID($0) })), from: read)
    check(brain.checkpoint == checkpoint, "the walk resumed from another checkpoint")
  }

  private func page(at key: PageKey) -> LoadedPage<JSONView>? {
    guard case .number(let number) = key.place, number >= 0 else { return nil }
    let rows = server.dropFirst(number * Self.size).prefix(Self.size)
    let text = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let total = tellsTotal ? #","total":\#(server.count)"# : ""
    guard let envelope = try? JSONDocument(#"{"rows":[\#(text)]\#(total)}"#).root,
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

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }
}
