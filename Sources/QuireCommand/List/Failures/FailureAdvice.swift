internal import Quire

/// What failed and why, what to do about it with the options of a command, and what else is known.
struct FailureText: Hashable, Sendable {
  var cause: String
  var hint: String?
  /// Further lines, such as the attempts and the start of the response.
  var details: [String] = []

  init(_ cause: String, _ hint: String?, details: [String] = []) {
    (self.cause, self.hint, self.details) = (cause, hint, details)
  }

  /// Cause and hint in one line.
  var line: String { cause + (hint.map { "; \($0)" } ?? "") }

  var text: String { ([line] + details).joined(separator: "\n") }
}

/// Explains failures with the options of a command. Both commands that read a list use it.
struct FailureAdvice: Sendable {
  enum Command: Hashable, Sendable {
    case crawl(isRecorded: Bool)
    case browse
  }

  var command: Command
  /// Whether the address was typed without a scheme.
  var isSchemeAdded = false
  var hasTokenCommand = false
  /// The rows of the first page.
  var pageSize: Int?
  /// How the list is read.
  var paging = Paging.automatic

  init(_ command: Command, _ list: ListOptions) {
    self.command = command
    isSchemeAdded = list.isSchemeAdded
    hasTokenCommand = list.authentication != nil
    paging = list.paging
  }

  init(_ command: Command) { self.command = command }

  /// Explains a failed load.
  ///
  /// - Parameter response: The last response, which the error may be about.
  func text(of error: LoadError, _ response: HTTPResponse?) -> FailureText {
    switch error {
    case .request(let failure): text(of: failure)
    case .mapping(let failure): text(of: failure, response)
    case .paging(let failure): text(of: failure, response)
    case .decoding(let reason), .custom(let reason): FailureText(reason, nil)
    }
  }
}

// MARK: - Rows

extension FailureAdvice {
  /// Explains why a response has no rows.
  func text(of error: MappingError, _ response: HTTPResponse?) -> FailureText {
    switch error {
    case .invalidJSON(let fault): return ResponseText.notJSON(fault, response)
    case .notFound(let path, let found, let hint):
      let place = found.hasPrefix("$ ") ? "the response" + found.dropFirst() : found
      return FailureText(
        "no rows at “\(OptionSyntax.text(path))”: \(place)", hint,
        details: ResponseText.contents(of: response))
    case .wrongRoot, .unusable, .noReadableRows:
      return FailureText("\(error)", nil, details: ResponseText.contents(of: response))
    }
  }

  /// Explains why the place of a response in the list is unknown, or why a list ended before its end.
  func text(of error: PagingError, _ response: HTTPResponse? = nil) -> FailureText {
    let (cause, hint) = error.explanation
    switch error {
    case .otherOrigin:
      return FailureText(cause, error.stepsDown ? hint : "use --allow-other-origin to follow it")
    case .badLink(let text, let failure):
      return FailureText(
        "can't follow the link “\(text)”: \(failure.explanation.fact)",
        "check the server, or name the paging, as in --paging page")
    case .wrongFact:
      return FailureText(
        cause, "check the options that say where this is, such as --total, or leave them out")
    case .fewerRows:
      return FailureText(
        cause,
        "read the list again, or name another number with --total if this one isn't that of rows")
    case .missingRows: return FailureText(cause, "read the list again")
    case .lowClaim(_, let asked): return FailureText(cause, self.hint(for: asked))
    case .unreadableRows: return FailureText(cause, "check the server")
    case .nextPageNotFound(_, _, let hint):
      // What can be declared instead is Swift.
      let isCode = hint.hasPrefix("declare ")
      return FailureText(
        cause, isCode ? "leave the option out, so that the paging is detected" : hint)
    case .wrongCall:
      // What follows the cause is Swift.
      let problem = cause.split(separator: "; write ").first.map(String.init)
      return FailureText(problem ?? cause, "check the PLACE of the paging, --body and --form")
    case .noProgress:
      return FailureText(
        cause,
        "check the paging and its parameters"
          + (command == .browse ? "" : ", which --explain prints"))
    case .emptyPages:
      return FailureText(
        cause, command == .browse ? "check the paging" : "check the paging, or raise --max-empty")
    case .listNotFound:
      return FailureText(cause, nil, details: ResponseText.contents(of: response))
    case .notRecognized:
      return FailureText(
        cause,
        "name the paging, as in --paging page, --paging offset or --cursor PATH, or use --paging none"
          + " if this is the whole list")
    case .notNumbered, .noSuchPage: return FailureText(cause, "check the paging")
    case .unmergeableRows: return FailureText(cause, "name the ids of the rows with --id PATH")
    case .notKept, .custom: return FailureText(cause, nil)
    }
  }

  /// What to do where less is known of the rows than was asked for.
  private func hint(for claim: Consistency.Claim) -> String {
    guard claim == .whole, case .pageNumber(let numbered) = paging.way, numbered.pages.size == nil
    else { return "read the list again, or ask for less, as in --consistency seams" }
    let words =
      (paging.options ?? ["--paging", "page"]) + ["--size", pageSize.map(String.init) ?? "N"]
    return
      "--consistency whole needs --size with numbered pages, to request them in other sizes that overlap: use "
      + words.map(OptionSyntax.shellQuoted).joined(separator: " ")
      + ", and --size-param NAME unless the server calls it per_page"
  }
}
