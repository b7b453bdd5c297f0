import QuireTesting
import ServerAPI
import Testing

@Suite struct MockConformanceTests {
  @Test(arguments: TransportConformance.cases)
  func `the mock keeps the promises of a transport`(promise: TransportConformance.Case) async {
    let host = InMemoryHost()
    let outcome = await TransportConformance(host: host) { host.transport }.run(promise)
    #expect(outcome.isAccepted, "\(outcome)")
  }
}
