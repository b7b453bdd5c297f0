public import ServerAPI

/// The promises of ``Quire/Transport`` as a suite that anybody can run against their own transport.
///
/// ```swift
/// let report = await TransportConformance { MyTransport() }.run()
/// #expect(report.failures.isEmpty, "\(report)")
/// ```
///
/// or with one test for each case:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func `my transport keeps its promises`(_ promise: TransportConformance.Case) async {
///   let outcome = await TransportConformance { MyTransport() }.run(promise)
///   #expect(outcome.isAccepted, "\(outcome)")
/// }
/// ```
///
/// A transport that opens sockets meets a real server on this machine; one that does not can be
/// given another ``ConformanceHost``. Each case asks for a new transport. A case that comes to no
/// end fails after ``patience``; the few that are about time limits take a fraction of a second.
public struct TransportConformance: Sendable {
  /// How long a case may take, in real time. It ends cases that hang and decides nothing else. The
  /// default is 20 seconds.
  public var patience: Duration = .seconds(20)
  private let host: any ConformanceHost
  private let makeTransport: @Sendable () -> any Transport

  /// Prepares a run against the transports that the closure makes.
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
      outcome.update { $0 = $0 ?? .failed("it did not come to an end within \(patience)") }
    }
    try? await outcome.wait { $0 != nil }
    work.cancel()
    watch.cancel()
    return outcome.value ?? .failed("the run was cancelled")
  }
}

extension TransportConformance {
  /// What a case found out.
  public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    /// The promise is kept.
    case passed
    /// It is not, and how.
    case failed(String)
    /// The host can't bring the situation about, and why.
    case notApplicable(String)

    /// Whether nothing speaks against the transport.
    public var isAccepted: Bool {
      if case .failed = self { false } else { true }
    }

    /// The outcome in words.
    public var description: String {
      switch self {
      case .passed: "passed"
      case .failed(let reason): "FAILED: \(reason)"
      case .notApplicable(let reason): "not applicable: \(reason)"
      }
    }
  }

  /// What became of all cases.
  public struct Report: Hashable, Sendable, CustomStringConvertible {
    /// One case and what became of it.
    public struct Entry: Hashable, Sendable {
      /// The case, as a sentence.
      public let name: String
      /// What became of it.
      public let outcome: Outcome

      init(_ promise: Case, _ outcome: Outcome) {
        name = promise.name
        self.outcome = outcome
      }
    }

    /// Every case in the order of the suite.
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
  /// One promise, as a sentence, and how to find out whether it is kept.
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

  /// Every promise.
  public static let cases =
    responseCases + requestCases + limitCases + failureCases + cancelCases + streamCases
}

/// What a case found wrong.
struct BrokenPromise: Error {
  let reason: String
}
