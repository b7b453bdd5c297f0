import CPeer
import Foundation
import Quire

/// Pages of several shapes from bytes to items, against Foundation's decoder and against simdjson
/// that parses the same bytes and makes nothing of them.
struct MappingBenchmark {
  static let rounds = 11
  /// So many bytes are read in one go, in documents of any size.
  static let bytes = 8 << 20

  func run(_ report: inout Report) async throws {
    let pages = MappingPages()
    let chinese = MappingPages(.chinese)
    let page = MappingText(pages.books(1_000))
    try await measure("page", page, books(page), &report)
    for count in [1, 20] {
      let text = MappingText(pages.books(count))
      try await measure(count == 1 ? "one item" : "\(count) items", text, books(text), &report)
    }
    let cjk = MappingText(chinese.books(1_000))
    try await measure("CJK", cjk, books(cjk), &report)
    let readings = MappingText(pages.readings(1_000))
    try await measure("numbers", readings, self.readings(readings), &report)
    let comments = MappingText(pages.comments(500))
    try await measure("deep", comments, self.comments(comments), &report)
  }

  private func books(_ text: MappingText) -> [MappingRoute] {
    [
      foundation(text, BookRow.self), foundation(text, BookObject.self, " into classes"),
      .mapper(text, BookItem.self), .mapper(text, BookValue.self),
      .decoder(text, BookRow.self), MappingRoute(portable: .mapper(text, BookItem.self)),
    ]
  }

  private func readings(_ text: MappingText) -> [MappingRoute] {
    [
      foundation(text, ReadingRow.self), .mapper(text, ReadingItem.self),
      .decoder(text, ReadingRow.self),
    ]
  }

  private func comments(_ text: MappingText) -> [MappingRoute] {
    [
      foundation(text, CommentRow.self), .mapper(text, CommentItem.self),
      .decoder(text, CommentRow.self),
    ]
  }

  private func foundation<Item: MappingItem & Decodable>(
    _ text: MappingText, _ item: Item.Type, _ suffix: String = ""
  ) -> MappingRoute {
    let decoder = JSONDecoder()
    return MappingRoute("JSONDecoder" + suffix) {
      try decoder.decode(Envelope<Item>.self, from: text.data).data.list
    }
  }

  private struct Envelope<Item: Decodable>: Decodable {
    struct Content: Decodable { var list: [Item] }

    var data: Content
  }

  private func measure(
    _ name: String, _ text: MappingText, _ routes: [MappingRoute], _ report: inout Report
  ) async throws {
    let all = parsing(text) + routes
    let times = max(1, Self.bytes / text.bytes.count)
    let costs = try await compare(
      all.map { route in Contestant(route.name) { try route.run(times) } }, rounds: Self.rounds)
    guard try Set(all.compactMap { try $0.checksum() }).count == 1 else {
      throw BenchmarkError("\(name): not all make the same of it")
    }
    for route in all {
      report.note(
        String(
          format: "%@ (%d bytes), %@: %.1f µs, %.1f times simdjson", name, text.bytes.count,
          route.name, costs.median(route.name, \.wall) * 1e6 / Double(times),
          costs.ratio(route.name, to: "simdjson", what: \.wall).median))
    }
    func ratio(_ who: String, to other: String) -> Estimate {
      costs.ratio(who, to: other, what: \.wall)
    }
    report.add(
      "\(name): portable parser, times simdjson", ratio("JSONDocument, portable parser", to: "JSONDocument"), atMost: 2)
    // An item's worth of a page is mostly what each document costs.
    let goal = ["page": 3, "CJK": 3.4, "one item": 3.5][name]
    if let goal {
      report.add(
        "\(name): BaseItem, times simdjson alone", ratio("BaseItem", to: "simdjson"), atMost: goal)
    }
    report.add(
      "\(name): BaseItem, times faster than JSONDecoder", ratio("JSONDecoder", to: "BaseItem"),
      atLeast: name == "page" ? 12 : 10)
    if name == "page" {
      report.add("page: ItemValue, times BaseItem", ratio("ItemValue", to: "BaseItem"), atMost: 1)
      report.add(
        "page: BaseItem with the portable parser, times faster than JSONDecoder",
        ratio("JSONDecoder", to: "BaseItem, portable parser"), atLeast: 7)
    }
    if name == "page" || name == "deep" {
      report.add(
        "\(name): Decodable structs, times faster than JSONDecoder",
        ratio("JSONDecoder", to: "ItemDecoder"), atLeast: name == "page" ? 6 : 4.5)
    }
  }

  private func parsing(_ text: MappingText) -> [MappingRoute] {
    let document = MappingRoute(parsing: "JSONDocument") { times in
      for _ in 0..<times { _ = try text.document() }
    }
    let simdjson = MappingRoute(parsing: "simdjson") { times in
      try peer(Int64(peer_parse(text.bytes.baseAddress, text.bytes.count, Int32(times))))
    }
    return [simdjson, document, MappingRoute(portable: document)]
  }
}
