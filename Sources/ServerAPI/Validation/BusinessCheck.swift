/// Detects an error of the service in a response.
///
/// Many services respond with `200 OK` and report the failure in an envelope. Such a response is a failure
/// for the caller too, not an empty page. The check also sees error statuses, so that a `422` with an
/// envelope becomes ``RequestError/Kind/business(code:message:)`` with the service's message.
public struct BusinessCheck: Sendable {
  /// Returns code and message if the response is a failure, otherwise `nil`.
  public var failure: @Sendable (HTTPResponse) -> (code: String, message: String)?

  /// Creates a check.
  public init(_ failure: @escaping @Sendable (HTTPResponse) -> (code: String, message: String)?) {
    self.failure = failure
  }

  /// Creates a check that reads code and message from a JSON envelope, such as
  /// `{"errno": 7, "errmsg": "no"}`.
  ///
  /// Dots name a nested member: `error.code`. Numbers, strings and `true` or `false` are compared as text, as
  /// they occur in the JSON. A missing member or `null` is not a failure, nor is a body that is not a JSON
  /// object. The body is only scanned up to the code.
  public static func envelope(
    code: String, message: String, successCodes: Set<String> = ["0"]
  ) -> BusinessCheck {
    let codePath = code.split(separator: ".").map { Array($0.utf8) }
    let messagePath = message.split(separator: ".").map { Array($0.utf8) }
    return BusinessCheck { response in
      response.body.withUnsafeBytes { bytes in
        guard let code = EnvelopeScanner.text(at: codePath, in: bytes), !successCodes.contains(code)
        else { return nil }
        return (code, EnvelopeScanner.text(at: messagePath, in: bytes) ?? "")
      }
    }
  }
}
