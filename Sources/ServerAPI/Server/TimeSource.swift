/// Where the library takes time from, so that a test can hold it in its hand.
public struct TimeSource: Sendable {
  /// Time since some fixed moment; never goes back.
  public var now: @Sendable () -> Duration
  /// Seconds since 1970, for dates that servers send.
  public var secondsSince1970: @Sendable () -> Double
  /// Waits; throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Makes a source of time.
  public init(
    now: @escaping @Sendable () -> Duration,
    secondsSince1970: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.secondsSince1970 = secondsSince1970
    self.sleep = sleep
  }
}
