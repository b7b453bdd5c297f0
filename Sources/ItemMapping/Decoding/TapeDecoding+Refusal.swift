extension TapeDecoding {
  @inline(__always)
  func isNull(_ value: Int) -> Bool { value == 0 || tape.tag(value) == JSONTape.Tag.null }

  func kind(_ value: Int) -> JSONKind {
    value == 0 ? .null : JSONView(document: document, index: value).kind
  }

  /// The error for a value that is not what a type wants. One of the wanted kind didn't fit.
  func refusal(
    _ type: any Any.Type, at value: Int, wanting wanted: JSONKind,
    _ path: @autoclosure () -> [any CodingKey]
  ) -> DecodingError {
    let kind = kind(value)
    switch kind {
    case wanted: return corrupted("This \(kind) can't be a \(type).", path())
    case .null where wanted != .bool:
      return .valueNotFound(
        type,
        DecodingError.Context(
          codingPath: path(), debugDescription: "Expected \(wanted) for \(type), found null."))
    default:
      return .typeMismatch(
        type,
        DecodingError.Context(
          codingPath: path(), debugDescription: "Expected \(wanted) for \(type), found \(kind)."))
    }
  }

  /// The error for a value within too many others.
  @inline(never)
  func tooDeep(_ place: CodingPlace) -> DecodingError {
    corrupted(
      "This value is within \(CodingPlace.deepest) others, and no more are decoded within each "
        + "other. Decode it on its own, from its place in the document.", place.path)
  }

  func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: description))
  }
}
