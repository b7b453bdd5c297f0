extension StoredResponse {
  /// The stored part of the representation.
  var contentRange: ContentRange? {
    ContentRange(status: status, headers: headers, body: body)
  }

  /// Sets the status and the length fields for a part.
  mutating func setRange(_ range: ContentRange) {
    status = range.isComplete ? 200 : 206
    headers["Content-Range"] = range.isComplete ? nil : range.text
    headers["Content-Length"] = String(range.bytes.count)
  }

  /// Combines this response with a newer one if both are adjacent or overlapping parts of the same bytes (RFC
  /// 9111, section 3.4).
  func combined(with new: StoredResponse) -> StoredResponse? {
    guard let old = contentRange, let added = new.contentRange,
      old.bytes.lowerBound <= added.bytes.upperBound,
      added.bytes.lowerBound <= old.bytes.upperBound,
      old.total == nil || added.total == nil || old.total == added.total,
      let validator = Validators.strong(ResponseFields(headers), receivedAt: receivedAt),
      let other = Validators.strong(ResponseFields(new.headers), receivedAt: new.receivedAt),
      validator.hasSameBytes(as: other)
    else { return nil }
    var combined = new
    combined.headers = headers.updated(by: new.headers)
    let range = ContentRange(
      bytes: min(
        old.bytes.lowerBound, added.bytes.lowerBound)..<max(
          old.bytes.upperBound, added.bytes.upperBound), total: old.total ?? added.total)
    guard range.bytes.upperBound <= range.total ?? .max else { return nil }
    // The newer part wins where both overlap.
    let before = min(body.count, max(0, added.bytes.lowerBound - old.bytes.lowerBound))
    let after = min(body.count, max(0, added.bytes.upperBound - old.bytes.lowerBound))
    combined.body = ResponseBody(
      joining: [body.slice(0..<before), new.body, body.slice(after..<body.count)])
    combined.setRange(range)
    return combined
  }
}

extension ResponseBody {
  /// Returns a copy of a range of the bytes, clamped to the body.
  func slice(_ range: Range<Int>) -> ResponseBody {
    if range == 0..<count { return self }
    let range = range.clamped(to: 0..<count)
    let builder = ResponseBuilder(capacity: range.count)
    withUnsafeBytes { builder.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    return builder.finish()
  }

  /// Joins several bodies.
  init(joining parts: [ResponseBody]) {
    let parts = parts.filter { !$0.isEmpty }
    if parts.count == 1 {
      self = parts[0]
      return
    }
    let builder = ResponseBuilder(capacity: parts.reduce(0) { $0 + $1.count })
    for part in parts { part.withUnsafeBytes { builder.append($0) } }
    self = builder.finish()
  }
}
