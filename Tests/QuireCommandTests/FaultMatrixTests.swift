import Foundation
import QuireTesting
import Testing

/// Faults of a server, with each kind of paging, once and permanently, with options and without: two combinations for
/// each fault, and all of them with `QUIRE_THOROUGH=1`.
@Suite(.timeLimit(.minutes(60))) struct FaultMatrixTests {
  /// What a server sends in place of a page.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether it can go away, so that a crawl has to try again.
    var isTransient = true
    /// Whether it can take much memory.
    var isLarge = false
    let response: @Sendable (LoopbackResponse) -> LoopbackResponse

    init(
      _ name: String, isTransient: Bool = true,
      _ response: @escaping @Sendable (LoopbackResponse) -> LoopbackResponse
    ) {
      (testDescription, self.isTransient, self.response) = (name, isTransient, response)
    }

    init(_ fault: LoopbackFault) { self.init("\(fault)") { $0.failing(fault) } }

    init(_ name: String, _ response: LoopbackResponse, isTransient: Bool = true) {
      self.init(name, isTransient: isTransient) { _ in response }
    }

    /// Creates a fault that can take much memory.
    init(large name: String, _ response: LoopbackResponse) {
      self.init(name, response, isTransient: false)
      isLarge = true
    }
  }

  enum Reading: CaseIterable, Sendable { case declared, recognized, parallel }

  struct Case: Sendable, CustomStringConvertible {
    let fault: Fault
    let style: PagingStyle
    let isOnce: Bool
    let reading: Reading
    /// The request at which it begins.
    let position: Int

    var description: String {
      "\(fault.testDescription), \(style), \(isOnce ? "once" : "always") from request \(position), \(reading)"
    }

    /// The seconds for a page. Half of them pass before a stall is mended, and all of them where it stays. Other faults
    /// that go away get more, so that they are mended on a busy machine too.
    var timeout: String {
      isOnce ? fault.testDescription.hasPrefix("stall") ? "4" : "60" : "2"
    }

    var options: [String] {
      switch reading {
      case .declared: style.options
      case .recognized: []
      case .parallel: style.options + ["--parallel", "8"]
      }
    }
  }

  static let moments: [LoopbackMoment] = [.requestRead, .headStarted, .headSent, .bodySent(20)]

  // Statuses that can mean “no such page” are left out, as they may end a list.
  static let faults: [Fault] =
    moments.flatMap { moment in
      [LoopbackFault.close(moment), .reset(moment), .halfClose(moment), .stall(moment)].map {
        Fault($0)
      }
    }
    + [
      LoopbackFault.lengthTooLong(by: 9), .lengthTooShort(by: 30), .conflictingLengths,
      .badChunkSize, .truncatedChunks, .truncatedGzip, .brokenGzip, .garbageStatusLine, .noHead,
      .raw([0, 255, 13, 10, 13, 10]), .slowHead(bytes: 40, every: .milliseconds(1)),
      .slowBody(bytes: 400, every: .milliseconds(1)),
    ].map { Fault($0) }
    + [LoopbackFault.endlessHeaders, .hugeHeader(bytes: 1 << 20), .interimStorm].map { fault in
      Fault("\(fault)", isTransient: false) { $0.failing(fault) }
    }
    + [429, 500, 502, 503, 504, 507, 520, 524, 530, 599].map { status in
      Fault("status \(status)", .status(status))
    }
    + [401, 403, 451, 501].map { Fault("status \($0)", .status($0), isTransient: false) }
    + [
      Fault(large: "an endless body", .filler(count: 1 << 30).untilClose()),
      Fault(large: "a bomb", .bomb(decodedBytes: 1 << 30)),
      Fault(
        large: "values without end",
        .json(#"{"rows":["# + String(repeating: "1,", count: 6 << 20) + "1]}")),
      Fault(large: "an endless error", endlessError),
    ]
    + [
      Fault("an empty body", .json("")), Fault("no content", .status(204)),
      Fault("half of the JSON", .json(#"{"rows":[{"id":21},{"id":"#)),
      Fault("a web page", .html("<html>Sign in</html>")),
      Fault("an error under 200", .json(#"{"error":{"code":17,"message":"try again"}}"#)),
      Fault("an empty object", .json("{}"), isTransient: false),
    ]

  private static var endlessError: LoopbackResponse {
    var response = LoopbackResponse.filler(count: 1 << 30).untilClose()
    response.status = 500
    return response
  }

  private static func cases(of fault: Fault) -> [Case] {
    PagingStyle.all.filter { !$0.options.contains("none") }.flatMap { style in
      [true, false].flatMap { isOnce in
        Reading.allCases.filter { $0 != .recognized || style.isDetected }.flatMap { reading in
          [2, 3].map {
            Case(fault: fault, style: style, isOnce: isOnce, reading: reading, position: $0)
          }
        }
      }
    }
  }

  @Test(arguments: faults)
  func `a crawl ends, is whole where it says so, and mends what goes away`(
    _ fault: Fault
  ) async throws {
    var random = try SeededGenerator.fromEnvironment()
    var cases = Self.cases(of: fault).shuffled(using: &random)
      .prefix(Thoroughness.runs(2, full: .max))
    // Most crawls wait most of the time. Those that take much memory run alone.
    let (width, seed) = (fault.isLarge ? 1 : 8, "\(random)")
    while !cases.isEmpty {
      let some = cases.prefix(width)
      cases = cases.dropFirst(width)
      try await withThrowingTaskGroup { group in
        for fault in some { group.addTask { try await check(fault, seed) } }
        try await group.waitForAll()
      }
    }
  }

  private func check(_ fault: Case, _ seed: String) async throws {
    let (isWhole, errors) = try await crawl(fault)
    if fault.fault.isTransient, fault.isOnce {
      #expect(isWhole, "\(fault): it was not mended, \(seed): \(errors)")
    }
  }

  /// Crawls a server with a fault. Returns whether all rows were written, and the messages.
  private func crawl(_ fault: Case) async throws -> (isWhole: Bool, errors: String) {
    let served = ServedRows(count: 110)
    let requests = Counter()
    let server = try LoopbackServer { [fault] request in
      let page = fault.style.serve(request, served)
      let number = requests.next()
      let fails = fault.isOnce ? number == fault.position : number >= fault.position
      return fails ? fault.fault.response(page) : page
    }
    let words =
      ["crawl", server.baseURL + fault.style.path, "--timeout", fault.timeout] + fault.options
    let result: QuireProcess.Result
    if fault.fault.isLarge {
      let (ended, peak) = try await QuireProcess.measure(words)
      result = ended
      #expect(QuireProcess.isSanitized || peak < 150 << 20, "\(fault): \(peak) bytes")
    } else {
      result = try await QuireProcess.run(words)
    }
    let rows = ids(result.output)
    #expect(requests.value >= fault.position, "\(fault): it was not reached")
    #expect(!result.wasKilled && (0...3).contains(result.status), "\(fault): \(result.errors)")
    #expect(served.ids.starts(with: rows), "\(fault): \(rows)")
    #expect(result.status != 0 || rows == served.ids, "\(fault): \(rows.count) rows, and no error")
    #expect(result.status == 0 || !result.errors.isEmpty, "\(fault)")
    return (rows == served.ids && result.status == 0, result.errors)
  }

  /// The number of requests so far. `@unchecked`: guarded by its lock.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }
}
