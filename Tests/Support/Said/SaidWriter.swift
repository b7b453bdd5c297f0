/// Writes the rows of a page and what its server says beside them.
struct SaidWriter {
  private let server: SaidServer
  private let page: SaidResponse
  private var members: [String] = []
  private var headers: [(name: String, value: String)] = []
  private var links: [String] = []
  private var said: [String: Said] = [:]

  init(_ server: SaidServer, _ page: SaidResponse) {
    self.server = server
    self.page = page
  }

  private var way: SaidServer.Way { server.way }

  func write(into response: inout SaidResponse, saysNothing: Bool) {
    var writer = self
    writer.sayNext(isSaid: !saysNothing)
    if !saysNothing {
      for saying in server.sayings where writer.has(saying) { writer.say(saying.fact) }
    }
    if way == .ranges { writer.sayRange() }
    if !writer.links.isEmpty {
      writer.headers.append(("Link", writer.links.joined(separator: ", ")))
    }
    response.headers = writer.headers
    response.said = writer.said
    response.body = writer.body
    if way == .ranges { response.status = 206 }
  }

  private func has(_ saying: SaidServer.Saying) -> Bool {
    switch saying.place {
    case .everyPage: true
    case .firstPage: page.start == 0
    case .lastPage: page.reach >= server.cap
    case .pagesWithRows: !page.rows.isEmpty
    case .emptyPages: page.rows.isEmpty
    }
  }

  // MARK: - What it says

  private func isMore(_ basis: SaidFact.Basis) -> Bool {
    switch basis {
    case .list: page.reach < server.rows
    case .cap: page.reach < server.cap
    case .fullPage: page.rows.count == page.limit
    }
  }

  private func number(_ amount: SaidFact.Amount) -> Int {
    switch amount {
    case .all: server.count
    case .low: max(1, server.cap / 2)
    case .high: server.count + 7
    case .cap: server.stop == .filtered ? server.count : server.cap
    case .page: page.rows.count
    }
  }

  private func pages(_ basis: SaidFact.Basis) -> Int {
    let rows = basis == .list ? server.rows : server.cap
    return rows / page.limit + (rows % page.limit == 0 ? 0 : 1)
  }

  private mutating func say(_ fact: SaidFact) {
    switch fact {
    case .flag(let flag, let basis):
      members.append(#""\#(flag.rawValue)":\#(isMore(basis) == flag.isOfMore)"#)
      said[flag.rawValue] = .more(isMore(basis))
    case .total(let place, let amount):
      if place.hasPrefix("X-") {
        headers.append((place, "\(number(amount))"))
      } else {
        members.append(#""\#(place)":\#(number(amount))"#)
      }
      said[place] = .total(number(amount))
    case .bound(let bound, let amount):
      members.append(bound.json(number(amount)))
      said["bound"] = .bound(number(amount))
    case .otherTotal: members.append(#""comments":{"total":2000}"#)
    case .totalInRows: break
    case .pageCount(let basis):
      members.append(#""total_pages":\#(pages(basis))"#)
      said["total_pages"] = .pages(pages(basis), of: page.limit)
    case .lastLink(let basis):
      let last = pages(basis)
      guard last > 0 else { return }
      links.append(#"</rows?page=\#(last - 1 + way.firstPage)>; rel="last""#)
      // Where the first page has no number, a link to page 1 may also lead to itself.
      guard way.firstPage == 1 || last != 2 else { return }
      said["rel=last"] = .pages(last, of: page.limit)
    case .contentRange(let amount):
      guard way != .ranges else { return }
      let total = max(number(amount), page.rows.isEmpty ? 0 : page.reach)
      let rows = page.rows.isEmpty ? "*" : "\(page.reach - page.rows.count)-\(page.reach - 1)"
      headers.append(("Content-Range", "items \(rows)/\(total)"))
      said["Content-Range"] = .total(total)
    case .next(let basis):
      members.append(#""next":\#(isMore(basis) ? "\"\(nextAddress)\"" : "null")"#)
      // A page without rows that leads to itself leads nowhere.
      said["next"] = .more(isMore(basis) && (way.isNumbered || !page.rows.isEmpty))
    }
  }

  private var nextAddress: String {
    if way.isNumbered { return "/rows?page=\(page.start / page.limit + 1 + way.firstPage)" }
    return "/rows?offset=\(page.reach)&limit=\(page.limit)"
  }

  /// Writes what leads to the next page, where pages are chained.
  private mutating func sayNext(isSaid: Bool) {
    guard way.isChained else { return }
    let end = server.stop == .noNext ? server.cap : server.rows
    // The page where it stops leads nowhere.
    let hasNext =
      page.reach < end
      && (server.stop == .filtered || !page.rows.isEmpty && page.start < server.cap)
    said["next"] = .more(hasNext)
    guard hasNext || !server.omitsNext && isSaid else { return }
    let cursor = hasNext ? "\"\(server.cursor(page.reach))\"" : "null"
    switch way {
    case .links: if hasNext { links.append("<\(nextAddress)>; rel=\"next\"") }
    case .nextURL, .nextURLOfOffset:
      members.append(#""next":\#(hasNext ? "\"\(nextAddress)\"" : "null")"#)
    case .pageHeaders:
      headers.append(("X-Next-Page", hasNext ? "\(page.start / page.limit + 2)" : ""))
    case .cursors, .countingCursors: members.append(#""next_cursor":\#(cursor)"#)
    case .relay: break
    default: break
    }
  }

  private mutating func sayRange() {
    guard !page.rows.isEmpty else { return }
    let first = server.stop == .filtered ? page.start : page.reach - page.rows.count
    var total: Int?
    for saying in server.sayings where has(saying) {
      guard case .contentRange(let amount) = saying.fact, amount != .page else { continue }
      total = max(number(amount), page.reach)
      said["Content-Range"] = .total(max(number(amount), page.reach))
    }
    headers.append(
      (
        "Content-Range",
        "items \(first)-\(page.reach - 1)/\(total.map { "\($0)" } ?? "*")"
      ))
  }

  // MARK: - The body

  private var rows: String {
    let hasTotals = server.sayings.contains { $0.fact == .totalInRows }
    return page.rows.map { position in
      var row = #""id":\#(SaidServer.id(position)),"name":"Row \#(position)""#
      if way == .keys { row += #","key":\#(position)"# }
      if way == .keysWithTies { row += #","group":\#(position / 2)"# }
      if hasTotals { row += #","replies":{"total":\#(position + 30)}"# }
      return "{\(row)}"
    }.joined(separator: ",")
  }

  private var body: String {
    let rest = members.map { "," + $0 }.joined()
    guard way == .relay else { return #"{"rows":[\#(rows)]\#(rest)}"# }
    let more = said["next"] == .more(true)
    let cursor = more ? "\"\(server.cursor(page.reach))\"" : "null"
    return
      #"{"data":{"rows":{"nodes":[\#(rows)],"pageInfo":{"hasNextPage":\#(more),"endCursor":\#(cursor)}\#(rest)}}}"#
  }
}

extension SaidFact.Bound {
  func json(_ number: Int) -> String {
    switch self {
    case .relation: #""total":{"value":\#(number),"relation":"gte"}"#
    case .plus:
      #""total":"\#(number >= 1_000 ? "\(number / 1_000),\("\(number % 1_000 + 1_000)".dropFirst())" : "\(number)")+""#
    case .estimate: #""total":\#(number),"total_is_estimate":true"#
    case .approximate: #""total":\#(number),"approximate":true"#
    case .fraction: #""total":\#(number).5"#
    }
  }
}
