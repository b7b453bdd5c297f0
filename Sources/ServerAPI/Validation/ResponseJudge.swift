internal import Support

/// Detects that a response with a status of success says that it failed.
///
/// What a caller that knows more of the response than its bytes adds to a ``Call/BusinessCheck``. Calls whose judges
/// have one key may share an exchange.
package final class ResponseJudge: Hashable, Sendable {
  private let key: Int
  /// Returns code and message if the response is a failure, otherwise `nil`. A code may be empty.
  let failure: @Sendable (HTTPResponse) -> (code: String, message: String)?

  package init(
    key: Int, _ failure: @escaping @Sendable (HTTPResponse) -> (code: String, message: String)?
  ) {
    (self.key, self.failure) = (key, failure)
  }

  package static func == (a: ResponseJudge, b: ResponseJudge) -> Bool { a.key == b.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension RequestError.Kind {
  /// Whether the service reported a failure that may be over soon, which a walk retries.
  package var isTemporaryFailureOfService: Bool {
    isTemporaryFailureOfService(retrying: RetryPolicy().ofWalks.statuses)
  }

  /// Whether the service reported a failure that may be over soon: its code is one of these statuses, or its code or
  /// message says so.
  func isTemporaryFailureOfService(retrying statuses: Set<Int>) -> Bool {
    guard case .business(let code, let message) = self else { return false }
    if let status = Int(code), statuses.contains(status) { return true }
    return ServiceWords.sayTemporary(code) || ServiceWords.sayTemporary(message)
  }

  /// Whether the service reported that it got too many requests.
  var isRateLimitOfService: Bool {
    guard case .business(let code, let message) = self else { return false }
    return code == "429" || ServiceWords.sayLimit(code) || ServiceWords.sayLimit(message)
  }
}

/// The words that services use for failures that may be over soon.
private enum ServiceWords {
  private static let limits = [
    "ratelimit", "toomanyrequests", "throttl", "slowdown", "requestlimitexceeded",
  ]
  private static let others = [
    "tryagain", "retrylater", "retryafter", "timeout", "timedout", "temporar", "unavailable",
    "overload", "serverbusy", "isbusy", "toobusy", "deadlineexceeded", "backenderror",
    "internalerror", "internalservererror", "badgateway",
  ]

  static func sayLimit(_ text: String) -> Bool { contains(limits, text) }

  static func sayTemporary(_ text: String) -> Bool { contains(limits + others, text) }

  /// Compares letters alone: `RATE_LIMITED`, `rate limited` and `rateLimited` are the same.
  private static func contains(_ words: [String], _ text: String) -> Bool {
    let letters = String(decoding: text.utf8.filter(\.isASCIIAlphanumeric), as: UTF8.self)
      .lowercased()
    return words.contains { letters.contains($0) }
  }
}
