/// Finds an error of the service inside an answer.
///
/// Many services answer `200 OK` and put the failure into the envelope. Such an answer is a failure
/// for the caller too, not an empty page. The check sees error statuses as well, so that a `422` with
/// an envelope becomes ``RequestError/Kind/business(code:message:)`` with the service's own words.
public struct BusinessCheck: Sendable {
  /// Returns code and message where the answer is a failure, else `nil`.
  public var failure: @Sendable (HTTPResponse) -> (code: String, message: String)?

  /// Makes a check.
  public init(_ failure: @escaping @Sendable (HTTPResponse) -> (code: String, message: String)?) {
    self.failure = failure
  }

  /// Reads code and message from an envelope of JSON, such as `{"errno": 7, "errmsg": "no"}`.
  ///
  /// A member inside an object is written with dots: `error.code`. Numbers, texts and `true` or
  /// `false` are compared as they stand in the JSON. No such member, or `null`, is no failure; neither
  /// is a body that is no JSON object. Only as much of the body is read as it takes to find the code.
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
