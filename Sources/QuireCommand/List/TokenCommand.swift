internal import Quire

/// A shell command that prints a token.
struct TokenCommand: Sendable {
  /// Why there is no token. Has no part of the output.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  private static let maximumLength = 16_384

  /// The command, as for `sh -c`.
  let text: String

  /// Runs the command and returns the token.
  func token() async throws -> String {
    try Self.token(of: try await ShellCommand(text).run())
  }

  /// Returns the token in the output of a command.
  static func token(of result: ShellCommand.Result) throws(Failure) -> String {
    let reason = result.firstError.map { ": \($0)" } ?? ""
    switch result.ending {
    case .exited(0): break
    case .exited(let status):
      throw Failure(description: "the command ended with status \(status)\(reason)")
    case .killed(let signal):
      throw Failure(description: "signal \(signal) ended the command\(reason)")
    }
    var token = result.output.drop { $0 <= 0x20 }
    while let last = token.last, last <= 0x20 { token.removeLast() }
    if token.isEmpty { throw Failure(description: "the command printed no token\(reason)") }
    guard token.allSatisfy({ (0x21...0x7E).contains($0) }), token.count <= maximumLength else {
      throw Failure(
        description: "the output of the command is no token, which is one word of ASCII")
    }
    return String(decoding: token, as: UTF8.self)
  }
}

extension ListOptions {
  /// Returns the source of the credentials that `--token-command` prints.
  static func authentication(
    _ arguments: Arguments, _ call: Call
  ) throws(UsageError) -> Authentication? {
    guard let text = arguments["token-command"] else { return nil }
    try arguments.forbid("token-command", with: "token-env", because: "both are the token")
    try arguments.forbid(
      "token-command", with: "cache",
      because: "responses are stored for a user, and a command may print the tokens of several")
    if call.headers["Authorization"] != nil {
      throw UsageError(
        "--token-command and a header Authorization can't be used together; remove one")
    }
    if text.allSatisfy(\.isWhitespace) {
      throw UsageError("--token-command needs a shell command, found none")
    }
    let command = TokenCommand(text: text)
    return .provider { _ in .bearer(try await command.token()) }
  }
}
