extension MetricsMonitor {
  /// The distribution of durations, in constant memory.
  ///
  /// Buckets grow with the value: sixteen for each doubling, so a percentile is at most 1/32 away from the
  /// exact one, plus the microsecond to which durations are truncated. Durations above an hour share the
  /// last bucket.
  public struct Histogram: Hashable, Sendable {
    /// The number of recorded durations.
    public private(set) var count = 0
    /// The longest duration, exactly.
    public private(set) var maximum = Duration.zero
    /// Empty until the first duration, so that an unused phase costs nothing.
    private var buckets: [Int] = []

    /// Creates an empty histogram.
    package init() {}

    /// Adds a duration; a negative one counts as zero.
    mutating func record(_ duration: Duration) {
      if buckets.isEmpty { buckets = [Int](repeating: 0, count: Self.bucketCount) }
      buckets[Self.bucket(of: Self.microseconds(duration))] += 1
      count += 1
      maximum = max(maximum, duration)
    }

    /// Adds everything that `other` recorded.
    mutating func merge(_ other: MetricsMonitor.Histogram) {
      guard !other.buckets.isEmpty else { return }
      if buckets.isEmpty { buckets = [Int](repeating: 0, count: Self.bucketCount) }
      for index in buckets.indices { buckets[index] += other.buckets[index] }
      count += other.count
      maximum = max(maximum, other.maximum)
    }

    /// Returns the duration that a fraction of all durations, such as `0.95`, do not exceed; `nil` if there
    /// are none.
    public func percentile(_ fraction: Double) -> Duration? {
      guard count > 0 else { return nil }
      let share = fraction.isNaN ? 1 : min(max(fraction, 0), 1)
      let rank = max(1, Int((share * Double(count)).rounded(.up)))
      var passed = 0
      for (index, inBucket) in buckets.enumerated() {
        passed += inBucket
        if passed >= rank { return min(Self.middle(of: index), maximum) }
      }
      return maximum
    }

    private static let steps = 16
    /// 2³² µs are 71 minutes.
    private static let largest = (1 << 32) - 1
    private static let bucketCount = bucket(of: largest) + 1

    /// Below 16, each microsecond has its own bucket; above, the four bits after the leading one decide.
    private static func bucket(of value: Int) -> Int {
      guard value >= steps else { return value }
      let shift = Int.bitWidth - value.leadingZeroBitCount - 5
      return shift * steps + (value >> shift)
    }

    private static func middle(of bucket: Int) -> Duration {
      guard bucket >= 2 * steps else { return .microseconds(bucket) }
      let shift = bucket / steps - 1
      let lowest = (bucket - shift * steps) << shift
      return .microseconds(lowest + (1 << shift) / 2)
    }

    private static func microseconds(_ duration: Duration) -> Int {
      let (seconds, attoseconds) = duration.components
      guard duration > .zero else { return 0 }
      guard seconds < 4_294 else { return largest }
      return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
  }
}
