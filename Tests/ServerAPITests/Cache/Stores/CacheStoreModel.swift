import Foundation
import QuireTesting

@testable import ServerAPI

/// A model of a store without a size limit: a plain dictionary.
struct CacheStoreModel {
  private struct Place: Hashable {
    var key: CacheKey
    var variant: [UInt8]
  }

  private var entries: [Place: EntryContent] = [:]

  mutating func put(_ entry: CacheEntry) {
    entries[Place(key: entry.key, variant: Array(entry.variant.utf8))] = EntryContent(entry)
  }

  mutating func remove(_ selection: CacheSelection) {
    entries = entries.filter { !Self.matches($0.value, selection) }
  }

  func contents(_ key: CacheKey) -> Set<EntryContent> {
    Set(entries.values.filter { $0.key == key })
  }

  func selected(_ selection: CacheSelection) -> [EntryContent] {
    entries.values.filter { Self.matches($0, selection) }
  }

  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  private static func matches(_ entry: EntryContent, _ selection: CacheSelection) -> Bool {
    (selection.space.map { $0 == entry.key.space } ?? true)
      && (selection.partition.map { isSame($0, entry.key.partition) } ?? true)
      && (selection.text.map { isSame($0, entry.key.text) } ?? true)
      && (selection.prefix.map { entry.key.text.utf8.starts(with: $0.utf8) } ?? true)
      && (selection.variant.map { isSame($0, entry.variant) } ?? true)
      && (selection.receivedBefore.map { entry.receivedAt < $0.timeIntervalSince1970 } ?? true)
  }
}

/// Applies the same random operations to a store and to the model, and reports the first difference.
struct CacheStoreScript {
  // Unicode considers some of these equal, which are different bytes.
  static let texts =
    (0..<6).map { "https://api.test/\($0 % 2 == 0 ? "books" : "it's")?page=\($0)" }
    + ["https://api.test/#caf\u{E9} 0", "https://api.test/#cafe\u{301} 0"]
  static let partitions = ["", "ann", "b\"o'b", "Jos\u{E9}", "Jose\u{301}"]
  static let variants = ["", "en", "de\u{0}x", "fran\u{E7}ais", "franc\u{327}ais"]

  var model = CacheStoreModel()
  var random: SeededGenerator
  private var clock = 0.0

  init(_ random: SeededGenerator) { self.random = random }

  mutating func key() -> CacheKey {
    CacheKey(
      CacheKey.Space.allCases.randomElement(using: &random) ?? .responses,
      partition: Self.partitions.randomElement(using: &random) ?? "",
      Self.texts.randomElement(using: &random) ?? "")
  }

  mutating func entry() throws -> CacheEntry {
    clock += 1
    let key = key()
    let count = [0, 1, 31, 32, 33, 500, 9_000].randomElement(using: &random) ?? 0
    return try sampleEntry(
      key.text, partition: key.partition,
      variant: Self.variants.randomElement(using: &random) ?? "", space: key.space,
      body: sampleBody(count, number: Int(clock)), receivedAt: clock,
      selectors: Bool.random(using: &random) ? [.init(name: "accept", value: nil)] : [],
      note: [UInt8](repeating: 7, count: Int.random(in: 0...3, using: &random)))
  }

  mutating func selection() -> CacheSelection {
    var selection = CacheSelection()
    let key = key()
    if Bool.random(using: &random) { selection = CacheSelection(key: key) }
    if Int.random(in: 0..<4, using: &random) == 0 { selection.space = key.space }
    if Int.random(in: 0..<4, using: &random) == 0 { selection.partition = key.partition }
    if Int.random(in: 0..<4, using: &random) == 0 { selection.text = key.text }
    if Int.random(in: 0..<4, using: &random) == 0 {
      selection.prefix = String(key.text.dropLast(6))
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      selection.variant = Self.variants.randomElement(using: &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      selection.receivedBefore = Date(timeIntervalSince1970: clock - 5)
    }
    return selection
  }

  /// Applies one random operation. Returns the difference; `nil` if both agree.
  mutating func step(_ store: some CacheStore) async throws -> String? {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4:
      let entry = try entry()
      model.put(entry)
      store.put(entry)
    case 5:
      let selection = selection()
      model.remove(selection)
      store.remove(selection)
    case 6:
      let selection = selection()
      let reported = await store.listings(selection)
      let times = reported.map(\.receivedAt)
      guard times == model.selected(selection).map(\.receivedAt).sorted(by: >) else {
        return "\(random): \(selection) lists \(times)"
      }
    default: return difference(key(), store)
    }
    return nil
  }

  /// Compares every key.
  func difference(_ store: some CacheStore) -> String? {
    for space in CacheKey.Space.allCases {
      for partition in Self.partitions {
        for text in Self.texts {
          if let found = difference(CacheKey(space, partition: partition, text), store) {
            return found
          }
        }
      }
    }
    return nil
  }

  private func difference(_ key: CacheKey, _ store: some CacheStore) -> String? {
    let (found, wanted) = (store.contents(key), model.contents(key))
    return found == wanted ? nil : "\(random): \(key) has \(found), expected \(wanted)"
  }
}
