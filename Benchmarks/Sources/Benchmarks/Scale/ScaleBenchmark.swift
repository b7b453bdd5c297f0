import Foundation
import Quire
import QuireTesting
import Synchronization

/// How costs grow with pages, rows, walks and bytes, from small to far beyond what is usual.
struct ScaleBenchmark {
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  /// Measures these parts, or all.
  func run(_ chosen: [String]) async throws {
    let parts: [(name: String, measure: () async throws -> Void)] = [
      ("pages", pages), ("lists", lists), ("splices", splices), ("repeats", repeats), ("walks", walks),
      ("sizes", pageSizes), ("crawls", crawls), ("kills", kills),
    ]
    let names = parts.map(\.name)
    for name in chosen where !names.contains(name) {
      throw BenchmarkError("there is no “\(name)”, only \(names.joined(separator: ", "))")
    }
    for part in parts where chosen.isEmpty || chosen.contains(part.name) {
      try await part.measure()
    }
  }

  /// A further page of a list that has so many.
  @MainActor private func pages() async throws {
    var growth = Growth("append a page of 20 rows", in: "µs", expected: 0)
    let list = numberList()
    var loaded = 0
    for size in [10, 100, 1_000, 10_000] {
      try await list.loadPages(size - loaded)
      // As many more as don't make it another size.
      let measured = min(100, max(5, size / 10))
      loaded = size + measured
      var times: [Double] = []
      for _ in 0..<measured {
        let start = Cost.now()
        try await list.loadPages(1)
        times.append((Cost.now() - start).wall * 1e6)
      }
      growth.add(size, Estimate(times).median)
    }
    growth.print()
  }

