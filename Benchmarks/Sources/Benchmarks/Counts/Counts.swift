import Foundation

/// The counts of all works, and what they depend on: where that is the same, so are they.
struct Counts: Codable {
  struct Work: Codable {
    var instructions: Int
    /// Blocks and bytes of memory that were asked for, a row.
    var blocks: Double
    var bytes: Double
    /// The functions with most instructions of their own.
    var functions: [String: Int]
  }

  var platform: [String: String]
  var works: [String: Work] = [:]

  init(platform: [String: String]) { self.platform = platform }

  init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Counts.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }
}

extension Counts.Work {
  /// By how much a count may grow until it counts as slower.
  static let tolerance = 0.02

  /// What has grown beyond the tolerance since `old`, in words.
  func growth(since old: Self) -> [String] {
    let pairs = [
      ("instructions", Double(settledInstructions), Double(old.settledInstructions)),
      ("blocks", blocks, old.blocks), ("bytes", bytes, old.bytes),
    ]
    return pairs.compactMap { name, new, old in
      // A block more in a thousand rows is no slower.
      guard new > old * (1 + Self.tolerance) + 0.01 else { return nil }
      return "\(name) \(percent(new, old))"
    }
  }

  /// The instructions without those that search the runtime's table of generic types. How long a search takes
  /// depends on the addresses of the types, which any change of the program moves.
  private var settledInstructions: Int {
    let searches = functions.filter { name, _ in
      name.contains("ConcurrentReadableHashMap") || name.contains("MetadataCacheKey::operator==")
    }
    return instructions - searches.values.reduce(0, +)
  }

  /// The functions that grew most since `old`, with by how much.
  func grownFunctions(since old: Self, _ count: Int = 5) -> [(name: String, growth: Int)] {
    functions.map { (name: $0.key, growth: $0.value - (old.functions[$0.key] ?? 0)) }
      .filter { $0.growth > 0 }.sorted { $0.growth > $1.growth }.prefix(count).map { $0 }
  }
}

func percent(_ new: Double, _ old: Double) -> String {
  old == 0 ? (new == 0 ? "±0 %" : "new") : String(format: "%+.1f %%", (new / old - 1) * 100)
}
