import Foundation
import Quire

/// What a list costs as it grows: a further page, a look at a row, memory; and a whole page from the
/// server to the screen.
struct ListBenchmark {
  static let rounds = 7
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    try await Self.measureGrowth(&report)
    try await Self.measureAccess(&report)
    for kind in ["struct", "class"] {
      guard let bytes = Double(try output(of: ["list-memory", kind])) else {
        throw BenchmarkError("no figure for the memory of a \(kind)")
      }
      report.note(
        String(
          format: "list of 1,000,000 rows, each a %@ with an Int: %.0f bytes of memory a row", kind,
          bytes))
    }
    try await ListPageLoad(yardstick).run(&report)
  }

  /// The 10,000th page against an early one. Both times have the same work of a request in them,
  /// without a network: from the call to its outcome, all that a screen waits for.
  @MainActor private static func measureGrowth(_ report: inout Report) async throws {
    var ratios: [Double] = []
    var early: [Double] = []
    var late: [Double] = []
    for _ in 0..<Rounds.count(rounds) {
      let list = numberList()
      var times: [Double] = []
      for _ in 0..<10_000 {
        let start = Cost.now()
        try await list.loadPages(1)
        times.append((Cost.now() - start).wall)
      }
      early.append(middle(times[100..<1_100]))
      late.append(middle(times[9_000...]))
      ratios.append(middle(times[9_000...]) / middle(times[100..<1_100]))
    }
    report.note(
      String(
        format:
          "list: page 100…1,100 takes %.1f µs, page 9,000…10,000 %.1f µs (20 rows, no network)",
        middle(early[...]) * 1e6, middle(late[...]) * 1e6))
    report.add("list: page 10,000, times page 1,000", Estimate(ratios), atMost: 1.5)
  }

  /// Snapshots and rows at random positions of a long list, against a short one.
  @MainActor private static func measureAccess(_ report: inout Report) async throws {
    let (short, long) = (numberList(), numberList())
    try await short.loadPages(10_000 / NumberedTransport.pageSize)
    try await long.loadPages(1_000_000 / NumberedTransport.pageSize)
    guard short.count == 10_000, long.count == 1_000_000 else {
      throw BenchmarkError("\(short.count) and \(long.count) rows")
    }
    func look(
      _ what: String, atMost goal: Double, _ work: @escaping @MainActor (Numbers, [Int]) -> Int
    ) async throws {
      let costs = try await compare(
        [short, long].map { list in
          let positions = (0..<looks).map { _ in Int.random(in: 0..<list.count) }
          return Contestant("\(list.count)") { await Self.repeated { work(list, positions) } }
        }, rounds: 11)
      report.note(
        String(
          format: "list: %@ takes %.0f ns at 10,000 rows, %.0f ns at 1,000,000", what,
          costs.median("10000", \.wall) * 1e9 / Double(looks),
          costs.median("1000000", \.wall) * 1e9 / Double(looks)))
      report.add(
        "list: \(what), 1,000,000 rows, times 10,000",
        costs.ratio("1000000", to: "10000", what: \.wall), atMost: goal)
    }
    try await look("a snapshot", atMost: 1.5) { list, positions in
      positions.reduce(0) { sum, _ in sum &+ list.rows.count }
    }
    try await look("an item at random", atMost: 2.5) { list, positions in
      let items = list.rows.items
      return positions.reduce(0) { $0 &+ items[$1].id }
    }
  }

  private typealias Numbers = ListModel<NumberRow>
  private static let looks = 100_000

  /// Looks on the main actor, as a screen does; what comes out has to be kept, lest nothing is done.
  @MainActor private static func repeated(_ work: @MainActor () -> Int) {
    seen &+= work()
  }

  @MainActor private static var seen = 0

  /// Prints how many bytes a row takes in a list of so many: in a process that has done nothing but load
  /// a few pages, which brings in the libraries.
  @MainActor static func printMemory(_ kind: String, rows: Int) async throws {
    try await numberList().loadPages(10)
    try await itemList().loadPages(10)
    let before = residentMemory()
    let pages = rows / NumberedTransport.pageSize
    let (numbers, items) = (numberList(), itemList())
    if kind == "struct" {
      try await numbers.loadPages(pages)
    } else {
      try await items.loadPages(pages)
    }
    let grown = residentMemory() - before
    print(Double(grown) * 1024 / Double(numbers.count + items.count))
  }
}

/// The usual one of some values.
private func middle(_ values: ArraySlice<Double>) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
