public import ItemMapping
internal import ServerAPI

extension Paging {
  /// Recognizes from the first responses how the server pages.
  ///
  /// ```swift
  /// ListModel<Issue>(server, "/repos/swiftlang/swift/issues", paging: .automatic)
  /// ```
  ///
  /// It knows links in headers and bodies, cursors and tokens, page numbers, offsets and Relay
  /// connections as public services use them. Where a response says that there is more but not how
  /// to request it, the usual parameters are tried, and one is accepted only when the rows show that the
  /// response is the next page. Where none is, the list stops as incomplete, with an error that says what
  /// to declare. ``RecognizedPaging`` has the result, printed as that declaration.
  public static var automatic: Paging { Paging(strategy: AutomaticPaging()) }
}

/// The paging of a list whose server has not been recognized yet.
///
/// It requests the first page with the unchanged call, and the candidates of a trial. All other pages
/// are requested by the recognized paging; ``Recognizer`` says how.
struct AutomaticPaging: PageStrategy {
  var way: Paging.Way { .automatic }
  var first: PageKey { PageKey(.start) }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    switch key.place {
    case .start: break
    case .trial(let trial):
      try trial.candidate.paging.strategy.apply(trial.candidate.key, to: &call)
    default: throw .foreignKey(key, expected: "the start or a trial")
    }
  }

  func facts(in page: PageResponse) -> PageFacts { Recognizer.recognize(page).facts }

  var declaration: String { ".automatic" }
}

extension PageStrategy {
  /// Returns what a response says about its place, and the paging that it shows where none was declared.
  func recognition(in page: PageResponse) -> Recognizer.Recognition {
    if case .automatic = way { return Recognizer.recognize(page) }
    var facts = facts(in: page)
    if facts.next == .end, let place = placeOfNext, page.value(at: place) == nil {
      if let found = page.unreadable(at: place) {
        facts.next = .stopped(.wrongFact("\(place)", expected: "JSON", found: found))
      } else {
        facts.next = page.link(missingAt: place, of: way, size: declaredSize)
      }
    }
    return Recognizer.Recognition(facts: facts)
  }
}

/// The paging that ``Paging/automatic`` recognized, printed as the declaration to replace it with.
///
/// ```
/// items: "data.list", paging: .pageNumber(size: 20, endsBy: .total("data.total"))
/// ```
///
/// A declaration saves the search in the first response, and it doesn't change when the server
/// changes its responses.
public struct RecognizedPaging: Hashable, Sendable {
  /// The grounds of the choice, the most certain first.
  public enum Grounds: Hashable, Sendable {
    /// The response says where the next page is.
    case stated
    /// The response has the facts of a known convention.
    case inferred
    /// The paging was tried, and the rows showed that it works.
    case tried
  }

  /// The paging, as a program would declare it.
  public var paging: Paging
  /// Where the rows are.
  public var itemsPath: JSONPath
  /// The grounds of the choice.
  public var grounds: Grounds
  /// What the response has, in one sentence.
  public var reason: String

  init(paging: Paging, itemsPath: JSONPath, grounds: Grounds, reason: String) {
    self.paging = paging
    self.itemsPath = itemsPath
    self.grounds = grounds
    self.reason = reason
  }
}

extension RecognizedPaging: CustomStringConvertible {
  /// The arguments to declare: `items: "data.list", paging: .pageNumber(size: 20)`.
  public var description: String {
    itemsPath == .root ? "paging: \(paging)" : "items: \(itemsPath.declared), paging: \(paging)"
  }
}
