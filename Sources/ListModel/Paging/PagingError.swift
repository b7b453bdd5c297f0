public import ServerAPI

/// Why a list can't go on, or what an answer says of its place that can't be so.
public enum PagingError: Error, Hashable, Sendable {
  /// The next page is said to be at an origin where the list is not at home.
  case otherOrigin(String, expected: WebURL.Origin)
  /// The next page is said to be at something that is no address.
  case badLink(String, RequestError)
  /// A fact of the page is not what it should be.
  case wrongFact(String, expected: String, found: String)
  /// The call has no place for what asks for a page: a placeholder is missing, or the body is no JSON.
  case wrongCall(String, expected: String)
  /// The same page came again and brought nothing new, so going on would never end.
  case noProgress(PageKey)
  /// It is not known how to go on. `seen` is what the answer has, `declaration` what could be written.
  case notRecognized(seen: String, declaration: String)
  /// Pages of this kind can't be asked for by number.
  case notNumbered(String)
  /// Code of the program refused, in its words.
  case custom(String)
}

extension PagingError: CustomStringConvertible {
  /// One line that says what, where, and what to do.
  public var description: String { explanation.cause + (explanation.hint.map { "; \($0)" } ?? "") }

  /// Whether the next page is said to be where less is safe than at home, which nothing allows.
  package var stepsDown: Bool {
    guard case .otherOrigin(let address, let expected) = self else { return false }
    return address.hasPrefix("http:") && expected.scheme == "https"
  }

  /// What is wrong, and what to do about it.
  package var explanation: (cause: String, hint: String?) {
    switch self {
    case .otherOrigin(let address, let expected):
      (
        "the next page is said to be at \(address), and the list is at home at \(expected)",
        stepsDown
          ? "a list never steps down from https to http" : "set allowsOtherOrigins if that is meant"
      )
    case .badLink(let text, let error): ("the next page is said to be at “\(text)”: \(error)", nil)
    case .wrongFact(let place, let expected, let found):
      ("\(place) should be \(expected), found \(found)", nil)
    case .wrongCall(let place, let expected):
      ("a page can't be asked for: \(place) should have \(expected)", nil)
    case .noProgress(let key):
      ("the server sends the same rows again for \(key.place) and nothing new", nil)
    case .notRecognized(let seen, let declaration):
      ("it is not known how to go on (\(seen))", "write \(declaration)")
    case .notNumbered(let paging): ("a page can't be asked for by its number with \(paging)", nil)
    case .custom(let reason): (reason, nil)
    }
  }
}
