import ItemMapping
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Numbers from servers, callers and files that are too large, too small, or not exact as a `Double`. Arithmetic traps in
/// a debug build if it overflows.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ExtremeNumberTests {
  private nonisolated static let numbers = [
    Int.min, Int.min + 1, -(1 << 53) - 1, -1, 0, 1, 2, 3, 1 << 31, (1 << 53) - 1, 1 << 53,
    (1 << 53) + 1, Int.max - 1, Int.max,
  ]

  @Test func `a total of the largest number and a confirmed insertion is no reason to trap`()
    async throws
  {
    let bench = ListBench(
      paging: .offset(limit: 3, endsBy: .total("total")),
      MockTransport { _ in .json(page(0..<3, #""total":\#(Int.max)"#)) })
    _ = await bench.model.refresh().outcome
    for id in 10..<14 {
      bench.model.confirm(try bench.model.edit(.insert(Row(id: id), at: .start)))
    }
    bench.model.confirm(try bench.model.edit(.remove(10)))
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.model.hasLoaded)
  }

  @Test func `a paging of the program may report any number`() async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(100, full: 2_000)) {
      let numbers = Lock(seeded)
      let number: @Sendable () -> Int = {
        numbers.withLock { Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &$0)] }
      }
      let paging = Paging.custom(first: PageKey(.number(1))) { key, call in
        if case .number(let place) = key.place { call.params["page"] = place }
      } facts: { page in
        guard case .number(let place) = page.key.place, place < 6 else {
          return PageFacts(next: .end, total: number(), pageCount: number())
        }
        return PageFacts(
          next: .page(PageKey(.number(place + 1))), total: number(), pageCount: number())
      }
      let bench = ListBench(
        paging: paging,
        MockTransport { request in
          let place = request.query["page"].flatMap { Int($0) } ?? 1
          return .json(page(place * 3..<place * 3 + 3, #""more":true"#))
        })
      _ = await bench.model.loadAll()
      bench.model.confirm(try bench.model.edit(.insert(Row(id: 1), at: .start)))
      _ = await bench.model.refresh().outcome
      #expect(bench.model.hasLoaded, "\(seeded)")
    }
  }

  @Test func `lists read any number of a server, with any settings and edits`() async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 10_000)) {
      var random = seeded
      func number() -> Int { Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)] }
      let size = max(1, number())
      let pagings: [Paging] = [
        .automatic, .pageNumber(size: size, first: max(0, number()), endsBy: .total("total")),
        .pageNumber(first: max(0, number()), endsBy: .pageCount("pages"), .nextPage("next")),
        .offset(limit: size, first: max(0, number()), endsBy: .total("total")),
        .cursor(at: "next", size: size, endsBy: .total("total")),
      ]
      let paging = pagings[Int.random(in: 0..<pagings.count, using: &random)]
      let numbers = Lock(SeededGenerator(seed: random.next()))
      let transport = MockTransport { _ in
        func number() -> Int {
          numbers.withLock { Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &$0)] }
        }
        let members = ["total", "pages", "page", "offset", "limit", "next", "count"]
          .map { #""\#($0)":\#(number())"# }.joined(separator: ",")
        return .json(page([number(), number(), number()], members))
      }
      let bench = ListBench(paging: paging, transport) {
        $0.minimumRows = number()
        $0.searchPages = min(5, number())
        $0.prefetchDistance = number()
        $0.window = .rows(number())
        $0.consistency = number() > 0 ? .seams : .signs
      }
      let model = bench.model
      _ = await model.refresh().outcome
      _ = await model.loadPage(number()).outcome
      for _ in 0..<4 {
        if let edit = try? model.edit(.insert(Row(id: number()), at: .start)) {
          model.confirm(edit)
        }
        if let edit = try? model.edit(.remove(RowID(number()))) { model.confirm(edit) }
        _ = await model.loadNextPage().outcome
        _ = await model.loadPreviousPage().outcome
        let row = max(0, min(number(), Int.max - 1))
        model.rowsWillAppear(row..<row + 1)
        _ = model.consistency
      }
      _ = await model.loadAll(upTo: model.count + 3, parallel: 2)
    }
  }

  /// Returns bytes in which one encoded number may be another one.
  private func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let at = Int.random(in: 0..<bytes.count, using: &random)
    let end = bytes[at...].firstIndex { $0 < 0x80 }.map { $0 + 1 } ?? bytes.count
    var writer = ByteWriter()
    writer.write(Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)])
    return bytes[..<at] + writer.bytes + bytes[end...]
  }

  @Test func `walks resume from any checkpoint`() async throws {
    let transport = MockTransport { request in
      let number =
        request.query["page"].flatMap { Int($0) }
        ?? (request.query["offset"].flatMap { Int($0) } ?? 0) / 3
      let start = min(max(0, number), 1_000) * 3
      return .json(page(start..<start + 3, #""total":30,"more":\#(number < 9)"#))
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    for paging in [
      Paging.pageNumber(size: 3, first: 0, endsBy: .total("total")),
      .offset(limit: 3, endsBy: .total("total")), .automatic,
    ] {
      let first = server.items(Row.self, "/rows", at: "rows", paging: paging)
      for _ in 0..<3 { _ = try await first.nextPage() }
      let text = try #require(first.checkpoint?.text)
      let digits = Array(text.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
      for seeded in try SeededGenerator.runs(Thoroughness.runs(500, full: 20_000)) {
        var random = seeded
        var other = changed(bytes, &random)
        if Bool.random(using: &random) { other = changed(other, &random) }
        let text = other.reduce(into: "") {
          $0 += String($1 >> 4, radix: 16) + String($1 & 15, radix: 16)
        }
        guard let checkpoint = PageWalk.Checkpoint(text: text) else { continue }
        let rest = server.items(Row.self, "/rows", at: "rows", paging: paging, from: checkpoint)
        for _ in 0..<4 { _ = try? await rest.nextPage() }
        _ = rest.checkpoint?.text
      }
    }
  }

  @Test func `lists are restored from any archive`() async throws {
    let bench = KeptListBench(pages: 5)
    _ = await bench.list().loadAll(upTo: 9)
    let heads = bench.store.keys.compactMap { key in
      bench.store.entries(for: key).first?.bytes.map { (key, $0.head) }
    }
    let entries = bench.store.keys.flatMap { bench.store.entries(for: $0) }
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 10_000)) {
      var random = seeded
      for entry in entries { bench.store.put(entry) }
      let (key, head) = heads[Int.random(in: 0..<heads.count, using: &random)]
      let bytes = changed(head, &random)
      bench.store.change(key) { $0.head = bytes }
      let list = bench.list()
      _ = await list.restore().outcome
      _ = await list.loadAll(upTo: list.count + 6)
      _ = await list.loadPreviousPage().outcome
    }
  }
}
