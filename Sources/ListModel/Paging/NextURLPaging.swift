internal import ItemMapping
internal import ServerAPI

/// Pages that are chained by addresses in the answer.
package struct NextURLPaging: PageStrategy {
  package var next: AnswerPlace
  var previous: AnswerPlace?
  package var total: AnswerPlace?
  package var addresses: PageAddresses

  var way: Paging.Way { .nextURL(self) }
  var first: PageKey { PageKey(.start) }
  var goesBack: Bool { previous != nil }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try addresses.follow(key, in: &call)
  }

  func facts(in answer: PageAnswer) -> PageFacts {
    let verdict = PageVerdict(total.map { [.total($0)] } ?? [], answer, at: PagePosition())
    return PageFacts(
      next: link(at: next, in: answer),
      previous: previous.map { link(at: $0, in: answer) } ?? .end,
      total: verdict.total, problems: verdict.problems)
  }

  private func link(at place: AnswerPlace, in answer: PageAnswer) -> PageLink {
    guard let value = answer.value(at: place) else { return .end }
    // `{"href": …}` is how HAL and JSON:API may write a link.
    let address = value["href"] ?? value
    switch address {
    case .null, .bool(false), .string(""), [:], []: return .end
    case .string(let text): return addresses.link(to: text, in: answer)
    default:
      return .stopped(
        .wrongFact("\(place)", expected: "an address or null", found: value.excerpt))
    }
  }

  var declaration: String {
    Declaration("nextURL")
      .with("at", next)
      .with("previous", previous, unless: nil)
      .with("total", total, unless: nil)
      .with("keeping", addresses.keeping, unless: [])
      .with("base", addresses.base.map(BaseAddress.init), unless: nil)
      .call
  }
}

/// A base address as a program makes one.
private struct BaseAddress: DeclarationText, Equatable {
  let url: WebURL

  var declared: String { "try WebURL(\(url.description.declared))" }
}
