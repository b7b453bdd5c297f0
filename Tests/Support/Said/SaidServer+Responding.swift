extension SaidServer {
  /// Returns the number of rows before the page that is requested, and the most rows that it can have.
  private func cut(_ request: SaidRequest) -> (start: Int, limit: Int) {
    let limit = max(1, request.number("limit") ?? size)
    switch way {
    case .pages, .pagesFromZero, .pagesOfOwnSize, .pageHeaders, .links, .nextURL, .pagesOfAnySize:
      let size = way == .pagesOfAnySize ? max(1, request.number("per_page") ?? size) : size
      return (max(0, (request.number("page") ?? way.firstPage) - way.firstPage) * size, size)
    case .offsets, .nextURLOfOffset: return (max(0, request.number("offset") ?? 0), limit)
    case .offsetsOfCappedSize: return (max(0, request.number("offset") ?? 0), min(limit, size))
    case .offsetsRounded: return (max(0, request.number("offset") ?? 0) / size * size, size)
    case .ranges:
      let positions = request.positions
      return (positions?.first ?? 0, positions?.count ?? size)
    case .cursors, .countingCursors:
      return (request.query["cursor"].flatMap(position) ?? 0, size)
    case .keys: return ((request.number("after") ?? -1) + 1, limit)
    case .keysWithTies: return (((request.number("after") ?? -1) + 1) * 2, limit)
    case .relay:
      let after = request.variables?.after
      return (after.flatMap(position) ?? 0, max(1, request.variables?.first ?? size))
    case .single: return (0, .max)
    }
  }

  /// The cursor of the rows after a position.
  func cursor(_ position: Int) -> String {
    if way == .countingCursors { return String(position) }
    return String((position + 1) * 2_654_435_761 % 4_294_967_291, radix: 36) + "x"
  }

  private func position(of cursor: String) -> Int? {
    (0...max(rows, 1)).first { self.cursor($0) == cursor }
  }

  /// Returns the response to a request.
  package func response(to request: SaidRequest) -> SaidResponse {
    let (start, limit) = cut(request)
    var response = SaidResponse(request: request.text, start: start, limit: limit, reach: start)
    response.isSizeAsked = request.hasSize
    let end = stop == .filtered ? rows : cap
    var page = start..<max(start, min(start + min(limit, 100_000), end))
    if start > 0, case .status(let status, let endsAfter) = stop,
      start >= cap || endsAfter && start + min(limit, 100_000) > cap
    {
      response.status = status
      response.body = #"{"error":"no such page"}"#
      return response
    }
    if start > 0, start >= cap {
      if stop == .repeated { page = max(0, (cap - 1) / limit * limit)..<cap }
      if stop == .firstAgain { page = 0..<min(limit, cap) }
    }
    if way == .ranges, page.isEmpty, start > 0 {
      response.status = 416
      return response
    }
    response.rows = visible(page)
    response.reach = page.isEmpty ? start : page.upperBound
    let saysNothing = stop == .bare && start >= cap && start > 0
    SaidWriter(self, response).write(into: &response, saysNothing: saysNothing)
    return response
  }
}
