internal import Support

/// A single byte range of a request.
enum ByteRange: Hashable {
  case from(Int, to: Int?)
  /// The last bytes, by their number.
  case last(Int)

  /// A range resolved against a representation of known or unknown length.
  enum Resolution: Hashable {
    case bytes(Range<Int>)
    /// The range is unsatisfiable.
    case unsatisfiable
    case unknown
  }

  /// Parses the value of `Range`. Returns `nil` if it is not a single byte range.
  init?(_ text: String) {
    let limit = Int.max >> 8
    let range: ByteRange? = text.withBytes { bytes in
      guard let equals = bytes.firstIndex(of: 0x3D), bytes.trimmed(0, equals).spells("bytes"),
        let dash = bytes.firstIndex(of: 0x2D)
      else { return nil }
      let first = bytes.trimmed(equals + 1, max(equals + 1, dash))
      let last = bytes.trimmed(dash + 1, bytes.count)
      if first.isEmpty { return last.number(upTo: limit).map { .last($0) } }
      guard let first = first.number(upTo: limit) else { return nil }
      if last.isEmpty { return .from(first, to: nil) }
      guard let last = last.number(upTo: limit), last >= first else { return nil }
      return .from(first, to: last)
    }
    guard let range else { return nil }
    self = range
  }

  /// Resolves the range against a representation of `total` bytes.
  func resolved(in total: Int?) -> Resolution {
    switch (self, total) {
    case (.last(0), _): .unsatisfiable
    case (.from(let first, _), let total?) where first >= total: .unsatisfiable
    case (.from(let first, let last), let total?):
      .bytes(first..<min(total, (last ?? total) + 1))
    case (.from(let first, let last?), nil): .bytes(first..<last + 1)
    case (.last(let count), let total?): .bytes(max(0, total - count)..<total)
    case (.from(_, nil), nil), (.last, nil): .unknown
    }
  }
}

/// The part of a representation that a response contains.
struct ContentRange: Hashable {
  /// The range of the contained bytes.
  var bytes: Range<Int>
  /// The complete length, if known.
  var total: Int?

  /// Whether the part is the complete representation.
  var isComplete: Bool { bytes.lowerBound == 0 && bytes.upperBound == total }

  /// `bytes 0-499/1234`.
  var text: String {
    "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total.map(String.init) ?? "*")"
  }

  init(bytes: Range<Int>, total: Int?) {
    self.bytes = bytes
    self.total = total
  }

  /// Parses the value of `Content-Range`.
  init?(_ text: String) {
    let limit = Int.max >> 8
    let range: ContentRange? = text.withBytes { bytes in
      guard bytes.count > 6, bytes.trimmed(0, 5).spells("bytes"), bytes[5] == 0x20,
        let dash = bytes.firstIndex(of: 0x2D), dash > 5,
        let slash = bytes.firstIndex(of: 0x2F), slash > dash,
        let first = bytes.trimmed(6, dash).number(upTo: limit),
        let last = bytes.trimmed(dash + 1, slash).number(upTo: limit), last >= first
      else { return nil }
      let rest = bytes.trimmed(slash + 1, bytes.count)
      if rest.count == 1, rest[0] == 0x2A {
        return ContentRange(bytes: first..<last + 1, total: nil)
      }
      guard let total = rest.number(upTo: limit), total > last else { return nil }
      return ContentRange(bytes: first..<last + 1, total: total)
    }
    guard let range else { return nil }
    self = range
  }

  /// Determines which part of its representation a response contains. Returns `nil` if that is unknown, or if
  /// decoding has changed the bytes. If the body is shorter than announced, it is the start of the part.
  init?(status: Int, headers: HTTPHeaders, body: ResponseBody) {
    guard headers.contentCodings.isEmpty else { return nil }
    switch status {
    case 200: self.init(bytes: 0..<body.count, total: body.count)
    case 206:
      let values = headers.values("Content-Range")
      guard values.count == 1, var range = ContentRange(values[0]), !body.isEmpty,
        body.count <= range.bytes.count
      else { return nil }
      range.bytes = range.bytes.lowerBound..<range.bytes.lowerBound + body.count
      self = range
    default: return nil
    }
  }
}

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
      let validator = Validators.strong(fields, receivedAt: receivedAt),
      let other = Validators.strong(new.fields, receivedAt: new.receivedAt),
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
