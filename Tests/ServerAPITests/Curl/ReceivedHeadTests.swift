#if LIBCURL
  import QuireTesting
  import Testing

  @testable import ServerAPI

  @Suite struct ReceivedHeadTests {
    /// Appends lines and returns the first failure.
    func feed(
      _ head: inout ReceivedHead, _ lines: [String], limits: HTTPRequest.Limits = HTTPRequest.Limits()
    ) -> RequestError.Kind? {
      for line in lines {
        let bytes = Array((line + "\r\n").utf8)
        if let problem = bytes.withUnsafeBytes({ head.append($0, limits: limits) }) { return problem }
      }
      return nil
    }

    @Test func `fields are kept in order, with repeats and without surrounding white space`() {
      var head = ReceivedHead()
      #expect(
        feed(&head, ["HTTP/1.1 200 OK", "A:  one\t", "Set-Cookie: x=1", "Set-Cookie: y=2", "E:", ""])
          == nil)
      #expect(head.status == 200)
      #expect(head.httpVersion == "HTTP/1.1")
      #expect(head.isComplete)
      #expect(
        head.headers().fields == [
          .init(name: "A", value: "one"), .init(name: "Set-Cookie", value: "x=1"),
          .init(name: "Set-Cookie", value: "y=2"), .init(name: "E", value: ""),
        ])
    }

    @Test func `interim responses don't count as header lines, and their number has a limit`() {
      var head = ReceivedHead()
      var limits = HTTPRequest.Limits()
      limits.headerCount = 8
      let interim = ["HTTP/1.1 103 Early Hints", "Link: </a>", ""]
      #expect(feed(&head, interim + ["HTTP/2 404", "B: 1", ""], limits: limits) == nil)
      #expect(head.status == 404)
      #expect(head.headers().fields == [.init(name: "B", value: "1")])
      var long = ReceivedHead()
      for _ in 0..<200 { #expect(feed(&long, interim, limits: limits) == nil) }
      var short = long
      #expect(feed(&short, ["HTTP/1.1 200 OK", "A: 1", ""], limits: limits) == nil)
      #expect(short.interim.count == 200)
      #expect(
        feed(&long, interim + interim, limits: limits)
          == .protocolViolation("more than 200 interim responses (1xx)"))
    }

    @Test func `trailers are not headers`() {
      var head = ReceivedHead()
      #expect(feed(&head, ["HTTP/1.1 200 OK", "A: 1", "", "Trailer-Field: 2"]) == nil)
      #expect(head.headers()["Trailer-Field"] == nil)
    }

    @Test(arguments: [
      (["A: one", " two"], "one two"), (["A: one", "\t"], "one"), (["A:", " "], ""),
      (["A:", " \tone", "  ", " two "], "one two"),
    ])
    func `a continuation line belongs to the value before it`(lines: [String], value: String) {
      var head = ReceivedHead()
      #expect(feed(&head, ["HTTP/1.1 200 OK"] + lines + [""]) == nil)
      #expect(head.headers().fields == [.init(name: "A", value: value)])
    }

    @Test(arguments: [
      "HTTP/1.1 2000 OK", "ICY 200 OK", "HTTP/1.1", "HTTP/1.1 099 No", "HTTP/1.1 abc",
    ])
    func `an invalid status line violates the protocol`(line: String) {
      var head = ReceivedHead()
      #expect(feed(&head, [line]) == .protocolViolation("invalid status line “\(line)”"))
    }

    @Test func `two lengths or an invalid length violate the protocol`() {
      var twice = ReceivedHead()
      #expect(
        feed(&twice, ["HTTP/1.1 200 OK", "Content-Length: 5", "content-length: 6", ""])
          == .protocolViolation("two values of Content-Length: 5 and 6"))
      var same = ReceivedHead()
      #expect(feed(&same, ["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 5", ""]) == nil)
      #expect(same.announcedLength == 5)
      var negative = ReceivedHead()
      #expect(
        feed(&negative, ["HTTP/1.1 200 OK", "Content-Length: -5", ""])
          == .protocolViolation("Content-Length is “-5”, expected a number"))
    }

    @Test func `RFC 9110 5.6.1: empty elements of Content-Encoding count for nothing`() throws {
      for random in try SeededGenerator.runs(Thoroughness.runs(300, full: 10_000)) {
        var random = random
        let codings = (0..<Int.random(in: 0...2, using: &random)).map { _ in
          ["gzip", "GZIP", "x-gzip", "deflate", "br"].randomElement(using: &random) ?? ""
        }
        let lines = Self.lists(codings, ["", " ", "\t", "identity", "Identity"], &random)
        var head = ReceivedHead()
        let fields = lines.map { "Content-Encoding:\($0)" }
        #expect(feed(&head, ["HTTP/1.1 200 OK"] + fields + [""]) == nil)
        let wanted = codings.isEmpty ? nil : codings.joined(separator: ", ").lowercased()
        #expect(head.coding == wanted, "\(random): \(lines)")
      }
    }

    /// Writes elements as the lists of a few lines, with others in between.
    private static func lists(
      _ elements: [String], _ fillers: [String], _ random: inout SeededGenerator
    ) -> [String] {
      var all = elements
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let filler = fillers.randomElement(using: &random) ?? ""
        all.insert(filler, at: Int.random(in: 0...all.count, using: &random))
      }
      var lines: [String] = []
      for element in all {
        let blank = ["", " ", " \t"].randomElement(using: &random) ?? ""
        if lines.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
          lines.append(blank + element)
        } else {
          lines[lines.count - 1] += "," + blank + element + blank
        }
      }
      return lines
    }

    /// The length of a message by RFC 9112, section 6.3, for random fields.
    @Test func `RFC 9112 6.3: a length counts without a transfer coding, and repeats agree`() throws {
      for random in try SeededGenerator.runs(Thoroughness.runs(300, full: 10_000)) {
        var random = random
        let numbers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          ["5", "5", "5", "05", "6", "-5", "x", ""].randomElement(using: &random) ?? ""
        }
        var lines: [String] = []
        for number in numbers {
          if lines.isEmpty || Bool.random(using: &random) {
            lines.append("Content-Length: " + number)
          } else {
            lines[lines.count - 1] += ", " + number
          }
        }
        let isChunked = Bool.random(using: &random)
        if isChunked {
          lines.insert(
            "Transfer-Encoding: chunked", at: Int.random(in: 0...lines.count, using: &random))
        }
        var head = ReceivedHead()
        let failure = feed(&head, ["HTTP/1.1 200 OK"] + lines + [""])
        let values = numbers.map { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        if isChunked || numbers.isEmpty {
          #expect(failure == nil && head.announcedLength == nil, "\(random): \(lines)")
        } else if let length = values[0], values.allSatisfy({ $0 == length }) {
          #expect(failure == nil && head.announcedLength == length, "\(random): \(lines)")
        } else {
          #expect(failure != nil, "\(random): \(lines)")
        }
      }
    }

    @Test func `too many header bytes end the exchange`() {
      var head = ReceivedHead()
      var limits = HTTPRequest.Limits()
      limits.headerBytes = 100
      #expect(
        feed(&head, ["HTTP/1.1 200 OK", "A: " + String(repeating: "x", count: 90)], limits: limits)
          == .tooLarge(.headerBytes, allowed: 100))
    }
  }
#endif
