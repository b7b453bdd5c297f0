internal import ItemMapping
internal import ServerAPI

/// The first response of a list whose paging was recognized, until the second page shows whether that is right.
///
/// Only if it is refuted are the other ways of the evidence needed, so they are found then, from a copy of the text: the
/// document itself has a share of the memory for pages, for which the second page might wait.
final class FirstResponse: Sendable {
  /// The response without its JSON.
  private let page: PageResponse
  private let json: JSONCopy
  /// The number of its rows.
  let rows: Int
  /// Its first row, which a page with the same rows has too.
  private let sample: RowFingerprints
  /// The rule of the recognizer that found the paging.
  private let rule: Int
  /// Whether its facts, beside the link, say that there is more.
  let saysMore: Bool

  private static let mostBytes = 16 << 20

  /// Keeps a response; `nil` if it has no rows or is very large.
  init?(_ evidence: Evidence, recognizedBy rule: Int) {
    guard evidence.page.count > 0, let envelope = evidence.page.envelope,
      let rows = evidence.page.rows, rows.kind == .array,
      let json = JSONCopy([envelope], limit: Self.mostBytes)
    else { return nil }
    var page = evidence.page
    page.envelope = nil
    page.response.body = ResponseBody()
    (self.page, self.json, self.rule) = (page, json, rule)
    self.rows = rows.count
    sample = RowFingerprints(of: rows, most: 1)
    saysMore = evidence.more != nil
  }

  /// The ways of the evidence besides the recognized one; `nil` if there is none.
  var otherWays: PageKey.Trial? {
    var (page, json) = (page, json)
    page.envelope = json.value(0)
    return Recognizer.otherWays(than: rule, in: page)
  }

  /// Whether a page has the same rows.
  func isSame(as rows: JSONView) -> Bool {
    guard rows.count == self.rows, sample.seen(in: rows).contains(true) else { return false }
    return otherWays?.isSamePage(rows) ?? false
  }
}

extension FirstResponse: Hashable {
  static func == (left: FirstResponse, right: FirstResponse) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
