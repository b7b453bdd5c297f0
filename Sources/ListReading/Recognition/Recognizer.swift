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
    /// What is left to try if the recognized paging turns out to be wrong.
    var hints = PagingHints()
  }

  /// The conventions: those with a link to the next page first, then those that count.
  private typealias Rule = @Sendable (Evidence) -> Finding?
  private static let rules: [Rule] = [
    { $0.linkHeader }, { $0.addressHeader }, { $0.nextPageHeader }, { $0.connection },
    { $0.nextURL },
    { $0.continuation },
    { $0.token }, { $0.lastRow }, { $0.nextNumber }, { $0.pageNumbers }, { $0.offsets },
    { $0.contentRange }, { $0.pageHeaders },
  ]

  /// Returns what a response to the first call of a list says about its place.
  static func recognize(_ page: PageResponse) -> Recognition {
    let evidence = Evidence(page)
    var ended: (recognition: Recognition, finding: Finding)?
    for (index, rule) in rules.enumerated() {
      guard let finding = rule(evidence) else { continue }
      var recognition = follow(finding, evidence, others: rules[(index + 1)...])
      // One convention may say that the list ends while another has a next page: the next page wins.
      guard recognition.facts.next == .end else {
        if recognition.recognized != nil {
          recognition.hints.flag = evidence.flagRule
          recognition.hints.first = FirstResponse(evidence, recognizedBy: index)
        }
        return recognition.adding(evidence.problems)
      }
      // An end that is enough wins over one that has to be confirmed.
      if ended == nil || finding.isEnough && ended?.finding.isEnough == false {
        ended = (recognition, finding)
      }
    }
    return undecided(ended?.recognition, ended?.finding, evidence).adding(evidence.problems)
  }

  /// Returns what the paging of a finding reads from the response.
  private static func follow(
    _ finding: Finding, _ evidence: Evidence, others rules: ArraySlice<Rule>
  ) -> Recognition {
    let facts = finding.pagings.map { $0.facts(in: evidence.page, at: finding.place) }
    if finding.pagings.count > 1, evidence.page.count > 0, case .page = facts[0].next {
      let candidates = candidates(finding, facts)
      // A flag says that there is no more: what the cursor is most likely for is tried, and no more.
      if finding.grounds == .stated, evidence.isEndedByFlag {
        return trying(
          Array(candidates.prefix(max(1, finding.certain))), evidence, moreIsCertain: false,
          finding.reason, facts[0], said: evidence.flagSigns.deciding)
      }
      let others =
        finding.grounds == .inferred
        ? UsualParameters(evidence).candidates(without: candidates)
        : self.others(evidence, without: candidates, rules)
          + (finding.isEnough ? [] : UsualParameters(evidence).candidates.prefix(3))
      // A well-known name goes first, then what the other facts lead to. What is only called a token may be one for
      // something else.
      var likely = candidates.count
      if finding.grounds == .stated { likely = min(finding.certain, finding.isEnough ? likely : 4) }
      return trying(
        candidates.prefix(likely) + others + candidates.dropFirst(likely), evidence,
        moreIsCertain: true,
        "\(finding.reason), but doesn't say which parameter it goes to", facts[0])
    }
    if finding.grounds == .inferred, !evidence.isProvable(finding), evidence.page.count > 0,
      case .page(let key) = facts[0].next
    {
      // A flag and a page shorter than its size say the same.
      if let sign = evidence.flagSigns.deciding, evidence.isShort {
        var ended = facts[0]
        (ended.next, ended.endMember) = (.end, sign)
        return Recognition(facts: ended)
      }
      let likely = PageKey.Trial.Candidate(paging: finding.pagings[0], key: key)
      return trying(
        [likely] + UsualParameters(evidence).candidates(without: [likely]), evidence,
        moreIsCertain: true, finding.reason, facts[0], convention: finding.reason)
    }
    return Recognition(
      facts: evidence.limiting(facts[0], finding),
      recognized: RecognizedPaging(
        paging: finding.pagings[0], itemsPath: evidence.page.itemsPath,
        grounds: finding.grounds, reason: finding.reason),
      place: finding.place)
  }

  /// Returns the result where no convention has a next page.
  private static func undecided(
    _ ended: Recognition?, _ finding: Finding?, _ evidence: Evidence
  ) -> Recognition {
    var facts = ended?.facts ?? PageFacts(next: .end)
    if facts.total == nil, let total = evidence.reportedTotal {
      (facts.total, facts.isTotalAtLeast) = (total.rows, total.isAtLeast)
    }
    if let more = evidence.more ?? evidence.unusedLink {
      let reason = ended.map { _ in "\(more), but nothing leads to the next page" } ?? more
      return trying(
        usual(evidence), evidence, moreIsCertain: true, reason, facts)
    }
    let signs = evidence.endSigns(finding)
    let isProven = evidence.prove(signs)
    if evidence.page.count == 0 || isProven {
      var ended = ended ?? Recognition(facts: facts)
      ended.facts.next = .end
      // The header Link is a standard, and no guess.
      if isProven, finding?.isStandard != true { ended.facts.endMember = signs.deciding }
      if !isProven { ended.facts.endSign = .silent }
      return ended
    }
    if let sign = signs.deciding {
      return trying(
        usual(evidence), evidence, moreIsCertain: false, "only \(sign), which may not mean the end",
        facts, said: sign)
    }
    if let ended { return ended }
    let said =
      evidence.isAtStart && evidence.countsPage
      ? "the total is \(evidence.page.count)" : nil
    let missing = facts.total == nil ? "no next link, cursor or total" : "no next link or cursor"
    return trying(
      usual(evidence), evidence, moreIsCertain: false,
      "the first response has \(evidence.rowCount) and \(missing)", facts, said: said)
  }

  private static func trying(
    _ candidates: [PageKey.Trial.Candidate], _ evidence: Evidence, moreIsCertain: Bool,
    _ reason: String, _ facts: PageFacts, convention: String? = nil, said: String? = nil
  ) -> Recognition {
    var facts = facts
    var trial = evidence.page.rows.flatMap { rows in
      PageKey.Trial(
        candidates, seen: RowFingerprints(of: rows), total: evidence.total?.value,
        moreIsCertain: moreIsCertain, said: said, reason: reason)
    }
    trial?.convention = convention
    if let trial {
      facts.next = .page(PageKey(.trial(trial)))
    } else if let said {
      (facts.next, facts.endMember) = (.end, said)
    } else {
      facts.next = .stopped(
        .notRecognized(
          seen: reason, declaration: Declarations.unknown(moreIsCertain: moreIsCertain)))
    }
    return Recognition(facts: facts)
  }
}

