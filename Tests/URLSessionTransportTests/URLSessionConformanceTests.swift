import QuireTesting
import ServerAPI
import Testing
import URLSessionTransport

@Suite struct URLSessionConformanceTests {
  /// What the platform makes impossible, and why.
  static let knownDeviations = [
    "header fields arrive unchanged and in order":
      "a request keeps its fields in a dictionary: no order, and repeats joined by a comma",
    "repeated fields stay separate and in order":
      "a response keeps its fields in a dictionary: repeats are joined or lost",
    "the protocol of the response is reported": "task metrics are not delivered",
  ]

  @Test(arguments: TransportConformance.cases)
  func `every requirement is met except those that the platform makes impossible`(
    promise: TransportConformance.Case
  ) async {
    let outcome = await TransportConformance { URLSessionTransport() }.run(promise)
    if let reason = Self.knownDeviations[promise.name] {
      #expect(!outcome.isAccepted, "it unexpectedly works: \(reason)")
    } else {
      #expect(outcome == .passed)
    }
  }

  @Test func `every deviation names an existing case`() {
    let names = Set(TransportConformance.cases.map(\.name))
    #expect(names.isSuperset(of: Self.knownDeviations.keys))
  }
}