  /// What is done with a list that has so many rows.
  @MainActor private func lists() async throws {
    var append = Growth("append 1,000 rows to a list", in: "µs", expected: 0)
    var refresh = Growth("refresh a list to its first 1,000 rows", in: "µs", expected: 1)
    // Each level of the tree takes a little, and memory beyond the caches of the processor the rest, in an array too.
    var array = Growth("look up an element of an array at random", in: "ns", expected: 1)
    var lookup = Growth("look up a row at random", in: "ns", expected: 0.1)
    var memory = Growth("memory of a row", in: "bytes", expected: 0)
    for size in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] {
      var times = (append: [Double](), refresh: [Double](), lookup: [Double](), array: [Double]())
      for _ in 0..<(size < 10_000_000 ? 5 : 1) {
        let list = numberList(pageSize: 1_000)
        try await list.loadPages(size / 1_000)
        times.array.append(Self.lookUp(Array(list.rows.items)))
        times.lookup.append(Self.lookUp(list.rows.items))
        times.append.append(try await Self.time { try await list.loadPages(1) })
        times.refresh.append(try await Self.time { _ = await list.refresh().outcome })
      }
      append.add(size, Estimate(times.append).median)
      refresh.add(size, Estimate(times.refresh).median)
      array.add(size, Estimate(times.array).median)
      lookup.add(size, Estimate(times.lookup).median)
      guard let bytes = Double(try output(of: ["list-memory", "struct", "\(size)"])) else {
        throw BenchmarkError("no figure for the memory of \(size) rows")
      }
      if size >= 100_000 { memory.add(size, bytes) }
    }
    lookup.expected = max(lookup.expected, array.exponent)
    for growth in [append, refresh, array, lookup, memory] { growth.print() }
  }

  /// The first page of 100 rows, of which three are new, laid over a list of so many rows, beside a page that is appended.
  /// Both without their requests.
  @MainActor private func splices() async throws {
    var splice = Growth("lay 100 rows over a list", in: "µs", expected: 0)
    var append = Growth("append 100 rows to it", in: "µs", expected: 0)
    for size in [1_000, 10_000, 100_000, 1_000_000] {
      let newRows = Mutex(0)
      let transport = MockTransport { request in
        let start = Int(request.query["offset"] ?? "") ?? 0
        let first = start - newRows.withLock { $0 }
        let rows = (first..<first + 100).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return .json("[\(rows)]")
      }
      let list = ListModel<NumberRow>(
        Server("https://rows.example", transport: transport), "/rows", items: .root,
        paging: .offset(limit: 100), identity: .id)
      try await list.loadPages(size / 100)
      var times = (splice: [Double](), append: [Double]())
      for _ in 0..<20 {
        newRows.withLock { $0 += 3 }
        let count = list.count
        _ = await list.refresh(.splice).outcome
        times.splice.append(list.timings.apply / .microseconds(1))
        guard list.count == count + 3 else { throw BenchmarkError("\(list.count - count) new rows") }
        try await list.loadPages(1)
        times.append.append(list.timings.apply / .microseconds(1))
      }
      splice.add(size, Estimate(times.splice).median)
      append.add(size, Estimate(times.append).median)
    }
    for growth in [splice, append] { growth.print() }
  }

  /// A page of so many rows that are all there twice, without its request.
  @MainActor private func repeats() async throws {
    var growth = Growth("join a page whose rows are all there twice", in: "µs", expected: 1)
    for size in [1_000, 10_000, 100_000] {
      let rows = (0..<size).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let server = Server(
        "https://rows.example", transport: MockTransport { _ in .json("[\(rows),\(rows)]") })
      var times: [Double] = []
      for _ in 0..<5 {
        let list = ListModel<NumberRow>(
          server, "/rows", items: .root, paging: .link, identity: .id)
        _ = await list.refresh().outcome
        guard list.count == size else { throw BenchmarkError("\(list.count) rows of \(size)") }
        times.append(list.timings.apply / .microseconds(1))
      }
      growth.add(size, Estimate(times).median)
    }
    growth.print()
  }

  @MainActor private static func time(_ work: @MainActor () async throws -> Void) async throws
    -> Double
  {
    let start = Cost.now()
    try await work()
    return (Cost.now() - start).wall * 1e6
  }

  private static func lookUp<Items: RandomAccessCollection<NumberRow>>(_ items: Items) -> Double
  where Items.Index == Int {
    let positions = (0..<100_000).map { _ in Int.random(in: 0..<items.count) }
    let start = Cost.now()
    let sum = positions.reduce(0) { $0 &+ items[$1].id }
    let time = (Cost.now() - start).wall * 1e9 / Double(positions.count)
    return sum == .min ? 0 : time
  }

  /// A page of so many walks at once.
  private func walks() async throws {
    var growth = Growth("a page while so many walks are under way", in: "µs", expected: 0)
    for count in [1, 10, 100, 1_000] {
      let server = Server(
        "http://127.0.0.1", transport: CurlTransport { $0.connectionsPerHost = 64 })
      let pages = max(2, 2_000 / count)
      let list = yardstick.rows(pages: pages)
      let start = Cost.now()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            let walk = PageWalk(
              server, Call(list), items: "data.list",
              paging: .offset(limit: 100, endsBy: .total("data.total")))
            while try await walk.next() != nil {}
          }
        }
        try await group.waitForAll()
      }
      growth.add(count, (Cost.now() - start).wall * 1e6 / Double(count * pages))
    }
    growth.print()
  }

  /// A page of so many bytes, mapped.
  private func pageSizes() async throws {
    var growth = Growth("map a page of so many bytes", in: "µs", expected: 1)
    for rows in [2, 20, 200, 2_000, 11_000] {
      let text = MappingText(MappingPages().books(rows))
      let route = MappingRoute.mapper(text, BookItem.self)
      let times = max(1, 200_000 / rows / 10)
      try route.run(times)
      let start = Cost.now()
      try route.run(times)
      growth.add(text.bytes.count, (Cost.now() - start).wall * 1e6 / Double(times))
    }
    growth.print()
  }

  /// A crawl of so many rows, by the command.
  private func crawls() async throws {
    var time = Growth("crawl so many rows", in: "s of CPU", expected: 1)
    var memory = Growth("memory of such a crawl", in: "MiB", expected: 1)
    for rows in [10_000, 100_000, 1_000_000, 10_000_000] {
      let list = yardstick.rows(pages: rows / 100)
      let start = Cost.ofProcesses()
      let peak = try Programs.peakMemory(
        CrawlBenchmark.command(list, try Programs.quire()))
      time.add(rows, (Cost.ofProcesses() - start).cpu)
      memory.add(rows, Double(peak) / 1024)
    }
    time.print()
    memory.print()
  }

  /// The largest of the crawls, and the same one killed ten times.
  private func kills() async throws {
    let rows = 10_000_000
    let list = yardstick.rows(pages: rows / 100)
    for kills in [0, 10] {
      let crawl = KilledCrawl(list: list, rows: rows, kills: kills)
      let (cost, peak) = try crawl.run()
      print(
        String(
          format: "crawl of %d rows, killed %d times: %.0f s, %.0f s of CPU, %.0f MiB", rows, kills,
          cost.wall, cost.cpu, Double(peak) / 1024))
    }
  }
}
