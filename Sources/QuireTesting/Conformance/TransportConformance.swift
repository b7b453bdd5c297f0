public import ServerAPI

/// A suite that checks a transport against the contract of ``Quire/Transport``.
///
/// ```swift
/// let report = await TransportConformance { MyTransport() }.run()
/// #expect(report.failures.isEmpty, "\(report)")
/// ```
///
/// Or with one test for each case:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func `my transport keeps its promises`(_ promise: TransportConformance.Case) async {
///   let outcome = await TransportConformance { MyTransport() }.run(promise)
///   #expect(outcome.isAccepted, "\(outcome)")
/// }
/// ```
///
/// A transport that opens sockets talks to a real server on this machine; for any other, pass a different
/// ``ConformanceHost``. Each case uses a new transport. A case that doesn't end fails after ``patience``; the
/// few cases about timeouts take a fraction of a second.
public struct TransportConformance: Sendable {
  /// The maximum duration of a case, in real time. It only ends cases that hang. The default is 20 seconds.
  public var patience: Duration = .seconds(20)
  private let host: any ConformanceHost
  private let makeTransport: @Sendable () -> any Transport

  /// Creates a run against the transports that the closure creates.
  public init(host: any ConformanceHost, makeTransport: @escaping @Sendable () -> any Transport) {
    self.host = host
    self.makeTransport = makeTransport
  }

  /// Runs every case, one after the other.
  public func run() async -> Report {
    var results: [Report.Entry] = []
    for promise in Self.cases { results.append(.init(promise, await run(promise))) }
    return Report(results: results)
  }

  /// Runs one case.
  public func run(_ promise: Case) async -> Outcome {
    let probe = ConformanceProbe(host: host, transport: makeTransport())
    let outcome = Awaitable<Outcome?>(nil)
    let work = Task {
      let result = await promise.outcome(with: probe)
      outcome.update { $0 = $0 ?? result }
    }
    let watch = Task {
      try await TimeSource.system.sleep(patience)
      outcome.update { $0 = $0 ?? .failed("not finished within \(patience)") }
    }
    try? await outcome.wait { $0 != nil }
    work.cancel()
    watch.cancel()
    return outcome.value ?? .failed("the run was cancelled")
  }
}

extension TransportConformance {
  /// The result of a case.
  public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    /// The transport passed.
    case passed
    /// The transport failed, with the reason.
    case failed(String)
    /// The host can't set up the situation, with the reason.
    case notApplicable(String)

    /// Whether the transport didn't fail.
    public var isAccepted: Bool {
      if case .failed = self { false } else { true }
    }

    /// A description of the outcome.
    public var description: String {
      switch self {
      case .passed: "passed"
      case .failed(let reason): "FAILED: \(reason)"
      case .notApplicable(let reason): "not applicable: \(reason)"
      }
    }
  }

  /// The results of all cases.
  public struct Report: Hashable, Sendable, CustomStringConvertible {
    /// The result of one case.
    public struct Entry: Hashable, Sendable {
      /// The case, as a sentence.
      public let name: String
      /// The outcome.
      public let outcome: Outcome

      init(_ promise: Case, _ outcome: Outcome) {
        name = promise.name
        self.outcome = outcome
      }
    }

    /// The results, in the order of the suite.
    public let results: [Entry]

    /// The cases that failed.
    public var failures: [Entry] { results.filter { !$0.outcome.isAccepted } }

    /// One line for each case.
    public var description: String {
      results.map { "\($0.name): \($0.outcome)" }.joined(separator: "\n")
    }
  }
}

extension TransportConformance {
  /// One promise, as a sentence, with its check.
  public struct Case: Sendable, CustomStringConvertible {
    /// The promise.
    public let name: String
    private let examine: @Sendable (ConformanceProbe) async throws -> Void

    init(_ name: String, _ examine: @escaping @Sendable (ConformanceProbe) async throws -> Void) {
      self.name = name
      self.examine = examine
    }

    /// The promise.
    public var description: String { name }

    func outcome(with probe: ConformanceProbe) async -> Outcome {
      do {
        try await examine(probe)
        return .passed
      } catch let broken as BrokenPromise {
        return .failed(broken.reason)
      } catch let missing as ConformanceUnavailable {
        return .notApplicable(missing.reason)
      } catch {
        return .failed("unexpected error: \(error)")
      }
    }
  }

  /// All cases.
  public static let cases =
    responseCases + requestCases + limitCases + failureCases + cancelCases + streamCases
}

/// A failed check of a case.
struct BrokenPromise: Error {
  let reason: String
}
