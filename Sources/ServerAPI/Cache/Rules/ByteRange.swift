internal import Support

/// One range of bytes that a request asks for.
enum ByteRange: Hashable {
  case from(Int, to: Int?)
  /// The last so many.
  case last(Int)

  /// What a range means for a representation of a known or unknown length.
  enum Place: Hashable {
    case bytes(Range<Int>)
    /// There is nothing there.
    case outside
    case unknown
  }

  /// Reads the value of `Range`; `nil` where it is not a single range of bytes.
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

  /// Where it lies in a representation of `total` bytes.
  func place(in total: Int?) -> Place {
    switch (self, total) {
    case (.last(0), _): .outside
    case (.from(let first, _), let total?) where first >= total: .outside
    case (.from(let first, let last), let total?):
      .bytes(first..<min(total, (last ?? total) + 1))
    case (.from(let first, let last?), nil): .bytes(first..<last + 1)
    case (.last(let count), let total?): .bytes(max(0, total - count)..<total)
    case (.from(_, nil), nil), (.last, nil): .unknown
    }
  }
}

/// Which part of a representation an answer has.
struct ContentRange: Hashable {
  /// The bytes that are there.
  var bytes: Range<Int>
  /// How many there are in all, where it is known.
  var total: Int?

  /// Whether nothing is missing.
  var isWhole: Bool { bytes.lowerBound == 0 && bytes.upperBound == total }

  /// `bytes 0-499/1234`.
  var text: String {
    "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total.map(String.init) ?? "*")"
  }

  init(bytes: Range<Int>, total: Int?) {
    self.bytes = bytes
    self.total = total
  }

  /// Reads the value of `Content-Range`.
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

  /// What an answer holds of its representation; `nil` where that can't be told, or where its bytes are
  /// not those of the representation because a coding was undone. A body that is shorter than
  /// announced is the beginning of the part.
  init?(status: Int, headers: HTTPHeaders, body: ResponseBody) {
    if let coding = headers["Content-Encoding"], !coding.equalsIgnoringCase("identity") {
      return nil
    }
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
