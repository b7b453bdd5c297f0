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
  /// case .accepted(let found, let repeated): …  // it is the next page, after `repeated` known rows
  /// case .end(let found): …                     // proven: there is no more
  /// case .next(let trial): …                    // request trial.candidate
  /// case .stopped(let error): …                 // no candidate is left
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
    /// Why a trial is needed.
    let reason: String
    /// The parameters of the rejected candidates.
    private(set) var tried: [String] = []

    /// The candidate to request now.
    var candidate: Candidate { candidates[0] }

    /// Creates a trial; `nil` without candidates or without a row to compare with.
    init?(
      _ candidates: [Candidate], seen: RowFingerprints, total: Int?, moreIsCertain: Bool,
      reason: String
    ) {
      guard !candidates.isEmpty, seen.count > 0 else { return nil }
      self.candidates = candidates
      self.seen = seen
      self.total = total
      self.moreIsCertain = moreIsCertain
      self.reason = reason
    }

    /// Returns the verdict when the candidate is rejected: the next candidate, or the end of the trial.
    func without(_ change: (inout [Candidate]) -> Void = { _ in }) -> TrialVerdict {
      var trial = self
      trial.tried.append(candidate.text)
      trial.candidates.removeFirst()
      change(&trial.candidates)
      return trial.candidates.isEmpty ? .stopped(trial.error) : .next(trial)
    }

    /// Returns the paging of the candidate, once a response has shown that it works.
    func found(in page: PageResponse) -> RecognizedPaging {
      RecognizedPaging(
        paging: candidate.paging, itemsPath: page.itemsPath, grounds: .tried,
        reason: "\(reason); \(candidate.text) was tried, and the rows show that it works")
    }

    /// The error where no candidate is left.
    private var error: PagingError {
      .notRecognized(
        seen: "\(reason); tried \(tried.joined(separator: ", ")) without success",
        declaration: Declarations.unknown(moreIsCertain: moreIsCertain))
    }
  }
}

/// What a response to a candidate of a ``PageKey/Trial`` shows.
enum TrialVerdict: Hashable, Sendable {
  /// It is the next page. Its first `repeated` rows are the last ones of the page before.
  case accepted(RecognizedPaging, repeated: Int)
  /// The server uses this paging, and there is no further page.
  case end(RecognizedPaging)
  /// It is not the next page; this trial has the remaining candidates.
  case next(PageKey.Trial)
  /// It is not the next page, and no candidate is left.
  case stopped(PagingError)
}

extension PageKey.Trial {
  /// Returns what the response to ``candidate`` shows.
  func judge(_ page: PageResponse) -> TrialVerdict {
    guard let rows = page.rows, rows.kind == .array else { return rejected() }
    let repeats = seen.seen(in: rows)
    switch candidate.expected {
    case .samePage:
      return repeats.count == seen.count && repeats.allSatisfy(\.self)
        ? .end(found(in: page)) : rejected()
    case .nextPageBehindLastRow:
      return judgeOverlap(rows, repeats, page)
    case .nextPage:
      if repeats.isEmpty { return judgeEmpty(page) }
      if !repeats.contains(true), isOfTheSameList(page) {
        return .accepted(found(in: page), repeated: 0)
      }
      let isSamePage = repeats.count == seen.count && repeats.allSatisfy(\.self)
      return rejected(afterSamePage: isSamePage)
    }
  }

  /// Returns the verdict when the server rejected the parameter with a status such as 400.
  func rejected() -> TrialVerdict { without() }

  private func judgeOverlap(
    _ rows: JSONView, _ repeats: [Bool], _ page: PageResponse
  ) -> TrialVerdict {
    guard let first = rows[0], seen.isLast(first), !repeats.dropFirst().contains(true),
      isOfTheSameList(page)
    else { return rejected() }
    if repeats.count > 1 { return .accepted(found(in: page), repeated: 1) }
    return moreIsCertain ? rejected() : .end(found(in: page))
  }

  private func judgeEmpty(_ page: PageResponse) -> TrialVerdict {
    if moreIsCertain { return rejected() }
    if candidate.emptyIsEnd { return .end(found(in: page)) }
    // Page 1 is empty: the end if pages are counted from 0, which page 0 shows.
    guard case .number(1) = candidate.key.place,
      let start = candidate.paging.strategy.key(ofPage: 0), start.place == .number(0)
    else { return rejected() }
    let proof = Candidate(paging: candidate.paging, key: start, expected: .samePage)
    return without { $0.insert(proof, at: 0) }
  }

  private func rejected(afterSamePage isSamePage: Bool) -> TrialVerdict {
    guard isSamePage, case .number(1) = candidate.key.place else { return without() }
    // Page 1 was the first page, so an empty page 2 of the same parameter is the end.
    return without { others in
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
