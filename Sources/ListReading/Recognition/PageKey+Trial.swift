internal import ItemMapping
internal import ServerAPI

extension PageKey {
  /// Ways to request the next page that are still to be tried, best first, and how to judge the responses.
  ///
  /// A trial is needed where a response says that there is more, or doesn't say, and no convention
  /// tells how to request it. Its candidates are requested one after the other:
  ///
  /// ```swift
  /// switch trial.judge(page) {
  /// case .accepted(let found, let key, let repeated): …  // the next page, after `repeated` known rows
  /// case .end(let found): …                     // proven: there is no more
  /// case .next(let trial): …                    // request trial.candidate
  /// case .stopped(let error, let tried): …      // no candidate is left
  /// }
  /// ```
  ///
  /// **What is accepted.** A server that doesn't know a parameter ignores it and sends the first page
  /// again. So only rows decide: a response is the next page when it has rows, none of them
  /// is known, and its total, if it has one, is close to the total of the page before.
  /// - Offsets request one extra row at the front. The last row has to be repeated as the first one,
  ///   which proves that the server counts rows and starts at the right one.
  /// - Page numbers are tried as counted from 0 and then from 1. In the other order, a server that
  ///   counts from 0 would silently skip a page.
  ///
  /// **What proves the end.** An empty response doesn't: it may also result from a parameter that means
  /// something else, such as a filter. It does once the parameter is known to be understood and
  /// nothing says that there is more:
  /// - the response to an offset has the last row alone,
  /// - page 1 repeats the first page and page 2 is empty,
  /// - page 1 is empty and page 0 repeats the first page.
  public struct Trial: Hashable, Sendable {
    /// One way to request the next page.
    struct Candidate: Hashable, Sendable {
      /// The paging that the server may use.
      var paging: Paging
      /// The key to request.
      var key: PageKey
      /// The response that shows that the paging works.
      var expected = Expectation.nextPage
      /// Whether the parameter is known to be understood, so that an empty response is the end.
      var emptyIsEnd = false
      /// What the same request is for a server that counts from 1.
      var alternative: Alternative?
    }

    /// The paging and key of a server that counts from 1.
    struct Alternative: Hashable, Sendable {
      var paging: Paging
      var key: PageKey
    }

    enum Expectation: Hashable, Sendable {
      /// Only rows that were not on the page before.
      case nextPage
      /// The last row again, then rows that were not on the page before.
      case nextPageBehindLastRow
      /// The same page, which proves that the empty response before it was the end.
      case samePage
    }

    /// The candidates still to be requested, in order; never empty.
    private(set) var candidates: [Candidate]
    /// The rows of the page before, to tell another page from the same one.
    let seen: RowFingerprints
    /// The total number of rows in the page before.
    let total: Int?
    /// Whether the page before says that there is more.
    let moreIsCertain: Bool
    /// What says that the page before is the only one, so that the list ends if no candidate is accepted.
    let said: String?
    /// Why a trial is needed.
    let reason: String
    /// What the response has of a known convention, which the first candidate follows.
    var convention: String?
    /// The rejected candidates.
    private(set) var attempts: [TrialAttempt] = []

    /// The most requests of a trial.
    static let most = 8

    /// The candidate to request now.
    var candidate: Candidate { candidates[0] }

    /// Creates a trial; `nil` without candidates or without a row to compare with.
    init?(
      _ candidates: [Candidate], seen: RowFingerprints, total: Int?, moreIsCertain: Bool,
      said: String? = nil, reason: String
    ) {
      guard !candidates.isEmpty, seen.count > 0 else { return nil }
      self.candidates = Array(candidates.prefix(Self.most))
      self.seen = seen
      self.total = total
      self.moreIsCertain = moreIsCertain
      self.said = said
      self.reason = reason
    }

    /// Returns the verdict when the candidate is rejected: the next candidate, or the end of the trial.
    func without(
      _ outcome: TrialAttempt.Outcome, _ change: (inout [Candidate]) -> Void = { _ in }
    ) -> TrialVerdict {
      var trial = self
      trial.attempts.append(TrialAttempt(request: candidate.text, outcome: outcome))
      trial.candidates.removeFirst()
      change(&trial.candidates)
      trial.candidates = Array(trial.candidates.prefix(Self.most - trial.attempts.count))
      return trial.candidates.isEmpty
        ? .stopped(trial.error, trial.attempts) : .next(trial)
    }

    /// Returns what was tried, with the candidate as the last.
    func attempts(ending outcome: TrialAttempt.Outcome) -> [TrialAttempt] {
      attempts + [TrialAttempt(request: candidate.text, outcome: outcome)]
    }

    /// Returns the paging of the candidate, once a response has shown that it works.
    func found(in page: PageResponse, as paging: Paging? = nil) -> RecognizedPaging {
      let paging = paging ?? candidate.paging
      if let convention, attempts.isEmpty {
        return RecognizedPaging(
          paging: paging, itemsPath: page.itemsPath, grounds: .inferred, reason: convention)
      }
      return RecognizedPaging(
        paging: paging, itemsPath: page.itemsPath, grounds: .tried,
        reason: "\(reason); \(candidate.text) was tried, and the rows show that it works")
    }

    /// The error where no candidate is left.
    private var error: PagingError {
      // What a header or a body requests has no parameter.
      let tried = attempts.map(\.request).filter { !$0.isEmpty }
      return .notRecognized(
        seen: "\(reason); tried \(tried.joined(separator: ", ")) without success",
        declaration: Declarations.unknown(moreIsCertain: moreIsCertain))
    }
  }
}

