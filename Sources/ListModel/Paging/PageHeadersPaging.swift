internal import ServerAPI

/// Pages that have numbers, with the facts in headers.
struct PageHeadersPaging: PageStrategy {
  var next: String
  var total: String
  var pageCount: String
  private(set) var numbers: PageNumberPaging

  init(next: String, total: String, pageCount: String, numbers: PageNumberPaging) {
    self.next = next
    self.total = total
    self.pageCount = pageCount
    self.numbers = numbers
    self.numbers.pages.ends = [
      .nextPage(.header(next)), .pageCount(.header(pageCount)), .total(.header(total)),
    ]
  }

  var first: PageKey { numbers.first }
  func key(ofPage number: Int) -> PageKey? { numbers.key(ofPage: number) }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { numbers.key(steps, after: key) }
  func pages(behind key: PageKey, of total: Int) -> Int? { numbers.pages(behind: key, of: total) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try numbers.ask(for: key, in: &call)
  }

  func facts(in answer: PageAnswer) -> PageFacts { numbers.facts(in: answer) }

  var declaration: String {
    Declaration("pageHeaders")
      .with("size", numbers.pages.size, unless: nil)
      .with("first", numbers.start, unless: 1)
      .with("parameter", numbers.parameter, unless: "page")
      .with("sizeParameter", numbers.pages.sizeParameter, unless: "per_page")
      .with("next", next, unless: "X-Next-Page")
      .with("total", total, unless: "X-Total")
      .with("pageCount", pageCount, unless: "X-Total-Pages")
      .call
  }
}
