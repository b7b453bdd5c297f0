import ListReading
import ListSync
import QuireTesting
import Testing

/// Rounds as values: what is decided of rows and of ends.
@Suite struct SyncStateTests {
  private let whole = Consistency(.whole, on: [.instants, .ids, .order])

  /// Plays a round with the contents of rows by id. Returns what is reported, and the receipt.
  private func play(
    _ state: inout SyncState, _ rows: [(RowID, String)], _ consistency: Consistency? = nil, end: ListEnd = .complete,
    at date: Double = 0, atMost limit: DeleteLimit = .none
  ) throws -> (reported: [String], receipt: SyncReceipt) {
    try state.apply(.begin(at: date))
    var reported: [String] = []
    let received = rows.map { ReceivedRow($0, $1.isEmpty ? .left : .mark(ContentMark.of($1))) }
    for start in stride(from: 0, to: received.count, by: 3) {
      let page = Array(received[start..<min(start + 3, received.count)])
      let decided = try state.decide(page)
      for (row, operation) in zip(page, decided.operations) {
        if let operation { reported.append("\(operation) \(row.id.rowID)") }
      }
      try state.apply(.page(decided.page))
    }
    let seal = state.seal(SyncState.Outcome(consistency ?? whole, end), atMost: limit)
    try state.apply(.seal(seal))
    let deletes = state.nextDeletes(10_000)
    reported += deletes.map { "delete \(state.rows.id(at: $0).id)" }
    try state.apply(.remove(deletes))
    let receipt = try #require(state.receipt(at: date + 1))
    try state.apply(.end(at: date + 1))
    return (reported, receipt)
  }

