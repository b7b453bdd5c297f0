internal import ItemMapping
internal import ServerAPI

extension PageKey {
  /// Ways to go on that are yet to be tried, best first, and how to see whether one did.
  ///
  /// A trial belongs where an answer says that there is more, or says nothing at all, and no convention
  /// tells how to ask for it. Its candidates are asked one after the other:
  ///
  /// ```swift
  /// switch trial.judge(answer) {
  /// case .accepted(let found, let repeated): …  // the page is the next one, behind `repeated` old rows
  /// case .end(let found): …                     // proven: there is no more
  /// case .next(let trial): …                     // ask trial.candidate
  /// case .stopped(let error): …                  // nobody knows
  /// }
  /// ```
  ///
  /// **What is believed.** A server that does not know a parameter ignores it and sends the first page
  /// again, so rows decide and nothing else: an answer is the next page when it has rows, none of them
  /// was there before, and its total, if it says one, is about the one of the page before.
  /// - Offsets ask for one row too many at the front. The last row has to come again as the first,
  ///   which proves that the server counts rows and begins where it should.
  /// - Page numbers are tried as counted from 0 and then from 1. The other way round, a server that
  ///   counts from 0 would skip a page, and nobody would see it.
  ///
  /// **What proves the end.** An empty answer does not: it is also what a parameter gives that means
  /// something else, such as a filter. It does once the parameter is known to be understood, and where
  /// nothing says that there is more:
  /// - an offset answers with the last row alone,
  /// - page 1 is the first page again and page 2 is empty,
  /// - page 1 is empty and page 0 is the first page again.
  public struct Trial: Hashable, Sendable {
    /// One way to go on.
    struct Candidate: Hashable, Sendable {
      /// What the server would speak.
      var paging: Paging
      /// What to ask to find out.
      var key: PageKey
      /// What the answer should be.
      var expected = Expectation.nextPage
      /// Whether the parameter is known to be understood, so that an empty answer is the end.
      var emptyIsEnd = false
    }

    enum Expectation: Hashable, Sendable {
      /// Rows that were not there before.
      case nextPage
      /// The last row again, then rows that were not there before.
      case nextPageBehindLastRow
      /// The same page, which proves that the empty one before it was the end.
      case samePage
    }

    /// What to ask, one after the other; never empty.
    private(set) var candidates: [Candidate]
    /// The rows of the page before, to tell another page from the same one.
    let seen: RowFingerprints
    /// How many rows the page before said that there are in all.
    let total: Int?
    /// Whether the page before says that there is more.
    let moreIsCertain: Bool
    /// Why it has to be tried.
    let reason: String
    /// What was asked in vain, as parameters.
    private(set) var tried: [String] = []

    /// What to ask now.
    var candidate: Candidate { candidates[0] }

    /// A trial of these ways; absent where there is none, or no row to compare with.
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

    /// What follows when the candidate leads nowhere: others, or the next one.
    func without(_ change: (inout [Candidate]) -> Void = { _ in }) -> TrialVerdict {
      var trial = self
      trial.tried.append(candidate.text)
      trial.candidates.removeFirst()
      change(&trial.candidates)
      return trial.candidates.isEmpty ? .stopped(trial.error) : .next(trial)
    }

    /// The paging of the candidate, now that an answer has shown that it works.
    func found(in answer: PageResponse) -> RecognizedPaging {
      RecognizedPaging(
        paging: candidate.paging, itemsPath: answer.itemsPath, grounds: .tried,
        reason: "\(reason); \(candidate.text) was tried, and the rows show that it is understood")
    }

    /// Why the list ends here though nobody said that it does.
    private var error: PagingError {
      .notRecognized(
        seen: "\(reason); tried \(tried.joined(separator: ", ")) in vain",
        declaration: Declarations.unknown(moreIsCertain: moreIsCertain))
    }
  }
}

/// What an answer to a candidate of a ``PageKey.Trial`` shows.
enum TrialVerdict: Hashable, Sendable {
  /// It is the next page. So many rows at its beginning are those the page before ended with.
  case accepted(RecognizedPaging, repeated: Int)
  /// The server speaks this paging, and there is no further page.
  case end(RecognizedPaging)
  /// It is not; this is to be tried next.
  case next(PageKey.Trial)
  /// It is not, and there is nothing else to try.
  case stopped(PagingError)
}

extension PageKey.Trial {
  /// What the answer to ``candidate`` shows.
  func judge(_ answer: PageResponse) -> TrialVerdict {
    guard let rows = answer.rows, rows.kind == .array else { return refused() }
    let repeats = seen.seen(in: rows)
    switch candidate.expected {
    case .samePage:
      return repeats.count == seen.count && repeats.allSatisfy(\.self)
        ? .end(found(in: answer)) : refused()
    case .nextPageBehindLastRow:
      return judgeOverlap(rows, repeats, answer)
    case .nextPage:
      if repeats.isEmpty { return judgeEmpty(answer) }
      if !repeats.contains(true), isOfTheSameList(answer) {
        return .accepted(found(in: answer), repeated: 0)
      }
      let isSamePage = repeats.count == seen.count && repeats.allSatisfy(\.self)
      return refused(afterSamePage: isSamePage)
    }
  }

  /// What follows when the server refused the parameter with a status such as 400.
  func refused() -> TrialVerdict { without() }

  private func judgeOverlap(
    _ rows: JSONView, _ repeats: [Bool], _ answer: PageResponse
  ) -> TrialVerdict {
    guard let first = rows[0], seen.isLast(first), !repeats.dropFirst().contains(true),
      isOfTheSameList(answer)
    else { return refused() }
    if repeats.count > 1 { return .accepted(found(in: answer), repeated: 1) }
    return moreIsCertain ? refused() : .end(found(in: answer))
  }

  private func judgeEmpty(_ answer: PageResponse) -> TrialVerdict {
    if moreIsCertain { return refused() }
    if candidate.emptyIsEnd { return .end(found(in: answer)) }
    // Page 1 is empty: the end if pages count from 0, which page 0 shows.
    guard case .number(1) = candidate.key.place,
      let start = candidate.paging.strategy.key(ofPage: 0), start.place == .number(0)
    else { return refused() }
    let proof = Candidate(paging: candidate.paging, key: start, expected: .samePage)
    return without { $0.insert(proof, at: 0) }
  }

  private func refused(afterSamePage isSamePage: Bool) -> TrialVerdict {
    guard isSamePage, case .number(1) = candidate.key.place else { return without() }
    // Page 1 was the first page, so an empty page 2 of the same parameter is the end.
    return without { others in
      guard let other = others.first, other.key.place == .number(2) else { return }
      others[0].emptyIsEnd = other.paging.asks(like: candidate.paging, for: other.key)
    }
  }

  /// Another list, such as one that a parameter narrowed, has another total. A few rows may have
  /// come or gone.
  private func isOfTheSameList(_ answer: PageResponse) -> Bool {
    guard let total, let other = Evidence(answer).total?.value else { return true }
    return abs(total - other) <= seen.count
  }
}
