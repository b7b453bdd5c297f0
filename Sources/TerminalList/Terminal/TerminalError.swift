/// Why a terminal could not be used.
public enum TerminalError: Error, Hashable, Sendable {
  /// What the program reads from or writes to is no terminal, or one that shows nothing but lines.
  case notATerminal
  /// Another list has it.
  case isTaken
  /// The system refused, with an error number.
  case refused(what: String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// What went wrong, and what to do.
  public var description: String {
    switch self {
    case .notATerminal:
      "input and output are to be a terminal; run it in one, without a pipe, where TERM is not dumb"
    case .isTaken: "another list is in the terminal; let it end first"
    case .refused(let what, let code): "\(what) was refused with error \(code)"
    }
  }
}
