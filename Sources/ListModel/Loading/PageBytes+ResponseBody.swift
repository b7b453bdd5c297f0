public import ItemMapping
public import ServerAPI

extension PageBytes {
  /// The bytes of an answer, where they lie.
  public init(_ body: ResponseBody) {
    self = body.withUnsafeBytes {
      PageBytes(unsafeBytes: $0, padding: ResponseBody.padding, keeping: body)
    }
  }
}

extension JSONDocument {
  /// Parses an answer where it lies, without a copy.
  public convenience init(_ body: ResponseBody) throws(JSONError) {
    try self.init(PageBytes(body))
  }
}