/// What a response to a candidate of a ``PageKey/Trial`` shows.
enum TrialVerdict: Hashable, Sendable {
  /// It is the next page, with this key. Its first `repeated` rows are the last ones of the page before.
  case accepted(RecognizedPaging, PageKey, repeated: Int)
  /// The server uses this paging, and there is no further page.
  case end(RecognizedPaging)
  /// It is not the next page; this trial has the remaining candidates.
  case next(PageKey.Trial)
  /// It is not the next page, and no candidate is left.
  case stopped(PagingError, [TrialAttempt])
}

/// A candidate of a trial that was requested.
package struct TrialAttempt: Hashable, Sendable {
  /// What the response showed.
  package enum Outcome: Hashable, Sendable {
    case refused, noList, samePage, noRows, knownRows, otherTotal, accepted, end
  }

  /// The parameters of the request, such as `page=2`.
  package var request: String
  package var outcome: Outcome
}

extension TrialAttempt: CustomStringConvertible {
  package var description: String {
    let verdict =
      switch outcome {
      case .refused: "the server refused it"
      case .noList: "a response without the list"
      case .samePage: "the same page again"
      case .noRows: "no rows"
      case .knownRows: "rows of the page before"
      case .otherTotal: "another list, as its total shows"
      case .accepted: "the next page"
      case .end: "no more rows"
      }
    return "\(request): \(verdict)"
  }
}

extension PageKey.Trial {
  /// Returns what the response to ``candidate`` shows.
  func judge(_ page: PageResponse) -> TrialVerdict {
    guard let rows = page.rows, rows.kind == .array else { return without(.noList) }
    let repeats = seen.seen(in: rows)
    switch candidate.expected {
    case .samePage:
      return isSamePage(repeats) ? .end(found(in: page)) : without(.knownRows)
    case .nextPageBehindLastRow:
      return judgeOverlap(rows, repeats, page)
    case .nextPage:
      if repeats.isEmpty { return judgeEmpty(page) }
      // A few rows that were inserted meanwhile push the last ones of a page to the next.
      let pushed = repeats.prefix { $0 }.count
      if repeats.dropFirst(pushed).contains(true) || 4 * pushed > repeats.count {
        return rejected(afterSamePage: isSamePage(repeats))
      }
      guard isOfTheSameList(page) else { return without(.otherTotal) }
      return .accepted(found(in: page), candidate.key, repeated: pushed)
    }
  }

  /// Whether rows are those of the page before.
  func isSamePage(_ rows: JSONView) -> Bool { isSamePage(seen.seen(in: rows)) }

  private func isSamePage(_ repeats: [Bool]) -> Bool {
    repeats.count == seen.count && repeats.allSatisfy(\.self)
  }

  /// Returns the verdict when the server rejected the parameter with a status such as 400.
  func rejected() -> TrialVerdict { without(.refused) }

  private func judgeOverlap(
    _ rows: JSONView, _ repeats: [Bool], _ page: PageResponse
  ) -> TrialVerdict {
    if repeats.isEmpty { return without(.noRows) }
    if let other = candidate.alternative, repeats.count > 1, repeats[0], let second = rows[1],
      seen.isLast(second), !repeats.dropFirst(2).contains(true), isOfTheSameList(page)
    {
      let found = found(in: page, as: other.paging)
      if repeats.count > 2 { return .accepted(found, other.key, repeated: 2) }
      return moreIsCertain ? without(.knownRows) : .end(found)
    }
    guard let first = rows[0], seen.isLast(first), !repeats.dropFirst().contains(true) else {
      return without(isSamePage(repeats) ? .samePage : .knownRows)
    }
    guard isOfTheSameList(page) else { return without(.otherTotal) }
    if repeats.count > 1 { return .accepted(found(in: page), candidate.key, repeated: 1) }
    return moreIsCertain ? without(.knownRows) : .end(found(in: page))
  }

  private func judgeEmpty(_ page: PageResponse) -> TrialVerdict {
    // Some servers filter the rows of a page, which may leave none. The next cursor shows that the place was
    // understood.
    if case .after = candidate.key.place {
      var response = page
      response.key = candidate.key
      if case .page(let next) = candidate.paging.strategy.facts(in: response).next,
        next != candidate.key
      {
        return .accepted(found(in: page), candidate.key, repeated: 0)
      }
      return candidate.emptyIsEnd ? .end(found(in: page)) : without(.noRows)
    }
    if moreIsCertain { return without(.noRows) }
    if candidate.emptyIsEnd { return .end(found(in: page)) }
    // Page 1 is empty: the end if pages are counted from 0, which page 0 shows.
    guard case .number(1) = candidate.key.place,
      let start = candidate.paging.strategy.key(ofPage: 0), start.place == .number(0)
    else { return without(.noRows) }
    let proof = Candidate(paging: candidate.paging, key: start, expected: .samePage)
    return without(.noRows) { $0.insert(proof, at: 0) }
  }

  private func rejected(afterSamePage isSamePage: Bool) -> TrialVerdict {
    guard isSamePage, case .number(1) = candidate.key.place else {
      return without(isSamePage ? .samePage : .knownRows)
    }
    // Page 1 was the first page, so an empty page 2 of the same parameter is the end.
    return without(.samePage) { others in
      guard let other = others.first, other.key.place == .number(2) else { return }
      others[0].emptyIsEnd = other.paging.asks(like: candidate.paging, for: other.key)
    }
  }

  /// Whether the response is about the same list. Another list, such as one that a parameter filtered, has
  /// another total; a few rows may have been inserted or removed.
  private func isOfTheSameList(_ page: PageResponse) -> Bool {
    guard let total, let other = Evidence(page).total?.value else { return true }
    return abs(total - other) <= seen.count
  }
}
