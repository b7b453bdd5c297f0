internal import ItemMapping
internal import ServerAPI

/// Recognizes from one response how a server pages.
///
/// The loader of a list with ``Paging/automatic`` drives it:
/// 1. It finds the rows with ``ListFinder`` where their path was not declared, and calls
///    ``recognize(_:)`` with the first response. From then on it keeps the recognized paging, which
///    alone requests and reads later pages.
/// 2. Where the next page is a ``PageKey/Place/trial(_:)``, it requests `trial.candidate.key` by
///    `trial.candidate.paging` and passes the response to ``PageKey/Trial/judge(_:)``, until a candidate is
///    accepted, proves the end, or none is left. An error status that blames the call (400, 404, 405,
///    414, 422, 501) is ``PageKey/Trial/rejected()``; any other failure fails the load and leaves the key of
///    the next page unchanged.
/// 3. An accepted page is read by the accepted paging under the key of the candidate, and
///    the `repeated` rows at its start are dropped, as the list has them.
///
/// A refresh starts again with the first response.
enum Recognizer {
  /// What is known after the first response.
  struct Recognition: Hashable, Sendable {
    var facts: PageFacts
    /// The paging; `nil` where a trial is needed, or where the list ends before it matters.
    var recognized: RecognizedPaging?
    /// The place of the response's own page, as the recognized paging counts.
    var place: PageKey.Place?
    /// The facts that the response has.
    var signs: PageSigns = []
    /// The names and kinds of these facts.
    var shape: Int?
    /// Where the response says whether there is more, besides what the paging reads.
    var moreSigns: [MoreSign] = []
  }

  /// The conventions: those with a link to the next page first, then those that count.
  private static let rules: [@Sendable (Evidence) -> Finding?] = [
    { $0.linkHeader }, { $0.addressHeader }, { $0.nextPageHeader }, { $0.connection },
    { $0.nextURL },
    { $0.continuation },
    { $0.token }, { $0.lastRow }, { $0.nextNumber }, { $0.pageNumbers }, { $0.offsets },
    { $0.contentRange }, { $0.pageHeaders },
  ]

  /// Returns what a response to the first call of a list says about its place.
  static func recognize(_ page: PageResponse) -> Recognition {
    let evidence = Evidence(page)
    var ended: Recognition?
    for rule in rules {
      guard let finding = rule(evidence) else { continue }
      let recognition = follow(finding, evidence)
      // One convention may say that the list ends while another has a next page: the next page wins.
      if recognition.facts.next != .end { return recognition.adding(evidence.problems) }
      ended = ended ?? recognition
    }
    return undecided(ended, evidence).adding(evidence.problems)
  }

  /// Returns what the paging of a finding reads from the response.
  private static func follow(_ finding: Finding, _ evidence: Evidence) -> Recognition {
    let facts = finding.pagings.map { $0.facts(in: evidence.page, at: finding.place) }
    if finding.pagings.count > 1, evidence.page.count > 0, case .page = facts[0].next {
      let candidates = zip(finding.pagings, facts).enumerated().compactMap {
        index, candidate -> PageKey.Trial.Candidate? in
        guard case .page(let key) = candidate.1.next else { return nil }
        return PageKey.Trial.Candidate(
          paging: candidate.0, key: key, emptyIsEnd: index < finding.certain)
      }
      let others =
        finding.grounds == .inferred
        ? UsualParameters(evidence).candidates(without: candidates) : []
      return trying(
        candidates + others, evidence, moreIsCertain: true,
        "\(finding.reason), but doesn't say which parameter it goes to", facts[0])
    }
    if finding.grounds == .inferred, !evidence.isProvable(finding), evidence.page.count > 0,
      case .page(let key) = facts[0].next
    {
      let likely = PageKey.Trial.Candidate(paging: finding.pagings[0], key: key)
      return trying(
        [likely] + UsualParameters(evidence).candidates(without: [likely]), evidence,
        moreIsCertain: true, finding.reason, facts[0], convention: finding.reason)
    }
    return Recognition(
      facts: evidence.limiting(facts[0], finding.grounds),
      recognized: RecognizedPaging(
        paging: finding.pagings[0], itemsPath: evidence.page.itemsPath,
        grounds: finding.grounds, reason: finding.reason),
      place: finding.place)
  }

