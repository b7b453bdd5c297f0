/// Keeps for each row the first and the last response that had it, to prove which rows a list had at one instant.
///
/// A row that was seen at or before an instant and again at or after it was in the list then, unless it went and came
/// back. If the list had `n` rows at that instant, and `k` rows are known to have been there, at most `n - k` others
/// were. If none were, these are the rows of the instant, in whatever order they came.
struct RowSightings {
  /// The number of rows that the list had at most when a response was sent.
  private struct Limit {
    var instant: UInt32
    var rows: UInt32
    /// Whether it is a total, which may have been counted shortly before or after the rows of the response were read.
    var isTotal: Bool
  }

  /// What is proven of an instant.
  struct Proof: Hashable {
    /// The number of the response.
    var instant: UInt32
    /// The most rows of that instant that are not known.
    var missing: Int
  }

  /// The number of rows that were seen before each response. The rows after them were first seen in it.
  private var counts: [UInt32] = [0]
  /// The last response that had each row.
  private var lasts: [UInt32] = []
  private var limits: [Limit] = []
  /// The number of responses. Rows of an earlier process were seen before the first one.
  var instant: UInt32 { UInt32(counts.count - 1) }
  /// The best proof, as far as it was looked for.
  private(set) var proof: Proof?
  /// Whether more rows are known of an instant than the server counted, so that its numbers prove nothing.
  private(set) var isContradicted = false
  /// The response after which all others had the rows of one version of the list, up to its end.
  private var versionStart: UInt32?
  /// How many rows have to be seen again before a better proof is possible.
  private var neededSightings = 0

  /// The number of rows.
  var count: Int { lasts.count }

  /// Whether the rows of one instant are known.
  var isClosed: Bool { isCounted || isOfOneVersion }

  /// Whether they are known since the server counted them.
  var isCounted: Bool { proof?.missing == 0 && !isContradicted }

  /// Whether they are known since the responses of a whole walk had one version.
  var isOfOneVersion: Bool { versionStart != nil }

  /// Whether the server counted its rows.
  var hasLimit: Bool { !limits.isEmpty }

  /// Begins the next response.
  mutating func begin() { counts.append(UInt32(lasts.count)) }

  /// Records that the response has a row. A new row has the next index.
  mutating func see(_ index: Int) {
    if index < lasts.count {
      lasts[index] = instant
      neededSightings -= 1
    } else {
      lasts.append(instant)
    }
  }

  /// Records that all responses after one had the same version, up to the end of the list.
  mutating func close(after instant: UInt32) { versionStart = instant }

  /// Records how many rows the list had.
  mutating func limit(to rows: Int, isTotal: Bool) {
    // More rows than that are never known.
    guard let rows = UInt32(exactly: rows) else { return }
    limits.append(Limit(instant: instant, rows: rows, isTotal: isTotal))
  }

  /// Records that a number of the server counts something else.
  mutating func contradict() { isContradicted = true }

  /// Looks for a proof, if one is possible that is better than the last.
  ///
  /// - Parameter isThorough: Whether to look also if it is not yet worth the time.
  mutating func prove(isThorough: Bool) {
    guard isThorough || neededSightings <= 0 else { return }
    let (present, alone) = presence()
    for limit in limits {
      let instant = Int(limit.instant)
      // The total may be of an instant at which a row that only this response had was not in the list.
      let known = present[instant] - (limit.isTotal ? alone[instant] : 0)
      if known > Int(limit.rows) { isContradicted = true }
      let missing = max(0, Int(limit.rows) - known)
      if missing < proof?.missing ?? .max {
        proof = Proof(instant: limit.instant, missing: missing)
      }
    }
    // Each row that is seen again proves the presence of one row.
    neededSightings = max(proof?.missing ?? 0, Int(instant) / 16, 1)
  }

  /// Whether a row was in the list at the instant of the proof.
  func isProven(_ index: Int) -> Bool {
    if !isCounted, let versionStart { return lasts[index] > versionStart }
    guard let instant = proof?.instant else { return false }
    return index < countAfter(instant) && instant <= lasts[index]
  }

  /// The number of rows that were seen until after a response.
  private func countAfter(_ instant: UInt32) -> Int {
    let next = Int(instant) + 1
    return next < counts.count ? Int(counts[next]) : lasts.count
  }

  /// Returns for each instant how many rows are known to have been in the list, and how many of these only its
  /// own response had.
  private func presence() -> (present: [Int], alone: [Int]) {
    var changes = [Int](repeating: 0, count: Int(instant) + 2)
    var alone = [Int](repeating: 0, count: Int(instant) + 1)
    for first in 0...instant {
      for last in lasts[Int(counts[Int(first)])..<countAfter(first)] {
        changes[Int(first)] += 1
        changes[Int(last) + 1] -= 1
        if first == last { alone[Int(first)] += 1 }
      }
    }
    var present = 0
    return (
      changes.dropLast().map { change in
        present += change
        return present
      }, alone
    )
  }
}
