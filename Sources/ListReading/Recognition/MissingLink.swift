internal import ItemMapping
internal import ServerAPI

extension PageResponse {
  /// Returns what follows a page that has nothing at the place where the address or cursor of the next page
  /// should be.
  ///
  /// Many servers end their lists like that, so it is the end, but a wrong path looks the same. The first page
  /// tells them apart: if it says that there is more, or if it has as many rows as were requested, the list
  /// stops with an error instead of ending complete with a fraction of its rows.
  ///
  /// - Parameters:
  ///   - place: The declared place.
  ///   - way: The way of paging that declares it.
  ///   - size: The number of requested rows, where the paging declares it.
  func link(missingAt place: ResponseLocation, of way: Paging.Way, size: Int? = nil)
    -> PageFacts.Link
  {
    guard key.place == .start, count > 0 else { return .end }
    let evidence = Evidence(self)
    let recognized = Recognizer.recognize(self)
    var hint: String?
    var sign = evidence.more
    if case .page(let next) = recognized.facts.next {
      if case .trial(let trial) = next.place {
        if trial.moreIsCertain, sign == nil {
          (hint, sign) = (trial.candidate.paging.hint(insteadOf: way), trial.reason)
        }
      } else {
        hint = recognized.recognized?.paging.hint(insteadOf: way)
        sign = sign ?? "it leads to \(next.place)"
      }
    }
    guard
      let reason = sign
        ?? fullness(of: way, size: key.size ?? size ?? evidence.sizeParameter?.value)
    else { return .end }
    if hint == nil, case .body(let path) = place { hint = envelope?.nearNames(for: path) }
    return .stopped(.nextPageNotFound("\(place)", because: reason, hint: hint ?? "check the path"))
  }

  /// Says that the page has all rows that were requested, so that there may be more. A page without a `Link`
  /// header is no such sign: the header is left out wherever there is one page.
  private func fullness(of way: Paging.Way, size: Int?) -> String? {
    if case .link = way { return nil }
    guard let size, count >= size else { return nil }
    return "its page has all \(size) rows that were requested"
  }
}

extension Paging {
  /// What to declare instead of a way of paging whose place has nothing.
  fileprivate func hint(insteadOf other: Way) -> String {
    switch (way, other) {
    case (.nextURL(let found), .nextURL): "did you mean '\(found.next)'?"
    case (.cursor(let found), .cursor): "did you mean '\(found.next)'?"
    default: "declare \(self)"
    }
  }
}