  /// Returns the result where no convention has a next page.
  private static func undecided(_ ended: Recognition?, _ evidence: Evidence) -> Recognition {
    var facts = ended?.facts ?? PageFacts(next: .end)
    if facts.total == nil, let total = evidence.reportedTotal {
      (facts.total, facts.isTotalAtLeast) = (total.rows, total.isAtLeast)
    }
    if let more = evidence.more ?? evidence.unusedLink {
      let reason = ended.map { _ in "\(more), but nothing leads to the next page" } ?? more
      return trying(
        UsualParameters(evidence).candidates, evidence, moreIsCertain: true, reason, facts)
    }
    if let ended { return ended }
    let isTold = evidence.isAtStart && evidence.countsPage
    if evidence.isComplete || evidence.page.count == 0 {
      facts.next = .end
      return Recognition(facts: facts)
    }
    let missing = facts.total == nil ? "no next link, cursor or total" : "no next link or cursor"
    return trying(
      UsualParameters(evidence).candidates, evidence, moreIsCertain: false,
      "the first response has \(evidence.rowCount) and \(missing)", facts, isTold: isTold)
  }

  private static func trying(
    _ candidates: [PageKey.Trial.Candidate], _ evidence: Evidence, moreIsCertain: Bool,
    _ reason: String, _ facts: PageFacts, convention: String? = nil, isTold: Bool = false
  ) -> Recognition {
    var facts = facts
    var trial = evidence.page.rows.flatMap { rows in
      PageKey.Trial(
        candidates, seen: RowFingerprints(of: rows), total: evidence.total?.value,
        moreIsCertain: moreIsCertain, isEndTold: isTold, reason: reason)
    }
    trial?.convention = convention
    facts.next =
      trial.map { .page(PageKey(.trial($0))) }
      ?? .stopped(
        .notRecognized(
          seen: reason, declaration: Declarations.unknown(moreIsCertain: moreIsCertain)))
    return Recognition(facts: facts)
  }
}

extension Evidence {
  /// Whether a convention needs no proof: the call has the parameter, the response has the number of its page, or the
  /// total shows that rows with ids are missing.
  fileprivate func isProvable(_ finding: Finding) -> Bool {
    if ownPage != nil || offsetParameter != nil || pageFact != nil { return true }
    guard total != nil || headerTotal != nil, let rows = page.rows else { return false }
    return RowIDFinder.path(in: Array(rows.elements)) != nil
  }

  /// Ends a list with counted pages where a flag in the response says that this is the last one.
  fileprivate func limiting(
    _ facts: PageFacts, _ grounds: RecognizedPaging.Grounds
  ) -> PageFacts {
    guard grounds == .inferred, isLast?.value == true || hasMore?.value == false else {
      return facts
    }
    var facts = facts
    (facts.next, facts.endSign) = (.end, .told)
    return facts
  }
}

extension Recognizer.Recognition {
  fileprivate func adding(_ problems: [PagingError]) -> Recognizer.Recognition {
    var copy = self
    copy.facts.problems += problems.filter { !copy.facts.problems.contains($0) }
    return copy
  }
}

/// What to declare where nothing was recognized.
enum Declarations {
  static func unknown(moreIsCertain: Bool) -> String {
    "how pages are requested, such as paging: .pageNumber(), .offset(limit: 20) or .cursor(at: …)"
      + (moreIsCertain ? "" : ", or paging: .single if this is the whole list")
  }
}

/// A convention that a response follows.
struct Finding {
  /// The paging, or several where the response doesn't say which parameter to use, the likeliest first.
  var pagings: [Paging]
  /// What the response has, in one sentence.
  var reason: String
  /// The place of the response's own page, as these pagings count.
  var place = PageKey.Place.start
  var grounds = RecognizedPaging.Grounds.stated
  /// How many of the pagings are so likely that an empty response to them is the end of the list.
  var certain = 0

  init(
    _ paging: Paging, _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .stated
  ) {
    self.init([paging], reason, at: place, grounds)
  }

  init(
    _ pagings: [Paging], _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .stated
  ) {
    self.pagings = pagings
    self.reason = reason
    self.place = place
    self.grounds = grounds
  }
}

extension Paging {
  /// Returns what the paging reads from a response at a place in its own counting.
  func facts(in page: PageResponse, at place: PageKey.Place) -> PageFacts {
    var page = page
    page.key = PageKey(place, size: page.key.size)
    return strategy.facts(in: page)
  }

  /// Whether another paging requests a page with the same parameters.
  func asks(like other: Paging, for key: PageKey) -> Bool {
    text(for: key) == other.text(for: key)
  }

  /// Returns the parameters that request a page, such as `page=2`.
  func text(for key: PageKey) -> String {
    var call = Call()
    do throws(PagingError) {
      try strategy.apply(key, to: &call)
    } catch {
      return "\(self)"
    }
    let params = call.params.items.map { "\($0.name)=\($0.value.texts.joined(separator: ","))" }
    let body = call.body.map { _ in String(decoding: call.bodyBytes ?? [], as: UTF8.self) }
    return (params + [body].compactMap(\.self)).joined(separator: "&")
  }
}

extension PageKey.Trial.Candidate {
  /// The parameters to request, such as `page=2`.
  var text: String { paging.text(for: key) }
}
