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
      "an answer keeps its fields in a dictionary: repeats are joined or lost",
    "a compressed body arrives decoded, with both sizes reported":
      "decoding happens out of sight: the size on the wire is not known",
    "a compression bomb is found by its ratio":
      "decoding happens out of sight: the size on the wire is not known",
    "the protocol of the response is reported": "task metrics are not delivered",
  ]

  @Test(arguments: TransportConformance.cases)
  func `every promise is kept but exactly those the platform makes impossible`(
    promise: TransportConformance.Case
  ) async {
    let outcome = await TransportConformance { URLSessionTransport() }.run(promise)
    if let reason = Self.knownDeviations[promise.name] {
      #expect(!outcome.isAccepted, "it works now, though: \(reason)")
    } else {
      #expect(outcome == .passed)
    }
  }

  @Test func `every deviation is about a case that exists`() {
    let names = Set(TransportConformance.cases.map(\.name))
    #expect(names.isSuperset(of: Self.knownDeviations.keys))
  }
}
