internal import Support

/// Remembers what was removed last, so that an answer that was on its way meanwhile is not kept after all.
final class CacheRemovals: Sendable {
  /// So many are remembered; before that, anything may have been removed.
  private static let maximum = 256

  private struct Log {
    var count = 0
    var latest: [CacheSelection] = []
  }

  /// Guards what was removed.
  private let log = Lock(Log())

  /// How many there were.
  var count: Int { log.withLock { $0.count } }

  func note(_ selection: CacheSelection) {
    log.withLock { log in
      log.count += 1
      log.latest.append(selection)
      if log.latest.count > Self.maximum { log.latest.removeFirst() }
    }
  }

  /// Whether a removal after so many others meant this key.
  func include(_ key: CacheKey, since count: Int) -> Bool {
    let (new, all) = log.withLock { ($0.latest.suffix($0.count - count), $0.count - count) }
    guard new.count == all else { return true }
    guard !new.isEmpty else { return false }
    let address = CacheSelection.masked(key.text)
    return new.contains { $0.includes(key, address: address) }
  }
}
