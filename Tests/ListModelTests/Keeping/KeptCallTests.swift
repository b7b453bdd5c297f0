import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// The call under which a list is kept is the one that its requests make.
@MainActor struct KeptCallTests {
  private let bench = KeptListBench(pages: 3)

  @Test func `a list with rules is restored`() async {
    final class TeamAPI: BaseServerAPI {
      override func prepare(_ call: inout Call) { call.params["team"] = "blue" }
    }
    func list() -> ListModel<Row> { bench.list { $0.rules = TeamAPI(bench.server()) } }
    _ = await list().loadAll()
    #expect(bench.transport.requests.first?.query["team"] == "blue")
    let kept = list()
    #expect(await kept.restore().outcome == .replaced(ListChange(inserted: [0..<9])))
    // Without the rules, it is another list.
    #expect(await bench.restored() == [])
  }

  @Test func `a subclass sees what the rules have added, also in a restore`() async {
    final class TeamAPI: BaseServerAPI {
      override func prepare(_ call: inout Call) { call.params["team"] = "blue" }
    }
    final class TeamList: ListModel<Row> {
      override func prepare(_ call: inout Call) {
        call.params["path"] = (call.params["team"] ?? "none") + "/rows"
      }
    }
    func list() -> TeamList {
      TeamList(bench.server(), "/rows", items: "rows", paging: bench.paging) {
        $0.keeping = ListKeeping(in: bench.store)
        $0.rules = TeamAPI(bench.server())
      }
    }
    _ = await list().loadAll()
    #expect(bench.transport.requests.first?.query["path"] == "blue/rows")
    let kept = list()
    #expect(await kept.restore().outcome == .replaced(ListChange(inserted: [0..<9])))
  }
}
