import ServerAPI
import Support

@testable import ListModel

/// A store that keeps entries in memory until they are removed.
final class TestCacheStore: CacheStore {
  private let entries = Lock<[CacheKey: [String: CacheEntry]]>([:])

  let salt: [UInt8] = [1, 2, 3]
  var problems: [CacheProblem] { [] }

  func entries(for key: CacheKey) -> [CacheEntry] {
    entries.withLock { Array(($0[key] ?? [:]).values) }
  }

  func put(_ entry: CacheEntry) {
    entries.withLock { $0[entry.key, default: [:]][entry.variant] = entry }
  }

  func remove(_ selection: CacheSelection) {
    entries.withLock { entries in
      entries = entries.filter { key, _ in
        !((selection.space ?? key.space) == key.space
          && (selection.partition ?? key.partition) == key.partition
          && (selection.text ?? key.text) == key.text)
      }
    }
  }

  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] { [] }

  func flush() async {}

  // MARK: - For tests

  var keys: [CacheKey] { entries.withLock { $0.keys.sorted { $0.text < $1.text } } }

  /// The last words of the keys of pages, such as `0`, `-1`.
  var pages: [Int] {
    keys.compactMap { key in
      key.text.contains(" #") ? key.text.split(separator: " ").last.flatMap { Int($0) } : nil
    }.sorted()
  }

  func change(_ key: CacheKey, _ change: (inout CacheBytes) -> Void) {
    entries.withLock { entries in
      for variant in (entries[key] ?? [:]).keys {
        if var bytes = entries[key]?[variant]?.bytes {
          change(&bytes)
          entries[key]?[variant]?.content = .bytes(bytes)
        }
      }
    }
  }

  /// The key of a kept page.
  func key(ofPage place: Int) -> CacheKey? {
    keys.first { $0.text.contains(" #") && $0.text.hasSuffix(" \(place)") }
  }

  var manifestKey: CacheKey? { keys.first { !$0.text.contains(" #") } }

  /// The manifest of the kept list.
  var manifest: ListManifest? {
    manifestKey.flatMap { entries(for: $0).first }.flatMap {
      try? ListManifest($0.bytes?.head ?? [])
    }
  }
}
