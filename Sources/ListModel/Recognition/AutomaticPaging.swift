internal import ItemMapping
internal import ServerAPI

/// The paging of a list whose server has yet to show what it speaks.
///
/// It asks for the first page as the call stands, and for the candidates of a trial. All other pages
/// are asked for by the paging that was recognised; ``Recogniser`` says how.
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

  func facts(in answer: PageAnswer) -> PageFacts { recognition(in: answer).facts }

  func recognition(in answer: PageAnswer) -> Recogniser.Recognition {
    Recogniser.recognise(answer)
  }

  var declaration: String { ".automatic" }
}

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
  /// to declare. ``RecognisedPaging`` is what was found, printed as that declaration.
  public static var automatic: Paging { Paging(strategy: AutomaticPaging()) }
}
