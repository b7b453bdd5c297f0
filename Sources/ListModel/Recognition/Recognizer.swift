internal import ItemMapping
internal import ServerAPI

/// Tells from one answer which paging the server speaks.
///
/// The loader of a list with ``Paging/automatic`` drives it:
/// 1. It finds the rows with ``ListFinder`` where nobody said where they are, and asks
///    ``recognize(_:)`` with the first answer. From then on it keeps what was recognized, and later
///    pages are asked for and read by that paging alone.
/// 2. Where the next page is a ``PageKey/Place/trial(_:)``, it asks for `trial.candidate.key` by
///    `trial.candidate.paging` and gives the answer to ``PageKey.Trial/judge(_:)``, until a candidate is
///    accepted, proves the end, or none is left. An error status that blames the call (400, 404, 405,
///    414, 422, 501) is ``PageKey.Trial/refused()``; any other failure fails the load, and the key of the
///    next page stays as it is.
/// 3. An accepted page is read by the accepted paging under the key of the candidate, and
///    `repeated` rows at its beginning are left out, as the list has them.
///
/// A refresh begins with the first answer again.
enum Recognizer {
  /// What is known after the first answer.
  struct Recognition: Hashable, Sendable {
    var facts: PageFacts
    /// The paging; absent where it has to be tried, or where the list ends before it matters.
    var recognized: RecognizedPaging?
  }

  /// The conventions, those that lead to a page before those that count.
  private static let rules: [@Sendable (Evidence) -> Finding?] = [
    { $0.linkHeader }, { $0.nextPageHeader }, { $0.connection }, { $0.nextURL },
    { $0.continuation },
    { $0.token }, { $0.lastRow }, { $0.nextNumber }, { $0.pageNumbers }, { $0.offsets },
    { $0.contentRange }, { $0.pageHeaders },
  ]

  /// What an answer to the first call of a list says of its place.
  static func recognize(_ answer: PageResponse) -> Recognition {
    let evidence = Evidence(answer)
    var ended: Recognition?
    for rule in rules {
      guard let finding = rule(evidence) else { continue }
      let recognition = follow(finding, evidence)
      // One convention may say that it ends while another leads on: what leads on is believed.
      if recognition.facts.next != .end { return recognition.adding(evidence.problems) }
      ended = ended ?? recognition
    }
    return (undecided(ended, evidence)).adding(evidence.problems)
  }

  /// What the paging of a finding makes of the answer.
  private static func follow(_ finding: Finding, _ evidence: Evidence) -> Recognition {
    let facts = finding.pagings.map { $0.facts(in: evidence.answer, at: finding.place) }
    if finding.pagings.count > 1, case .page = facts[0].next {
      let candidates = zip(finding.pagings, facts).compactMap { paging, facts in
        if case .page(let key) = facts.next {
          PageKey.Trial.Candidate(paging: paging, key: key)
        } else {
          nil
        }
      }
      return trying(
        candidates, evidence, moreIsCertain: true,
        "\(finding.reason), but not which parameter it goes to", facts[0])
    }
    return Recognition(
      facts: evidence.limiting(facts[0], finding.grounds),
      recognized: RecognizedPaging(
        paging: finding.pagings[0], itemsPath: evidence.answer.itemsPath,
        grounds: finding.grounds, reason: finding.reason))
  }

  /// Where nothing leads on.
  private static func undecided(_ ended: Recognition?, _ evidence: Evidence) -> Recognition {
    var facts = ended?.facts ?? PageFacts(next: .end)
    facts.total = facts.total ?? evidence.total?.value ?? evidence.headerTotal?.total
    if let more = evidence.more {
      let reason = ended.map { _ in "\(more), but nothing leads there" } ?? more
      return trying(
        UsualParameters(evidence).candidates, evidence, moreIsCertain: true, reason, facts)
    }
    if let ended { return ended }
    if evidence.complete != nil || evidence.answer.count == 0 {
      facts.next = .end
      return Recognition(facts: facts)
    }
    return trying(
      UsualParameters(evidence).candidates, evidence, moreIsCertain: false,
      "\(evidence.answer.count) rows came, and nothing says whether there are more", facts)
  }

  private static func trying(
    _ candidates: [PageKey.Trial.Candidate], _ evidence: Evidence, moreIsCertain: Bool,
    _ reason: String, _ facts: PageFacts
  ) -> Recognition {
    var facts = facts
    let trial = evidence.answer.rows.flatMap { rows in
      PageKey.Trial(
        candidates, seen: RowFingerprints(of: rows), total: evidence.total?.value,
        moreIsCertain: moreIsCertain, reason: reason)
    }
    facts.next =
      trial.map { .page(PageKey(.trial($0))) }
      ?? .stopped(
        .notRecognized(
          seen: reason, declaration: Declarations.unknown(moreIsCertain: moreIsCertain)))
    return Recognition(facts: facts)
  }
}

extension Evidence {
  /// What is counted leads nowhere where the answer says in a word that it is the last page.
  fileprivate func limiting(
    _ facts: PageFacts, _ grounds: RecognizedPaging.Grounds
  ) -> PageFacts {
    guard grounds == .concluded, isLast?.value == true || hasMore?.value == false else {
      return facts
    }
    var facts = facts
    facts.next = .end
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

/// What could be written where nothing was recognized.
enum Declarations {
  static func unknown(moreIsCertain: Bool) -> String {
    "how pages are asked for, such as paging: .pageNumber(), .offset(limit: 20) or .cursor(at: …)"
      + (moreIsCertain ? "" : ", or paging: .single if this is the whole list")
  }
}

/// A convention that an answer follows.
struct Finding {
  /// The paging, or several where the answer leaves open which parameter it goes to, likeliest first.
  var pagings: [Paging]
  /// What was seen, in one sentence.
  var reason: String
  /// Where the answer's own page is, as these pagings count.
  var place = PageKey.Place.start
  var grounds = RecognizedPaging.Grounds.said

  init(
    _ paging: Paging, _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .said
  ) {
    self.init([paging], reason, at: place, grounds)
  }

  init(
    _ pagings: [Paging], _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .said
  ) {
    self.pagings = pagings
    self.reason = reason
    self.place = place
    self.grounds = grounds
  }
}

extension Paging {
  /// What the paging makes of an answer that was found at a place of its own counting.
  func facts(in answer: PageResponse, at place: PageKey.Place) -> PageFacts {
    var answer = answer
    answer.key = PageKey(place, size: answer.key.size)
    return strategy.facts(in: answer)
  }

  /// Whether another paging asks for a page with the same parameters.
  func asks(like other: Paging, for key: PageKey) -> Bool {
    text(for: key) == other.text(for: key)
  }

  /// What asks for a page, as `page=2`.
  func text(for key: PageKey) -> String {
    var call = Call()
    do throws(PagingError) {
      try strategy.ask(for: key, in: &call)
    } catch {
      return "\(self)"
    }
    let params = call.params.items.map { "\($0.name)=\($0.value.texts.joined(separator: ","))" }
    let body = call.body.map { _ in String(decoding: call.bodyBytes ?? [], as: UTF8.self) }
    return (params + [body].compactMap(\.self)).joined(separator: "&")
  }
}

extension PageKey.Trial.Candidate {
  /// What is asked, as `page=2`.
  var text: String { paging.text(for: key) }
}
