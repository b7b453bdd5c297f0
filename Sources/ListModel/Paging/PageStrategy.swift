internal import ServerAPI

/// One way to ask for pages. Pure: the same key gives the same call, the same answer the same facts.
protocol PageStrategy: Hashable, Sendable {
  /// Itself, as one of the ways there are.
  var way: Paging.Way { get }

  /// The page a list begins with.
  var first: PageKey { get }

  /// The page with this number, counted from 0; `nil` where pages have no numbers.
  func key(ofPage number: Int) -> PageKey?

  /// The page that comes `steps` pages behind, where that can be worked out without an answer.
  func key(_ steps: Int, after key: PageKey) -> PageKey?

  /// How many pages lie behind one in a list of so many rows, where that can be worked out.
  func pages(behind key: PageKey, of total: Int) -> Int?

  /// Whether pages before one can be had, so that a list may begin in the middle.
  var goesBack: Bool { get }

  /// Makes the call ask for a page.
  func ask(for key: PageKey, in call: inout Call) throws(PagingError)

  /// Whether an answer with this error status means that there is no such page: the end of the list
  /// and no failure.
  func isEnd(_ status: Int, for key: PageKey) -> Bool

  /// What an answer says of its place.
  func facts(in answer: PageAnswer) -> PageFacts

  /// The same, with the paging that the answer shows where none was declared.
  func recognition(in answer: PageAnswer) -> Recogniser.Recognition

  /// The declaration a program would write, such as `.pageNumber(size: 20)`.
  var declaration: String { get }
}

extension PageStrategy {
  var goesBack: Bool { true }
  func key(ofPage number: Int) -> PageKey? { nil }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { nil }
  func pages(behind key: PageKey, of total: Int) -> Int? { nil }
  func isEnd(_ status: Int, for key: PageKey) -> Bool { false }
  func recognition(in answer: PageAnswer) -> Recogniser.Recognition {
    Recogniser.Recognition(facts: facts(in: answer))
  }
}
