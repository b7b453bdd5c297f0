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
    answerCases + requestCases + limitCases + failureCases + cancelCases + streamCases
}

/// What a case found wrong.
struct BrokenPromise: Error {
  let reason: String
}
