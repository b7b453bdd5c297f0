internal import Support

/// The head of an answer while its lines come in.
///
/// Lines are kept as they came and become text once, when the answer is complete. Interim answers
/// (1xx) are put aside when the next status line arrives; what they cost counts as well.
struct ReceivedHead {
  private(set) var status = 0
  private(set) var httpVersion = ""
  /// What `Content-Length` announces.
  private(set) var announcedLength: Int?
  /// The coding of the body, in small letters; `nil` when it is plain.
  private(set) var coding: String?
  /// Whether the head is complete; lines that follow are trailers.
  private(set) var isComplete = false
  /// Answers that came before the final one.
  private(set) var interim: [HTTPResponse.Interim] = []

  private var bytes: [UInt8] = []
  private var lineEnds: [Int] = []
  /// Bytes of all heads so far.
  private(set) var size = 0
  private var totalLines = 0

  private mutating func forgetFields() {
    status = 0
    httpVersion = ""
    announcedLength = nil
    coding = nil
    isComplete = false
    bytes.removeAll(keepingCapacity: true)
    lineEnds.removeAll(keepingCapacity: true)
  }

  /// Takes one line with its end of line. Returns what is wrong with the answer, if anything.
  mutating func append(_ line: UnsafeRawBufferPointer, limits: TransferLimits) -> RequestError.Kind?
  {
    size += line.count
    totalLines += 1
    if size > limits.headerBytes { return .tooLarge(.headerBytes, allowed: limits.headerBytes) }
    // The status line and the empty line are not fields.
    if totalLines - 2 > limits.headerCount {
      return .tooLarge(.headerCount, allowed: limits.headerCount)
    }
    let content = line.trimmingLineEnd
    if isComplete {
      // Trailers are counted and left out; a new status line follows an interim answer.
      guard status < 200, content.hasPrefix("HTTP/") else { return nil }
      interim.append(HTTPResponse.Interim(status: status, headers: headers()))
      forgetFields()
    }
    if status == 0 { return readStatus(content) }
    if content.isEmpty {
      isComplete = true
      return nil
    }
    bytes.append(contentsOf: content)
    lineEnds.append(bytes.count)
    return noteFraming(content)
  }

  private mutating func readStatus(_ line: UnsafeRawBufferPointer) -> RequestError.Kind? {
    let version = line.firstIndex(of: 0x20) ?? line.count
    let digits = line[version...].drop { $0 == 0x20 }.prefix { $0 != 0x20 }
    let isNumber = digits.count == 3 && digits.allSatisfy(\.isASCIIDigit)
    let code = isNumber ? digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) } : 0
    guard line.hasPrefix("HTTP/"), code >= 100 else {
      return .protocolViolation(
        "the status line is “\(String(decoding: line.prefix(40), as: UTF8.self))”")
    }
    status = code
    httpVersion =
      line.hasPrefix("HTTP/1.1")
      ? "HTTP/1.1" : String(decoding: line[..<version], as: UTF8.self)
    return nil
  }

  /// Notes what decides about the body. Two different lengths are an attack or a broken server.
  private mutating func noteFraming(_ line: UnsafeRawBufferPointer) -> RequestError.Kind? {
    if line.hasFieldName("content-length") {
      let text = UnsafeRawBufferPointer(rebasing: line["content-length:".utf8.count...]).trimmedText
      guard text.utf8.allSatisfy(\.isASCIIDigit), let length = Int(text) else {
        return .protocolViolation("Content-Length is “\(text.prefix(40))”, expected a number")
      }
      if let announcedLength, announcedLength != length {
        return .protocolViolation("two lengths are announced: \(announcedLength) and \(length)")
      }
      announcedLength = length
    } else if line.hasFieldName("content-encoding") {
      let text = UnsafeRawBufferPointer(rebasing: line["content-encoding:".utf8.count...])
        .trimmedText.lowercased()
      // Codings on top of each other multiply what a few bytes can grow to: only one is undone.
      if text != "identity" { coding = coding.map { $0 + ", " + text } ?? text }
    }
    return nil
  }

  /// The fields as text.
  func headers() -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    fields.reserveCapacity(lineEnds.count)
    bytes.withUnsafeBytes { all in
      var start = 0
      for end in lineEnds {
        let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
        start = end
        if let first = line.first, first == 0x20 || first == 0x09, !fields.isEmpty {
          // An obsolete continuation line belongs to the value before it.
          let more = line.trimmedText
          let needsBlank = !more.isEmpty && !fields[fields.count - 1].value.isEmpty
          fields[fields.count - 1].value += needsBlank ? " " + more : more
        } else if let colon = line.firstIndex(of: 0x3A) {
          fields.append(
            .init(
              name: String(decoding: line[..<colon], as: UTF8.self),
              value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmedText))
        }
      }
    }
    return HTTPHeaders(fields)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var trimmingLineEnd: UnsafeRawBufferPointer {
    var end = count
    while end > 0, self[end - 1] == 0x0A || self[end - 1] == 0x0D { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }

  fileprivate var trimmedText: String {
    var (start, end) = (0, count)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    let text = self[start..<end]
    // What is no UTF-8 is ISO 8859-1, as it was for everybody once; so no byte is lost.
    return String(validating: text, as: UTF8.self)
      ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
  }

  fileprivate func hasPrefix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
  }

  /// Whether the line is a field of that name, which is given in small letters.
  fileprivate func hasFieldName(_ name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    return count > length && self[length] == 0x3A
      && (0..<length).allSatisfy { self[$0].asciiLowercased == name.utf8Start[$0] }
  }
}
