/// Makes the page of a served list that a request is for.
struct ServedPage {
  let list: ServedList
  /// The rows at this instant, or those of a snapshot.
  var rows: [ServedRows.Row]
  /// What the list says of their number.
  var total: Int?
  let fault: ServedList.Fault?
  /// The number of the snapshot.
  var version = 0

  private var size: Int { list.pageSize }

  /// Returns the response to a request.
  func response(to request: ServedRequest) -> ServedResponse {
    switch list.way {
    case .pages, .pagesOfAnySize, .pagesOfCappedSize, .pagesRefusedAfterEnd:
      return numbered(request)
    case .offsets, .offsetsOfCappedSize, .offsetsRoundedToPages, .offsetsWithinLimit:
      return offset(request)
    case .ranges: return range(request)
    case .links, .linksOfAnySize, .nextAddresses: return addressed(request)
    case .keys, .keysWithTies:
      let start = request.number("after").map { key in
        position { (list.way == .keys ? $0.key : $0.group) > key }
      }
      return body(window(start ?? 0, limit(request)))
    case .cursors, .countingCursors, .snapshots: return cursor(request)
    case .relay, .countingRelay: return relay(request)
    }
  }

  /// The number of rows before the first one that is after a key.
  private func position(_ isBehind: (ServedRows.Row) -> Bool) -> Int {
    rows.firstIndex(where: isBehind) ?? rows.count
  }

  private func limit(_ request: ServedRequest) -> Int {
    max(1, request.number("limit") ?? size)
  }

  // MARK: - Ways

  private func numbered(_ request: ServedRequest) -> ServedResponse {
    var size = size
    if let asked = request.number("size"), asked > 0 {
      if list.way == .pagesOfAnySize { size = asked }
      if list.way == .pagesOfCappedSize { size = min(asked, size) }
    }
    let start = Self.product(max(1, request.number("page") ?? 1) - 1, size)
    if list.way == .pagesRefusedAfterEnd, start > 0, start >= rows.count {
      return ServedResponse(status: 404, body: #"{"error":"no such page"}"#)
    }
    return body(window(start, size))
  }

  private func offset(_ request: ServedRequest) -> ServedResponse {
    var start = max(0, request.number("offset") ?? 0)
    var limit = limit(request)
    switch list.way {
    case .offsetsOfCappedSize: limit = min(limit, size)
    case .offsetsRoundedToPages: (start, limit) = (start / size * size, size)
    case .offsetsWithinLimit where start > size * 10:
      return ServedResponse(status: 400, body: #"{"error":"the offset is too large"}"#)
    default: break
    }
    return body(window(start, limit))
  }

  private func range(_ request: ServedRequest) -> ServedResponse {
    let (first, most) = request.positions ?? (0, size)
    let window = window(first, most)
    let all = total.map(String.init) ?? "*"
    guard !window.rows.isEmpty else {
      return ServedResponse(status: 416, headers: [("Content-Range", "items */\(all)")])
    }
    var response = body(window, members: [])
    response.status = 206
    let last = first + window.rows.count - 1
    response.headers = [("Content-Range", "items \(first)-\(last)/\(all)")]
    return response
  }

  private func addressed(_ request: ServedRequest) -> ServedResponse {
    let number = max(1, request.number("page") ?? 1)
    let hasSize = list.way == .linksOfAnySize
    let size = hasSize ? max(1, request.number("size") ?? size) : size
    let window = window(Self.product(number - 1, size), size)
    var next: String?
    if window.hasNext {
      next =
        "\(request.path)?page=\(window.repeats ? number : number + 1)"
        + (hasSize ? "&size=\(size)" : "")
    }
    guard list.way != .nextAddresses else {
      return body(window, members: ["\"next\":\(quoted(next))"])
    }
    var response = body(window)
    if let next { response.headers = [("Link", "<\(next)>; rel=\"next\"")] }
    return response
  }

  private func cursor(_ request: ServedRequest) -> ServedResponse {
    let text = request.text("cursor")
    let number = text.flatMap { Int($0.split { $0 == " " || $0 == "." || $0 == "k" }.last ?? "") }
    var start = 0
    if let number {
      start = list.way == .cursors ? position { $0.key > number } : number
    }
    let window = window(start, limit(request))
    var next: String?
    if window.repeats {
      next =
        text
        ?? (list.way == .snapshots ? "s\(version).0" : list.way == .cursors ? "k-1" : "after 0")
    } else if window.hasNext {
      switch list.way {
      case .cursors: next = rows[..<window.end].last.map { "k\($0.key)" }
      case .countingCursors: next = "after \(window.end)"
      default: next = "s\(version).\(window.end)"
      }
    }
    var members = ["\"next\":\(quoted(next))"]
    if list.way == .snapshots { members.append("\"version\":\"v\(version)\"") }
    return body(window, members: members)
  }

  private func relay(_ request: ServedRequest) -> ServedResponse {
    let variables = request.variables
    let number = variables?.after.flatMap { Int($0.split { $0 == ":" || $0 == "k" }.last ?? "") }
    var start = 0
    if let number {
      start = list.way == .relay ? position { $0.key > number } : min(number, rows.count) + 1
    }
    let window = window(start, max(1, variables?.first ?? size))
    var end: String?
    if window.repeats {
      end = variables?.after ?? "k-1"
    } else if window.end > 0, window.end <= rows.count {
      end =
        list.way == .relay
        ? "k\(rows[window.end - 1].key)" : "arrayconnection:\(window.end - 1)"
    }
    let count = total.map { ",\"totalCount\":\($0)" } ?? ""
    let edges = window.rows.enumerated().map { index, row in
      "{\"cursor\":\(quoted(list.way == .relay ? "k\(row.key)" : "arrayconnection:\(start + index)"))}"
    }
    let info = "{\"hasNextPage\":\(window.hasNext),\"endCursor\":\(quoted(end))}"
    return ServedResponse(
      body:
        "{\"data\":{\"\(list.shape.path.last ?? "rows")\":{\"nodes\":\(list.shape.array(window.rows)),"
        + "\"edges\":[\(edges.joined(separator: ","))]\(count),\"pageInfo\":\(info)}}}",
      fault: fault)
  }

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? .max : product
  }

  // MARK: - Windows

  private struct Window {
    var rows: ArraySlice<ServedRows.Row>
    /// The position where the next page starts.
    var end: Int
    var hasNext: Bool
    /// Whether the next page is this one again.
    var repeats = false
  }

  private func window(_ start: Int, _ count: Int) -> Window {
    let start = min(max(0, start), rows.count)
    let end = start + min(max(0, count), rows.count - start)
    var window = Window(rows: rows[start..<end], end: end, hasNext: end < rows.count)
    switch fault {
    case .repeatedCursor: (window.repeats, window.hasNext) = (true, true)
    case .shortPage: window.rows = window.rows.prefix(1)
    case .emptyPage: window.rows = []
    case .shifted(let distance):
      window.rows = rows.dropFirst(start).dropFirst(max(0, distance)).prefix(count)
    case .rowTwice: window.rows += window.rows.prefix(1)
    default: break
    }
    return window
  }

  private func body(_ window: Window, members: [String] = []) -> ServedResponse {
    var members = members
    if let total, list.way != .ranges { members.append("\"total\":\(total)") }
    members.insert(list.shape.member(window.rows), at: 0)
    return ServedResponse(body: "{\(members.joined(separator: ","))}", fault: fault)
  }

  private func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
}
