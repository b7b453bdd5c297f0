/// What tells that a page is the last one.
///
/// ```swift
/// .pageNumber(size: 20, endsBy: .total("meta.total"))
/// .pageNumber(size: 20, endsBy: .hasNext("has_more"), .shortPage)
/// ```
///
/// Rules are asked in turn, and the first one that knows decides. A fact that is not what it should
/// be is reported in ``PageFacts/problems``, and the next rule is asked. When none knows, a page
/// without rows is the last one, and so is a page with fewer rows than a full one has turned out to
/// have: the size that was asked for proves nothing, since the server may not know that parameter.
public enum PageEnd: Hashable, Sendable {
  /// A page with fewer rows than it was asked to have is the last one. Saves a request where the
  /// server always fills its pages; loses rows where it doesn't.
  case shortPage
  /// A page without rows is the last one, and only that. Costs a request, loses nothing.
  case emptyPage
  /// How many rows there are in all stands there.
  case total(AnswerPlace)
  /// How many pages there are in all stands there.
  case pageCount(AnswerPlace)
  /// The number of the last page stands there, as the server counts.
  case lastPage(AnswerPlace)
  /// Whether there is a next page stands there.
  case hasNext(AnswerPlace)
  /// The number of the next page stands there; `null` or nothing but an empty header ends the list.
  case nextPage(AnswerPlace)
  /// The page with this number is the last one, whatever the server has.
  case page(Int)
  /// This error status in place of a page behind the first one means that there is no such page.
  case status(Int)
}

extension PageEnd: DeclarationText {
  var declared: String {
    switch self {
    case .shortPage: ".shortPage"
    case .emptyPage: ".emptyPage"
    case .total(let place): ".total(\(place.declared))"
    case .pageCount(let place): ".pageCount(\(place.declared))"
    case .lastPage(let place): ".lastPage(\(place.declared))"
    case .hasNext(let place): ".hasNext(\(place.declared))"
    case .nextPage(let place): ".nextPage(\(place.declared))"
    case .page(let number): ".page(\(number))"
    case .status(let status): ".status(\(status))"
    }
  }
}
