public import ItemMapping
internal import ServerAPI

extension Paging {
  /// Finds out from the first answers how the server pages.
  ///
  /// ```swift
  /// ListModel<Issue>(server, "/repos/swiftlang/swift/issues", paging: .automatic)
  /// ```
  ///
  /// Known are links in headers and bodies, cursors and tokens, numbers of pages, offsets and Relay
  /// connections as public services have them. Where an answer says that there is more but not how
  /// to get it, the usual parameters are tried, and one is believed only when the rows show that the
  /// answer is the next page. When it can't be told, the list stops as incomplete and says what
  /// to declare. ``RecognizedPaging`` is what was found, printed as that declaration.
  public static var automatic: Paging { Paging(strategy: AutomaticPaging()) }
}

/// The paging of a list whose server has yet to show what it speaks.
///
/// It asks for the first page as the call stands, and for the candidates of a trial. All other pages
/// are asked for by the paging that was recognized; ``Recognizer`` says how.
struct AutomaticPaging: PageStrategy {
  var way: Paging.Way { .automatic }
  var first: PageKey { PageKey(.start) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    switch key.place {
    case .start: break
    case .trial(let trial):
      try trial.candidate.paging.strategy.ask(for: trial.candidate.key, in: &call)
    default: throw .foreignKey(key, expected: "the start, or a trial")
    }
  }

  func facts(in answer: PageResponse) -> PageFacts { recognition(in: answer).facts }

  func recognition(in answer: PageResponse) -> Recognizer.Recognition {
    Recognizer.recognize(answer)
  }

  var declaration: String { ".automatic" }
}

/// What ``Paging/automatic`` found out about a list: printed, it is what to write in its place.
///
/// ```
/// items: "data.list", paging: .pageNumber(size: 20, endsBy: .total("data.total"))
/// ```
///
/// A declaration saves the first answer from being searched, and it stays the same when the server
/// changes its answers.
public struct RecognizedPaging: Hashable, Sendable {
  /// What the choice rests on, the surest first.
  public enum Grounds: Hashable, Sendable {
    /// The answer says where the next page is.
    case said
    /// The answer has the facts of a known convention.
    case concluded
    /// It was tried, and the rows showed that it works.
    case tried
  }

  /// The paging, as it could have been declared.
  public var paging: Paging
  /// Where the rows are.
  public var itemsPath: JSONPath
  /// What the choice rests on.
  public var grounds: Grounds
  /// What was seen, in one sentence.
  public var reason: String

  init(paging: Paging, itemsPath: JSONPath, grounds: Grounds, reason: String) {
    self.paging = paging
    self.itemsPath = itemsPath
    self.grounds = grounds
    self.reason = reason
  }
}

extension RecognizedPaging: CustomStringConvertible {
  /// The arguments to write: `items: "data.list", paging: .pageNumber(size: 20)`.
  public var description: String {
    itemsPath == .root ? "paging: \(paging)" : "items: \(itemsPath.declared), paging: \(paging)"
  }
}
