/// Why a server of the test kit, or what it needs, could not be set up.
public enum LoopbackError: Error, Hashable, Sendable {
  /// A call of the system failed with this error number.
  case system(call: String, code: Int32)
  /// A command ended with a status other than zero; `output` is what it wrote.
  case command(String, status: Int32, output: String)
  /// Something that TLS needs is not on this machine.
  case unavailable(String)
  /// A value that was given cannot be used.
  case invalid(what: String, expected: String)
  /// The server stopped, or the waiting task was cancelled, before the awaited fact came about.
  case stopped
}

extension LoopbackError: CustomStringConvertible {
  /// What failed, and what to look at.
  public var description: String {
    switch self {
    case .system(let call, let code):
      "the system refused \(call) with error number \(code)"
    case .command(let command, let status, let output):
      "\(command) ended with status \(status): \(output)"
    case .unavailable(let what):
      "\(what) is not on this machine"
    case .invalid(let what, let expected):
      "\(what) cannot be used, expected \(expected)"
    case .stopped:
      "the server stopped, or the wait was cancelled, before it happened"
    }
  }
}
