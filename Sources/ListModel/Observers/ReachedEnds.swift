internal import ListReading

/// Distinguishes an end that a load has reached from one that another load was requested beyond.
struct ReachedEnds {
  /// The end that was reported last; `nil` since a page was loaded there.
  private var last: ListEnd?

  /// Returns the end that an event reports for the first time.
  mutating func reached(by event: ListEvent) -> ListEnd? {
    switch event {
    case .didReset: last = nil
    case .didSucceed(let kind) where kind.reaches(.next): last = nil
    case .didReachEnd(let end) where end != last:
      last = end
      return end
    default: break
    }
    return nil
  }
}
