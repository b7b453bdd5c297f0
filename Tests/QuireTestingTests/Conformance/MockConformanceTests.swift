import QuireTesting
import ServerAPI
import Testing

@Suite struct MockConformanceTests {
  @Test(arguments: TransportConformance.cases)
  func `the mock passes every case that needs no wire`(
    promise: TransportConformance.Case
  ) async {
    let host = InMemoryHost()
    let outcome = await TransportConformance(host: host) { host.transport }.run(promise)
    if case .notApplicable = outcome {
      #expect(promise.name == "interim responses are skipped")
    } else {
      #expect(outcome == .passed)
    }
  }
}
