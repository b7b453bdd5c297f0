#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlTransportConformanceTests {
    @Test(arguments: TransportConformance.cases)
    func `every requirement of a transport is met`(promise: TransportConformance.Case) async {
      let outcome = await TransportConformance { CurlTransport() }.run(promise)
      #expect(outcome == .passed)
    }
  }
#endif
