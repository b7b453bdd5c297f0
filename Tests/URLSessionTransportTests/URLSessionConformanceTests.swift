import QuireTesting
import ServerAPI
import Testing
import URLSessionTransport

@Suite struct URLSessionConformanceTests {
  /// What the platform makes impossible, and why.
  static let knownDeviations = [
    "fields arrive exactly as given, in order":
      "a request keeps its fields in a dictionary: no order, and repeats joined by a comma",
    "repeated fields are kept apart and in order":
      "an answer keeps its fields in a dictionary: repeats are joined or lost",
    "a compressed body arrives decoded, and both its sizes are told":
      "decoding happens out of sight: the size on the wire is not known",
    "a compression bomb is found by its ratio":
      "decoding happens out of sight: the size on the wire is not known",
    "the protocol of the answer is told": "task metrics are not delivered",
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
