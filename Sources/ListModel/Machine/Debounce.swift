/// Decides how long a request waits after the list has changed what it requests.
struct Debounce {
  /// The moment until which requests wait, on the clock of the server.
  private var end: Duration?

  /// What is requested has changed.
  mutating func changed(at now: Duration, waiting length: Duration) {
    end = length > .zero ? now + length : nil
  }

  /// Returns how long a request waits now; `nil` if it is sent at once.
  func wait(at now: Duration) -> Duration? {
    guard let end, now < end else { return nil }
    return end - now
  }
}
