import Dispatch
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// The timings of pages, for every outcome.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LoadTimingsTests {
  private func list(_ response: MockResponse) -> ListModel<Row> {
    let server = Server("https://test", transport: MockTransport { _ in response }) {
      $0.retry = .never
    }
    return ListModel(server, "/rows", items: "rows", paging: .link)
  }

  @Test func `a page has the time to decode its rows and to join them to the list`() async {
    let list = list(.json(#"{"rows":[{"id":1}]}"#))
    _ = await list.refresh().outcome
    let timings = list.timings
    #expect(timings.decode > .zero && timings.apply > .zero)
    #expect(timings.total >= timings.decode + timings.apply)
    #expect(list.page?.timings == timings)
  }

  @Test(arguments: [#"{"rows":[{"no":1}]}"#, "{"])
  func `a page that can't be read has its timings`(body: String) async {
    let list = list(.json(body))
    var seen: HTTPResponse.Timings?
    let delegate = RecordingDelegate()
    delegate.onEvent = { [weak list] in if $0.hasPrefix("fail ") { seen = list?.timings } }
    list.delegate = delegate
    guard case .failed = await list.refresh().outcome else {
      Issue.record("\(list.refreshState)")
      return
    }
    #expect(list.timings.decodedBytes == body.utf8.count)
    #expect(list.timings.decode > .zero && list.timings.total > list.timings.decode)
    #expect(seen == list.timings)
  }

  @Test func `so has one without a response`() async {
    let list = list(.failure(.connectRefused))
    _ = await list.refresh().outcome
    #expect(list.timings.total > .zero)
    guard case .failed(.request(let error)) = list.refreshState else {
      Issue.record("\(list.refreshState)")
      return
    }
    #expect(list.timings == error.timings)
  }

  @Test func `and one that is cancelled`() async {
    let gate = Gate()
    let list = list(.json("{}").held(by: gate))
    let load = list.refresh()
    await gate.reached()
    list.cancel()
    #expect(await load.outcome == .cancelled(.byCaller))
    #expect(list.timings.total > .zero && list.timings.apply == .zero)
    gate.open()
  }

  @Test func `a page that arrives after it was cancelled leaves them as they are`() async {
    let decoder = HeldDecoder()
    let list = ListModel<Int>(
      Server("https://test", transport: MockTransport { _ in .json("[]") }), Call("/rows"),
      reading: .format(decoder), paging: .single, identity: .by { $0 })
    let load = list.refresh()
    try? await decoder.hasStarted.pass()
    load.cancel()
    let timings = list.timings
    decoder.mayContinue.signal()
    while list.discardedResponses == 0 { await Task.yield() }
    #expect(list.timings == timings)
  }
}
