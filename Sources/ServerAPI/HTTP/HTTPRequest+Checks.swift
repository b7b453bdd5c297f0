extension HTTPRequest {
  /// Refuses a method or a header that would change the message around it on the wire.
  ///
  /// Every transport calls this before it does anything else: the method and the names of fields
  /// are tokens (RFC 9110, section 5.6.2), values hold no control character but the tab. The error
  /// names the place and never repeats a value.
  public func checkFields() throws(RequestError) {
    guard method.rawValue.isHTTPToken else {
      throw WebURL.defect(.method, "is not a token: letters, digits and !#$%&'*+-.^_`|~")
    }
    for field in headers.fields {
      guard field.name.isHTTPToken else {
        throw WebURL.defect(.headerName, "is not a token: letters, digits and !#$%&'*+-.^_`|~")
      }
      let bad = field.value.utf8.enumerated().first {
        ($0.element < 0x20 && $0.element != 0x09) || $0.element == 0x7F
      }
      if let bad {
        throw WebURL.defect(
          .headerValue(field.name), "contains a control character at byte \(bad.offset)")
      }
    }
  }
}

extension String {
  /// Whether the text may stand as a method or the name of a field.
  var isHTTPToken: Bool {
    !utf8.isEmpty && utf8.allSatisfy { $0.isASCIIAlphanumeric || Self.tokenMarks.contains($0) }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
}