  @Test func `a round reports new, changed and gone rows once`() throws {
    var state = SyncState()
    #expect(
      try play(&state, [(1, "a"), (2, "b"), (3, "c"), (4, "d")]).reported == [
        "insert 1", "insert 2", "insert 3", "insert 4",
      ])
    #expect(try play(&state, [(1, "a"), (2, "b"), (3, "c"), (4, "d")]).reported.isEmpty)
    let (reported, receipt) = try play(&state, [(1, "a"), (5, "e"), (3, "C")])
    #expect(reported == ["insert 5", "update 3", "delete 2", "delete 4"])
    #expect((receipt.inserted, receipt.updated, receipt.deleted, receipt.rows) == (1, 1, 2, 3))
    #expect(try play(&state, [(2, "b"), (1, "a"), (5, "e"), (3, "C")]).receipt.returned == 1)
  }

  @Test(
    arguments: [
      (Consistency(.unproven), ListEnd.complete, HeldBackReason.unproven(.unproven)),
      (Consistency(.mayLack(atMost: 1)), .complete, .unproven(.mayLack(atMost: 1))),
      (Consistency(.whole), .incomplete(.custom("cut")), .incomplete),
    ])
  func `deletes that are not proven are held back until a round proves them`(
    consistency: Consistency, end: ListEnd, reason: HeldBackReason
  ) throws {
    var state = SyncState()
    _ = try play(&state, [(1, "a"), (2, "b")])
    let (reported, receipt) = try play(&state, [(1, "a")], consistency, end: end)
    #expect(reported.isEmpty && receipt.heldBack == 1 && receipt.reason == reason && receipt.rows == 2)
    #expect(try play(&state, [(1, "a")]).reported == ["delete 2"])
  }

  @Test func `many proven deletes at once are held back, too`() throws {
    var state = SyncState()
    let rows = (1...200).map { (RowID($0), "x") }
    _ = try play(&state, rows)
    #expect(try play(&state, Array(rows.dropLast(20)), atMost: DeleteLimit()).reported.count == 20)
    let (reported, receipt) = try play(&state, Array(rows.prefix(100)), atMost: DeleteLimit())
    #expect(reported.isEmpty && receipt.reason == .aboveLimit(18) && receipt.heldBack == 80)
    #expect(try play(&state, Array(rows.prefix(100))).reported.count == 80)
    #expect(DeleteLimit().count(of: 30) == 10 && DeleteLimit.none.count(of: 0) == .max)
  }

  @Test(arguments: [(0.5, 50), (-1, 10), (0, 10), (7, 100), (.infinity, 100), (.nan, 10)] as [(Double, Int)])
  func `any share is a limit of deletes`(share: Double, most: Int) {
    #expect(DeleteLimit(rows: 10, share: share).count(of: 100) == most)
  }

  @Test func `a row that leaves the filter is reported as gone, without a proof`() throws {
    var state = SyncState()
    _ = try play(&state, [(1, "a"), (2, "b"), (3, "")])
    let (reported, receipt) = try play(&state, [(1, "a"), (2, ""), (3, "c")], Consistency(.unproven))
    #expect(reported == ["delete 2", "insert 3"] && receipt.rows == 2 && receipt.returned == 0)
    #expect(try play(&state, [(1, "a"), (3, "c")]).reported.isEmpty)
  }

  @Test func `ids of another type are no other rows`() throws {
    var state = SyncState()
    _ = try play(&state, [(1, "a"), (2, "b")])
    let before = state
    #expect(throws: SyncError.otherIDType(id: "2", was: "number", now: "text")) {
      try play(&state, [(7, "a"), ("2", "b")])
    }
    state = before
    #expect(throws: SyncError.otherIDType(id: "x", was: "number", now: "text")) {
      try play(&state, [("x", "a"), ("y", "b")])
    }
    state = before
    #expect(try play(&state, [(1, "a"), (2, "b"), ("x", "c")]).reported == ["insert x"])
    #expect(try play(&state, [(1, "a"), (2, "b"), ("x", "c"), ("1", "d")]).reported == ["insert 1"])
  }

  @Test func `a clock that goes back is noticed and changes nothing`() throws {
    var state = SyncState()
    #expect(try play(&state, [(1, "a")], at: 1_000).receipt.clockStep == 0)
    let (reported, receipt) = try play(&state, [(1, "b")], at: 400)
    #expect(reported == ["update 1"] && receipt.clockStep == 601)
    #expect(receipt.moments.lowerBound <= receipt.moments.upperBound)
  }

  @Test func `a state from records forgets rows that are gone, and one without all records is refused`() throws {
    var state = SyncState()
    _ = try play(&state, (1...3_000).map { (RowID($0), "x") })
    let records = Array(state.records())
    #expect(records.count == 4)
    var copy = try SyncState(records: records)
    #expect(try play(&copy, (1...100).map { (RowID($0), "x") }).receipt.deleted == 2_900)
    #expect(copy.isComplete && copy.rowCount == 100)
    for count in 1...3 {
      #expect(throws: SyncError.damagedRecord(count + 1)) { try SyncState(records: records.prefix(count)) }
    }
    #expect(throws: SyncError.damagedRecord(3)) { try SyncState(records: [records[0], records[1], records[3]]) }
    #expect(throws: SyncError.damagedRecord(5)) { try SyncState(records: records + [records[3]]) }
    #expect(throws: SyncError.otherFormat) { try SyncState(records: [[99] + records[0].dropFirst()]) }
    #expect(throws: SyncError.damagedRecord(1)) { try SyncState(records: [[]]) }
  }

  @Test func `random rounds report what a table of rows needs`() throws {
    for start in try SeededGenerator.runs(Thoroughness.runs(100)) {
      var random = start
      let seed = start
      var state = SyncState()
      var (list, table): ([Int: Int], [String: Bool]) = ([:], [:])
      for _ in 0..<12 {
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          let id = Int.random(in: 0..<30, using: &random)
          list[id] = Bool.random(using: &random) ? Int.random(in: 0..<3, using: &random) : nil
        }
        let isProven = Bool.random(using: &random)
        let rows = list.map { (RowID($0.key), "\($0.value)") }.shuffled(using: &random)
        let (reported, receipt) = try play(&state, rows, isProven ? nil : Consistency(.unproven))
        for line in reported {
          let parts = line.split(separator: " ").map(String.init)
          #expect((table[parts[1]] ?? false) == (parts[0] != "insert"), "\(line), seed \(seed)")
          table[parts[1]] = parts[0] != "delete"
          if parts[0] == "delete" { #expect(list[Int(parts[1]) ?? -1] == nil, "seed \(seed)") }
        }
        let known = Set(table.filter(\.value).keys)
        let there = Set(list.keys.map(String.init))
        #expect(isProven ? known == there : known.isSuperset(of: there), "seed \(seed)")
        #expect(receipt.rows == known.count && receipt.heldBack == known.count - there.count, "seed \(seed)")
        let copy = try SyncState(records: state.records())
        #expect(copy.round == state.round && copy.rowCount == state.rowCount, "seed \(seed)")
        if Bool.random(using: &random) { state = copy }
      }
    }
  }
}
