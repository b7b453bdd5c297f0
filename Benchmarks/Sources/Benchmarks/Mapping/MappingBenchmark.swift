import CPeer
import Foundation
import Quire

/// Pages of several shapes from bytes to items, against Foundation's decoder and against simdjson
/// that parses the same bytes and makes nothing of them.
struct MappingBenchmark {
  static let rounds = 11
  /// So many bytes are read in one go, in documents of any size.
  static let bytes = 8 << 20
  static let list: JSONPath = ["data", "list"]

  func run(_ report: inout Report) async throws {
    var pages = MappingPages()
    var chinese = MappingPages(.chinese)
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
      mapper("BaseItem", text, BookItem.self), mapper("ItemValue", text, BookValue.self),
      decoder(text, BookRow.self),
    ]
  }

  private func readings(_ text: MappingText) -> [MappingRoute] {
    [
      foundation(text, ReadingRow.self), mapper("BaseItem", text, ReadingItem.self),
      decoder(text, ReadingRow.self),
    ]
  }

  private func comments(_ text: MappingText) -> [MappingRoute] {
    [
      foundation(text, CommentRow.self), mapper("BaseItem", text, CommentItem.self),
      decoder(text, CommentRow.self),
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

  /// With the report switched on, as it always is. A page that is reported to be at fault is one that
  /// was not mapped.
  private func mapper<Item: MappingItem & JSONValue>(
    _ name: String, _ text: MappingText, _ item: Item.Type
  ) -> MappingRoute {
    let mapper = ItemMapper()
    return MappingRoute(name) {
      let mapped = try mapper.items(Item.self, in: text.document(), at: Self.list)
      guard mapped.report.isClean else { throw BenchmarkError("\(mapped.report)") }
      return mapped.value
    }
  }

  private func decoder<Item: MappingItem & Decodable>(
    _ text: MappingText, _ item: Item.Type
  ) -> MappingRoute {
    let decoder = ItemDecoder()
    return MappingRoute("ItemDecoder") {
      guard let list = try text.document().root[Self.list] else {
        throw BenchmarkError("there is no list")
      }
      return try decoder.decode([Item].self, from: list)
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
          costs.ratio(route.name, to: "simdjson", \.wall)))
    }
    report.add(
      "\(name): BaseItem, times faster than JSONDecoder",
      costs.ratio("JSONDecoder", to: "BaseItem", \.wall), atLeast: name == "page" ? 12 : 10)
    switch name {
    case "page":
      report.add(
        "page: BaseItem, times simdjson alone", costs.ratio("BaseItem", to: "simdjson", \.wall),
        atMost: 4.5)
      report.add(
        "page: Decodable structs, times faster than JSONDecoder",
        costs.ratio("JSONDecoder", to: "ItemDecoder", \.wall), atLeast: 4)
    case "CJK":
      report.add(
        "CJK: BaseItem, times simdjson alone", costs.ratio("BaseItem", to: "simdjson", \.wall),
        atMost: 5.5)
    default: break
    }
  }

  private func parsing(_ text: MappingText) -> [MappingRoute] {
    [
      MappingRoute(parsing: "simdjson") { times in
        try peer(Int64(peer_parse(text.bytes.baseAddress, text.bytes.count, Int32(times))))
      },
      MappingRoute(parsing: "JSONDocument") { times in
        for _ in 0..<times { _ = try text.document() }
      },
    ]
  }
}
