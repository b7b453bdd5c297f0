#if LIBCURL
  internal import Support

  /// The head of a response while its lines arrive.
  ///
  /// Lines are kept as bytes and converted to text once, when the response is complete. Interim responses (1xx)
  /// are moved to ``interim`` when the next status line arrives; their bytes count towards the limit, and their number
  /// has one of its own.
  struct ReceivedHead {
    /// The maximum number of interim responses.
    static let maximumInterim = 200

    private(set) var status = 0
    private(set) var httpVersion = ""
    /// The announced length of the body, unless it has a transfer coding, which ends it.
    var announcedLength: Int? {
      if case .bytes(let count) = length, transferCodings.isEmpty { count } else { nil }
    }
    /// The coding of the body, in lower case; `nil` if it has none.
    var coding: String? { codings.isEmpty ? nil : codings.joined(separator: ", ") }
    /// Whether the head is complete; the following lines are trailers.
    private(set) var isComplete = false
    /// The interim responses before the final one.
    private(set) var interim: [HTTPResponse.Interim] = []

    private var length = ContentLength.absent
    private var codings: [String] = []
    private var transferCodings: [String] = []
    private var bytes: [UInt8] = []
    private var lineEnds: [Int] = []
    /// Bytes of all heads so far.
    private(set) var size = 0
    private var totalLines = 0

    private mutating func reset() {
      status = 0
      httpVersion = ""
      length = .absent
      codings = []
      transferCodings = []
      isComplete = false
      bytes.removeAll(keepingCapacity: true)
      lineEnds.removeAll(keepingCapacity: true)
    }

    /// Adds one line, including its line end. Returns a failure if the response is invalid.
    mutating func append(
      _ line: UnsafeRawBufferPointer, limits: HTTPRequest.Limits
    ) -> RequestError.Kind? {
      size += line.count
      totalLines += 1
      if size > limits.headerBytes { return .tooLarge(.headerBytes, allowed: limits.headerBytes) }
      // The status line and the empty line are not fields.
      if totalLines - 2 > limits.headerCount {
        return .tooLarge(.headerCount, allowed: limits.headerCount)
      }
      let content = line.trimmingLineEnd
      if isComplete {
        // Trailers are counted and dropped; a new status line follows an interim response.
        guard status < 200, content.hasPrefix("HTTP/") else { return nil }
        guard interim.count < Self.maximumInterim else {
          return .protocolViolation("more than \(Self.maximumInterim) interim responses (1xx)")
        }
        interim.append(HTTPResponse.Interim(status: status, headers: headers()))
        reset()
        totalLines = 1
      }
      if status == 0 { return readStatus(content) }
      if content.isEmpty {
        isComplete = true
        return lengthFailure
      }
      bytes.append(contentsOf: content)
      lineEnds.append(bytes.count)
      readFraming(content)
      return nil
    }

    /// The failure of a length that can't be read. Two different ones are an attack or a server error.
    private var lengthFailure: RequestError.Kind? {
      guard case .invalid(let problem) = length, transferCodings.isEmpty else { return nil }
      return .protocolViolation(problem)
    }

    private mutating func readStatus(_ line: UnsafeRawBufferPointer) -> RequestError.Kind? {
      let version = line.firstIndex(of: 0x20) ?? line.count
      let digits = line[version...].drop { $0 == 0x20 }.prefix { $0 != 0x20 }
      let isNumber = digits.count == 3 && digits.allSatisfy(\.isASCIIDigit)
      let code = isNumber ? digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) } : 0
      guard line.hasPrefix("HTTP/"), code >= 100 else {
        return .protocolViolation(
          "invalid status line “\(String(decoding: line.prefix(40), as: UTF8.self))”")
      }
      status = code
      httpVersion =
        line.hasPrefix("HTTP/1.1")
        ? "HTTP/1.1" : String(decoding: line[..<version], as: UTF8.self)
      return nil
    }

    /// Reads the fields that determine the body.
    private mutating func readFraming(_ line: UnsafeRawBufferPointer) {
      if let value = line.value(of: "content-length") {
        length.add(value)
      } else if let value = line.value(of: "content-encoding") {
        // Only one coding is decoded: several would multiply the expansion of a few bytes.
        value.appendCodings(to: &codings)
      } else if let value = line.value(of: "transfer-encoding") {
        value.appendCodings(to: &transferCodings)
      }
    }

    /// Returns the fields as text.
    func headers() -> HTTPHeaders {
      var fields: [HTTPHeaders.Field] = []
      fields.reserveCapacity(lineEnds.count)
      bytes.withUnsafeBytes { all in
        var start = 0
        for end in lineEnds {
          let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
          start = end
          if let first = line.first, first == 0x20 || first == 0x09, !fields.isEmpty {
            // An obsolete continuation line belongs to the previous value.
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
      let text = UnsafeRawBufferPointer(rebasing: self[start..<end])
      if text.reduce(0, |) < 0x80 { return String(decoding: text, as: UTF8.self) }
      // Text that is not UTF-8 is decoded as ISO 8859-1, the historic default, so that no byte is lost.
      return String(validating: text, as: UTF8.self)
        ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }

    fileprivate func hasPrefix(_ text: StaticString) -> Bool {
      count >= text.utf8CodeUnitCount
        && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }

    /// Returns the value of a field with this name, which is given in lower case; `nil` if the line is another one.
    fileprivate func value(of name: StaticString) -> UnsafeBufferPointer<UInt8>? {
      let length = name.utf8CodeUnitCount
      guard count > length, self[length] == 0x3A,
        (0..<length).allSatisfy({ self[$0].asciiLowercased == name.utf8Start[$0] })
      else { return nil }
      return UnsafeBufferPointer(rebasing: assumingMemoryBound(to: UInt8.self)[(length + 1)...])
    }
  }
#endif
