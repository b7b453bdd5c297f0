public import ServerAPI

// Indirect, so that what may hold one stays small.
/// Why a list can't continue, or a fact in a response that can't be true.
public indirect enum PagingError: Error, Hashable, Sendable {
  /// The next page is at an origin other than the list's home.
  case otherOrigin(String, expected: WebURL.Origin)
  /// The link to the next page is not a valid address.
  case badLink(String, RequestError)
  /// A fact of the page is invalid.
  case wrongFact(String, expected: String, found: String)
  /// Rows are missing: the server reported more of them than it sent, or at least as many.
  case fewerRows(received: Int, reported: Int, isAtLeast: Bool = false)
  /// Rows may be missing, for this reason: the server's own numbers or words contradict the received rows.
  case missingRows(String)
  /// The list was read to its end, but less can be claimed of its rows than was asked for.
  case lowClaim(Consistency.Claim, asked: Consistency.Claim)
  /// Rows are missing, because this number of them could not be read. `first` is the reason for the first one.
  case unreadableRows(Int, first: String)
  /// The response has nothing where the address or cursor of the next page should be, and there is more for
  /// this reason. The hint says what to declare instead.
  case nextPageNotFound(String, because: String, hint: String)
  /// The call can't request the page: a placeholder is missing, or the body isn't JSON.
  case wrongCall(String)
  /// The server sent the same page again without new rows, so continuing would never end.
  case noProgress(PageKey)
  /// This number of pages in a row had no new row, and there may be more.
  case emptyPages(Int)
  /// The list was not found: the response has no array, or several that could be the list.
  case listNotFound(String, hint: String)
  /// The paging was not recognized. `seen` is what the response has, `declaration` what to declare.
  case notRecognized(seen: String, declaration: String)
  /// Pages of this paging can't be loaded by number.
  case notNumbered(String)
  /// There is no page with this number, as pages are counted from 0.
  case noSuchPage(Int)
  /// The rows come in parts, which can't be merged for this reason.
  case unmergeableRows(String)
  /// Pages before those on the screen were not kept.
  case notKept
  /// Code of the program threw, with this text.
  case custom(String)
}

extension PagingError: CustomStringConvertible {
  /// One line: what failed, the cause, and what to do.
  public var description: String { explanation.cause + (explanation.hint.map { "; \($0)" } ?? "") }

  /// Whether the next page is on `http` while the list's home is on `https`, which no setting allows.
  package var stepsDown: Bool {
    guard case .otherOrigin(let address, let expected) = self else { return false }
    return address.hasPrefix("http:") && expected.scheme == "https"
  }

  /// What failed and why, and what to do.
  package var explanation: (cause: String, hint: String?) {
    switch self {
    case .otherOrigin(let address, let expected):
      (
        "can't load the next page from \(address): the list's origin is \(expected)",
        stepsDown
          ? "a list never steps down from https to http" : "set allowsOtherOrigins to allow it"
      )
    case .badLink(let text, let error): ("can't follow the link “\(text)”: \(error)", nil)
    case .wrongFact(let place, let expected, let found):
      (
        "wrong paging data in the response: \(place), expected \(expected), found \(found)", nil
      )
    case .fewerRows(let received, let reported, let isAtLeast):
      (Self.missing(received, of: reported, isAtLeast), nil)
    case .missingRows(let reason): ("rows may be missing: \(reason)", nil)
    case .lowClaim(let found, let asked):
      ("the list is not known to be \(asked.name): \(Consistency(found))", nil)
    case .unreadableRows(let count, let first):
      (
        "\(count) \(count == 1 ? "row" : "rows") could not be read: \(first)",
        "set acceptsUnreadableRows if such rows are meant to be left out"
      )
    case .nextPageNotFound(let place, let reason, let hint):
      ("can't find the next page: the response has no “\(place)”, but \(reason)", hint)
    case .wrongCall(let reason): ("can't request a page: \(reason)", nil)
    case .noProgress(let key):
      (
        "can't continue: the server sent no new rows for \(key.place)",
        "check that the paging and its parameters fit the server"
      )
    case .emptyPages(let count):
      (
        "can't continue: the server sent \(count) pages in a row without a new row",
        "check the paging, or raise maximumEmptyPages"
      )
    case .listNotFound(let reason, let hint): ("can't find the list: \(reason)", hint)
    case .notRecognized(let seen, let declaration):
      ("can't tell how this server pages: \(seen)", "declare \(declaration)")
    case .notNumbered(let paging):
      ("can't load a page by number: \(paging) has no page numbers", nil)
    case .noSuchPage(let number):
      ("can't load page \(number): pages are counted from 0", nil)
    case .unmergeableRows(let reason):
      ("can't merge the parts of rows: \(reason)", "set the identity of the rows")
    case .notKept:
      ("can't load previous pages: they were not kept", "refresh the list to load them")
    case .custom(let reason): (reason, nil)
    }
  }

  private static func missing(_ received: Int, of reported: Int, _ isAtLeast: Bool) -> String {
    let least = isAtLeast ? "at least " : ""
    let missing = reported - received
    let verb = missing == 1 ? "row is" : "rows are"
    return received == 0
      ? "all rows are missing: the server reported \(least)\(reported.grouped)"
      : "\(least)\(missing.grouped) of \(reported.grouped) \(verb) missing: the server reported "
        + "\(least)\(reported.grouped)"
  }

  /// What to say of a list that has fewer pages than the server reports.
  static func missingPages(after read: Int, of reported: Int) -> String {
    "the server reported \(reported.grouped) pages, but the list ended after \(read.grouped)"
  }

  /// How many rows are missing, if that is known.
  package var missingRows: Int? {
    guard case .fewerRows(let received, let reported, isAtLeast: false) = self else { return nil }
    return reported - received
  }
}

extension Int {
  /// The number with separators between thousands: `10,000`.
  package var grouped: String {
    let digits = String(magnitude)
    let text = digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
      text.append(digit.element)
    }
    return self < 0 ? "-" + text : text
  }
}
