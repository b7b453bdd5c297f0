internal import ItemMapping
internal import ServerAPI

extension PageTrial {
  /// What the answer to ``candidate`` shows.
  func judge(_ answer: PageAnswer) -> TrialVerdict {
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
    _ rows: JSONView, _ repeats: [Bool], _ answer: PageAnswer
  ) -> TrialVerdict {
    guard let first = rows[0], seen.isLast(first), !repeats.dropFirst().contains(true),
      isOfTheSameList(answer)
    else { return refused() }
    if repeats.count > 1 { return .accepted(found(in: answer), repeated: 1) }
    return moreIsCertain ? refused() : .end(found(in: answer))
  }

  private func judgeEmpty(_ answer: PageAnswer) -> TrialVerdict {
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
  private func isOfTheSameList(_ answer: PageAnswer) -> Bool {
    guard let total, let other = Evidence(answer).total?.value else { return true }
    return abs(total - other) <= seen.count
  }
}
