/// What the responses of a server said to a reader that ended with some of its rows.
///
/// It goes by the responses alone, and knows nothing of the list beyond them nor of how the reader judges.
package struct SaidVerdict: Sendable {
  /// How the reader's last requests ended.
  package enum End: String, Sendable {
    /// A page without rows, or one shorter than it could be after pages that were full.
    case empty, short
    /// An error, known rows again, or a short page after others that were short.
    case refused, repeated, thin
    /// A page as full as those before.
    case full

    /// Whether it proves nothing.
    package var isRefusal: Bool { [.refused, .repeated, .thin, .full].contains(self) }
  }

  /// What says that there is more than the reader has, and how.
  package private(set) var more: [(kind: String, reason: String)] = []
  /// What says that the reader has all rows.
  package private(set) var all: [String] = []
  /// Whether a bound is exactly the number of rows, so that there may be more.
  package private(set) var isAtBound = false
  package let end: End
  /// The position up to which rows came.
  private let reach: Int

  /// Judges what a reader of so many rows was sent.
  package init(_ responses: [SaidResponse], rows count: Int) {
    let pages = responses.filter { $0.status < 400 }
    reach = pages.filter { !$0.rows.isEmpty }.map(\.reach).max() ?? 0
    end = Self.end(responses, pages, reach)
    for kind in Set(pages.flatMap(\.said.keys)).sorted() {
      let saying = pages.filter { $0.said[kind] != nil }
      // What the page furthest down says last is what the server says of the end.
      var furthest = 0
      for index in saying.indices where saying[index].reach >= saying[furthest].reach {
        furthest = index
      }
      judge(kind, saying, furthest, count, of: pages)
    }
  }

  private mutating func judge(
    _ kind: String, _ saying: [SaidResponse], _ furthest: Int, _ count: Int,
    of responses: [SaidResponse]
  ) {
    let reach = saying[furthest].reach
    switch saying[furthest].said[kind] {
    case nil: break
    case .more(true):
      // A response that could have rows after it takes it back, whatever it has. The list may be read twice. A chain of
      // links ends where one is missing.
      let isTakenBack = responses.contains {
        $0.start > 0 && ($0.start >= reach || $0.reach == reach && $0.limit > reach - $0.start)
          && ($0.said[kind] == .more(false) || kind == "next" && $0.said[kind] == nil)
      }
      // A flag that says no more at the same place decides beside a link.
      let isOverruled =
        kind == "next"
        && responses.contains { page in
          page.reach == reach && page.said.contains { $0.key != kind && $0.value == .more(false) }
        }
      // So does a total that is met, on a page without rows: some servers send a link with each page.
      let isMet =
        kind == "next"
        && responses.contains { page in
          page.rows.isEmpty && page.start >= self.reach && page.said.values.contains(.total(count))
        }
      if isTakenBack {
        all.append(kind)
      } else if !isOverruled, !isMet, reach >= self.reach {
        more.append((kind, "\(kind) says that more follows position \(reach)"))
      }
    case .more(false): if reach >= self.reach { all.append(kind) }
    case .total:
      let totals = saying.compactMap { page -> Int? in
        if case .total(let total) = page.said[kind] { total } else { nil }
      }
      let lowest = totals.min() ?? 0
      if count < lowest { more.append((kind, "\(kind) is at least \(lowest)")) }
      let isRoundCap = end == .refused && [1_000, 5_000, 10_000].contains(count)
      if saying[furthest].said[kind] == .total(count), !isRoundCap,
        kind == "Content-Range" || !Self.countsPage(saying, totals)
      {
        all.append(kind)
      }
    case .bound:
      let bounds = saying.compactMap { page -> Int? in
        if case .bound(let bound) = page.said[kind] { bound } else { nil }
      }
      let lowest = bounds.min() ?? 0
      if count < lowest { more.append((kind, "\(kind) is at least \(lowest)")) }
      if count == lowest, count > 0 { isAtBound = true }
    case .pages(let pages, let limit):
      // A server may not honor a larger limit than the pages show.
      let size = min(limit, responses.map(\.rows.count).max() ?? 0)
      // Two numbers may be of pages of different sizes.
      let isMet = saying.contains { page in
        guard case .pages(let pages, _) = page.said[kind] else { return false }
        return count > (pages - 1) * page.rows.count && count <= pages * page.rows.count
      }
      if pages > 1, count <= (pages - 1) * size, !isMet {
        more.append((kind, "\(kind) says \(pages) pages of \(size)"))
      } else if count <= pages * size {
        all.append(kind)
      }
    }
  }

  /// Whether a total may be the number of rows of its own page.
  private static func countsPage(_ pages: [SaidResponse], _ totals: [Int]) -> Bool {
    guard zip(pages, totals).allSatisfy({ $0.rows.count == $1 }) else { return false }
    return pages.count > 1 || pages[0].isSizeAsked && pages[0].rows.count == pages[0].limit
  }

  private static func end(
    _ responses: [SaidResponse], _ pages: [SaidResponse], _ reach: Int
  ) -> End {
    let filled = pages.filter { !$0.rows.isEmpty }
    let lastStart = filled.filter { $0.reach == reach }.map(\.start).min() ?? 0
    let before = filled.filter { $0.reach < reach && $0.start < lastStart }
    let short = shortEnd(filled.filter { $0.reach == reach }, after: before, pages.first)
    if let last = responses.last(where: { $0.start >= reach && $0.start > 0 }) {
      if last.status >= 400 {
        // That there is no page after a short one says nothing new.
        return short == .short && [404, 410, 416].contains(last.status) ? .short : .refused
      }
      return last.rows.isEmpty ? .empty : .repeated
    }
    if let short { return short }
    // Some servers refuse a page that would end after the place where they stop.
    return responses.contains { $0.status >= 400 } ? .refused : .full
  }

  /// How the list ends if one of the last pages has fewer rows than it could have; `nil` if none has.
  private static func shortEnd(
    _ last: [SaidResponse], after before: [SaidResponse], _ first: SaidResponse?
  ) -> End? {
    guard last.contains(where: { $0.rows.count < $0.limit }) else { return nil }
    // Pages with fewer rows than were requested may be full for a server with a limit: those of the usual size, and those
    // that all have as many.
    let usual = first?.limit ?? 0
    let areFull = before.allSatisfy { $0.rows.count >= min($0.limit, usual) }
    let areAlike = before.count > 1 && Set(before.map(\.rows.count)).count == 1
    return areFull || areAlike ? .short : .thin
  }
}