/// The ways that remain beside the likeliest one.
extension Recognizer {
  /// The candidates of a finding that have a next page.
  private static func candidates(
    _ finding: Finding, _ facts: [PageFacts]
  ) -> [PageKey.Trial.Candidate] {
    zip(finding.pagings, facts).enumerated().compactMap { index, candidate in
      guard case .page(let key) = candidate.1.next, !key.isForeign else { return nil }
      return PageKey.Trial.Candidate(
        paging: candidate.0, key: key, emptyIsEnd: index < finding.certain)
    }
  }

  private static func candidates(
    _ finding: Finding, _ evidence: Evidence
  ) -> [PageKey.Trial.Candidate] {
    candidates(finding, finding.pagings.map { $0.facts(in: evidence.page, at: finding.place) })
  }

  /// The likeliest candidate of each other convention.
  private static func others(
    _ evidence: Evidence, without known: [PageKey.Trial.Candidate], _ rules: ArraySlice<Rule>
  ) -> [PageKey.Trial.Candidate] {
    let texts = Set(known.map(\.text))
    return rules.compactMap { $0(evidence) }
      .compactMap { finding in candidates(finding, evidence).first { !texts.contains($0.text) } }
  }

  /// The usual parameters, and what members with strange names lead to.
  private static func usual(_ evidence: Evidence) -> [PageKey.Trial.Candidate] {
    let usual = UsualParameters(evidence).candidates
    let strange = [evidence.strangeURL, evidence.strangeToken].compactMap(\.self)
      .flatMap { candidates($0, evidence).prefix(2) }
    guard !strange.isEmpty else { return usual }
    return usual.prefix(2) + strange + usual.dropFirst(2)
  }

  /// Returns what to try if the second page refutes what a rule found in the first one; `nil` if there is nothing.
  static func otherWays(than rule: Int, in page: PageResponse) -> PageKey.Trial? {
    let evidence = Evidence(page)
    guard let rows = page.rows, let finding = rules[rule](evidence) else { return nil }
    let own = candidates(finding, evidence)
    let others = others(evidence, without: own, rules[(rule + 1)...])
    let known = own + others
    let usual = usual(evidence).filter { candidate in
      !known.contains { $0.text == candidate.text }
    }
    return PageKey.Trial(
      others + usual, seen: RowFingerprints(of: rows), total: evidence.total?.value,
      moreIsCertain: true, reason: "\(finding.reason), but that leads to no other page")
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

  /// Ends a list where a flag in the response says that this is the last page. If another member names the next one,
  /// that page is requested once, and settles it.
  fileprivate func limiting(_ facts: PageFacts, _ finding: Finding) -> PageFacts {
    guard case .page(var key) = facts.next, let sign = flagSigns.first else { return facts }
    var facts = facts
    if finding.grounds == .stated || finding.namesNext {
      key.doubt = .unconfirmed
      facts.next = .page(key)
    } else if flagSigns.contains(where: \.isEnough) {
      (facts.next, facts.endSign, facts.endMember) = (.end, .said, sign.text)
    }
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
