import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support
import Testing

/// Rounds by a watermark over served pages, one case each.
@Suite struct WatermarkRoundTests {
  /// Responds with rows at offsets, which a test changes between rounds.
  private final class Rows: Sendable {
    private struct State {
      var rows: [String] = []
      var addresses: [String] = []
      /// Rows that take the place of the others before a request.
      var later: (request: Int, rows: [String])?
    }

    private let state = Lock(State())
    private let hasTotal: Bool

    init(hasTotal: Bool = true) { self.hasTotal = hasTotal }

    func set(before request: Int, _ stamps: [(Int, String)]) {
      state.withLock { state in
        state.later = (state.addresses.count + request, stamps.map { #"{"id":\#($0),"at":\#($1)}"# })
      }
    }

    func set(_ rows: [String]) { state.withLock { $0.rows = rows } }
    func set(_ stamps: [(Int, String)]) { set(stamps.map { #"{"id":\#($0),"at":\#($1)}"# }) }

    func takeAddresses() -> [String] {
      state.withLock { state in
        defer { state.addresses = [] }
        return state.addresses
      }
    }

    func sync(_ watermark: SyncWatermark, params: Params = [:], from state: SyncState = SyncState()) -> ListSync<
      JSONView
    > {
      let transport = MockTransport { [self] request in
        let offset = request.query["offset"].flatMap { Int($0) } ?? 0
        let limit = request.query["limit"].flatMap { Int($0) } ?? 4
        return self.state.withLock { state in
          state.addresses.append("\(request.url)".replacing("https://test/rows", with: ""))
          if let later = state.later, state.addresses.count >= later.request { state.rows = later.rows }
          let page = state.rows.dropFirst(offset).prefix(limit).joined(separator: ",")
          return .json(#"{"rows":[\#(page)]\#(hasTotal ? ",\"total\":\(state.rows.count)" : "")}"#)
        }
      }
      let sync = ListSync<JSONView>(
        Server("https://test", transport: transport), Call("/rows", params: params), reading: .items(at: "rows"),
        paging: hasTotal ? .offset(limit: 4, endsBy: .total("total")) : .offset(limit: 4), id: "id", from: state)
      sync.watermark = watermark
      return sync
    }
  }

  private func round(_ sync: ListSync<JSONView>) async throws -> SyncReceipt {
    var receipt: SyncReceipt?
    try await sync.run { step in receipt = step.receipt ?? receipt }
    return try #require(receipt)
  }

  private let stamps = (0..<40).map { (100 - $0, "\(1_000 - 10 * $0)") }

  @Test func `a short round ends below the mark, with the rows of the overlap`() async throws {
    let rows = Rows()
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at", fullEvery: 3))
    #expect(try await round(sync).watermark?.mark == "1000")
    _ = rows.takeAddresses()
    rows.set([(101, "1010")] + stamps)
    let short = try await round(sync)
    #expect(!short.isFull && short.isComplete && short.inserted == 1 && short.deleted == 0 && short.heldBack == 0)
    #expect(short.rows == 41 && short.watermark?.mark == "1010" && rows.takeAddresses().count <= 5)
    // Rows that go are only seen by the full round.
    rows.set([(101, "1010")] + stamps.dropLast(2))
    let blind = try await round(sync)
    #expect(!blind.isFull && blind.deleted == 0 && blind.heldBack == 0 && blind.rows == 41)
    let full = try await round(sync)
    #expect(full.isFull && full.deleted == 2 && full.rows == 39, "\(full)")
    // Without the newest row, the mark can't be met.
    rows.set(Array(stamps.dropLast(2)))
    let lower = try await round(sync)
    #expect(lower.isFull && lower.deleted == 1 && lower.watermark?.mark == "1000", "\(lower)")
    #expect(lower.watermark?.problem?.contains("1000, is below the last mark, 1010") == true)
  }

  @Test(arguments: [1, 3, 9])
  func `a row that moves to the top while the list is read is not reported as gone`(others: Int) async throws {
    let rows = Rows(hasTotal: false)
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at", fullEvery: 1))
    _ = try await round(sync)
    // The last row changes, and others come above it.
    let above = (0..<others).map { (300 - $0, "\(3_000 - $0)") } + [(61, "2000")]
    rows.set(before: 4, above + stamps.dropLast())
    let receipt = try await round(sync)
    #expect(receipt.isFull && receipt.deleted == 0 && receipt.rows >= 40, "\(receipt)")
    // The first page has four rows, and shows that row or not.
    #expect(
      receipt.consistency.claim.isProven == (others < 3) && receipt.heldBack == (others < 4 ? 0 : 1), "\(receipt)")
    #expect(receipt.watermark?.mark == "1000" && receipt.watermark?.problem == nil)
    let next = try await round(sync)
    #expect(next.rows == 40 + others && next.heldBack == 0 && next.deleted == 0, "\(next)")
  }

  @Test func `a late row is measured, and sets the overlap of the next rounds`() async throws {
    let rows = Rows()
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    rows.set((stamps + [(200, "955")]).sorted { $0.1.count == $1.1.count ? $0.1 > $1.1 : $0.1.count > $1.1.count })
    let late = try await round(sync)
    #expect(late.inserted == 1 && late.watermark?.late == 1 && late.watermark?.lateness == 45, "\(late)")
    #expect(sync.state.watermark?.border?.overlap == 90)
  }

  @Test func `one inversion takes the short way away, in that round and in the next one`() async throws {
    let rows = Rows()
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    rows.set([(101, "1010"), (102, "1020")] + stamps)
    for _ in 0..<2 {
      let receipt = try await round(sync)
      #expect(receipt.isFull && receipt.watermark?.problem?.contains("not sorted newest first") == true, "\(receipt)")
      #expect(receipt.watermark?.mark == "1000" && receipt.rows == 42)
    }
    rows.set([(102, "1020"), (101, "1010")] + stamps)
    #expect(try await round(sync).watermark?.problem == nil)
    #expect(try await round(sync).isFull == false)
  }

  @Test(arguments: [
    (#"null"#, "no stamp that can be compared"), (#"{"x":1}"#, "no stamp"), (#""2026-01-01""#, "different types"),
  ])
  func `a stamp that can't be compared takes the short way away, and no row is lost`(
    stamp: String, problem: String
  ) async throws {
    let rows = Rows()
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    rows.set([(102, "1020"), (101, stamp)] + stamps)
    let receipt = try await round(sync)
    #expect(
      receipt.isFull && receipt.inserted == 2 && receipt.watermark?.problem?.contains(problem) == true, "\(receipt)")
  }

  @Test func `equal stamps at the border are all read`() async throws {
    let rows = Rows()
    let ties = (0..<30).map { ($0, "500") }
    rows.set(ties)
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    // Among equal stamps, the place of a new row is any.
    rows.set(ties.prefix(25) + [(99, "500")] + ties.suffix(5))
    let receipt = try await round(sync)
    #expect(receipt.inserted == 1 && receipt.rows == 31, "\(receipt)")
  }

  @Test func `a list without the stamp is refused, and nothing is stored`() async throws {
    let rows = Rows()
    rows.set(stamps)
    var records = 0
    await #expect(throws: SyncError.noStamps("when")) {
      try await rows.sync(.newestFirst(by: "when")).run { _ in records += 1 }
    }
    #expect(records == 0)
  }

  @Test func `a mark of another filter says nothing`() async throws {
    let rows = Rows()
    rows.set(stamps)
    let sync = rows.sync(.newestFirst(by: "at"), params: ["kind": "a"])
    _ = try await round(sync)
    #expect(try await round(sync).isFull == false)
    #expect(try await round(rows.sync(.newestFirst(by: "at"), params: ["kind": "b"], from: sync.state)).isFull)
    #expect(try await round(rows.sync(.newestFirst(by: "id"), params: ["kind": "a"], from: sync.state)).isFull)
    #expect(try await round(rows.sync(.newestFirst(by: "at"), params: ["kind": "a"], from: sync.state)).isFull == false)
  }

  @Test func `a filter carries the mark less the overlap, in the form of the rows, and full rounds carry none`()
    async throws
  {
    let rows = Rows()
    let dates = (0..<3).map { (3 - $0, #""2026-01-01T00:00:\#(30 - 10 * $0)+02:00""#) }
    rows.set(dates)
    let sync = rows.sync(.since("since", "at", fullEvery: 3))
    #expect(try await round(sync).isFull)
    #expect(rows.takeAddresses().allSatisfy { !$0.contains("since") })
    let short = try await round(sync)
    #expect(!short.isFull && short.deleted == 0 && short.watermark?.problem == nil, "\(short)")
    let address = rows.takeAddresses().first?.replacing("%3A", with: ":")
    #expect(address?.contains("since=2026-01-01T00:00:09%2B02:00") == true, "\(address ?? "")")
    rows.set(Array(dates.dropLast()))
    #expect(try await round(sync).heldBack == 0)
    let full = try await round(sync)
    #expect(full.isFull && full.deleted == 1 && full.rows == 2, "\(full)")
  }

  @Test func `a filter that returns nothing of what is known is not believed`() async throws {
    let rows = Rows()
    rows.set(stamps.prefix(3).map { $0 })
    let sync = rows.sync(.since("since", "at"))
    _ = try await round(sync)
    rows.set([String]())
    let receipt = try await round(sync)
    #expect(receipt.watermark?.problem == "no row of the last round came again" && receipt.rows == 3, "\(receipt)")
    #expect(try await round(sync).isFull)
  }

  @Test func `a round that was begun with other stamps doesn't go on`() async throws {
    let rows = Rows()
    rows.set(stamps)
    struct Stop: Error {}
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    rows.set((0..<9).map { (200 - $0, "\(2_000 - $0)") } + stamps)
    await #expect(throws: Stop.self) {
      try await sync.run { step in
        if sync.state.stamps != nil { throw Stop() }
      }
    }
    sync.watermark = nil
    let receipt = try await round(sync)
    #expect(receipt.isFull && receipt.round == 3 && receipt.inserted == 9 && receipt.watermark == nil, "\(receipt)")
  }

  @Test func `a state keeps its watermark, and a round goes on with the same border`() async throws {
    let rows = Rows()
    rows.set(stamps)
    var state = SyncState()
    let sync = rows.sync(.newestFirst(by: "at"))
    _ = try await round(sync)
    state = sync.state
    let copy = try SyncState(records: Array(state.records()))
    #expect(copy.watermark == sync.state.watermark && copy.watermark?.mark != nil)
    struct Stop: Error {}
    var records = Array(state.records())
    rows.set((0..<9).map { (200 - $0, "\(2_000 - $0)") } + stamps)
    let second = rows.sync(.newestFirst(by: "at"), from: copy)
    await #expect(throws: Stop.self) {
      try await second.run { step in
        records.append(step.record)
        if records.count > state.records().map({ $0 }).count { throw Stop() }
      }
    }
    let third = rows.sync(.newestFirst(by: "at"), from: try SyncState(records: records))
    #expect(third.state.stamps?.border == copy.watermark?.border && third.state.stamps?.isShort == true)
    let receipt = try await round(third)
    #expect(!receipt.isFull && receipt.inserted == 9 && receipt.round == 2, "\(receipt)")
  }
}
