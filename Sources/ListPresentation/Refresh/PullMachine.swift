/// A control that is pulled: past its threshold it is triggered, let go there it begins.
///
/// A plain value that is fed with distances. What is not a distance counts as none.
public struct PullMachine: Hashable, Sendable {
  /// Where it stands.
  public enum State: Hashable, Sendable {
    /// It is where it belongs.
    case idle
    /// It is pulled, by this part of the threshold.
    case pulling(Double)
    /// It is pulled past the threshold.
    case triggered
  }

  /// How far it has to be pulled.
  public var threshold: Double
  /// Where it stands.
  public private(set) var state = State.idle

  /// A control with a threshold. What is not above 0 makes any pull enough.
  public init(threshold: Double) { self.threshold = threshold }

  /// It was pulled to that distance from where it belongs. Going back below the threshold takes it back.
  public mutating func pull(to distance: Double) {
    guard distance.isFinite, distance > 0 else {
      state = .idle
      return
    }
    let needed = threshold.isHeight ? threshold : 0
    state = distance >= needed ? .triggered : .pulling(distance / needed)
  }

  /// It was let go; whether that begins something.
  public mutating func release() -> Bool {
    defer { state = .idle }
    return state == .triggered
  }
}
