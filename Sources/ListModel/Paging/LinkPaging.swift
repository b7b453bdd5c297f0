internal import ItemMapping
internal import ServerAPI

/// Pages that are chained by the `Link` header.
package struct LinkPaging: PageStrategy {
  package var addresses: PageAddresses
  package var total: AnswerPlace?

  var way: Paging.Way { .link(self) }
  var first: PageKey { PageKey(.start) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try addresses.follow(key, in: &call)
  }

  func facts(in answer: PageAnswer) -> PageFacts {
    func link(_ relations: String...) -> PageLink {
      let link = relations.lazy.compactMap { answer.response.link($0) }.first
      return link.map { addresses.link(to: $0.target, in: answer) } ?? .end
    }
    let verdict = PageVerdict(total.map { [.total($0)] } ?? [], answer, at: PagePosition())
    return PageFacts(
      next: link("next"), previous: link("prev", "previous"), total: verdict.total,
      problems: verdict.problems)
  }

  var declaration: String {
    Declaration("link")
      .with("total", total, unless: nil)
      .with("keeping", addresses.keeping, unless: [])
      .text
  }
}
