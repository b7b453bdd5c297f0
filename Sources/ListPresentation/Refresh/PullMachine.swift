/// A control that is pulled: past its threshold it is triggered, let go there it begins.
///
/// A plain value that is fed with distances. What is not a distance counts as none.
package struct PullMachine: Hashable, Sendable {
  /// Where it stands.
  package enum State: Hashable, Sendable {
    /// It is where it belongs.
    case idle
    /// It is pulled, by this part of the threshold.
    case pulling(Double)
    /// It is pulled past the threshold.
    case triggered
  }

  /// How far it has to be pulled.
  package var threshold: Double
  /// Where it stands.
  package private(set) var state = State.idle

  /// A control with a threshold. What is not above 0 makes any pull enough.
  package init(threshold: Double) { self.threshold = threshold }

  /// It was pulled to that distance from where it belongs. Going back below the threshold takes it back.
  package mutating func pull(to distance: Double) {
    guard distance.isFinite, distance > 0 else {
      state = .idle
      return
    }
    let needed = threshold.isHeight ? threshold : 0
    state = distance >= needed ? .triggered : .pulling(distance / needed)
  }

  /// It was let go; whether that begins something.
  package mutating func release() -> Bool {
    defer { state = .idle }
    return state == .triggered
  }
}

/// Where a view is scrolled to, as toolkits tell it, in the terms of pulls. What is not a number counts
/// as 0.
public struct ScrollGeometry: Hashable, Sendable {
  /// How far the content is moved up; below 0 where it is pulled down.
  public var offset: Double
  /// How high the view is.
  public var viewport: Double
  /// How high the content is.
  public var content: Double

  /// Makes a geometry; insets are part of the content.
  public init(offset: Double, viewport: Double, content: Double) {
    self.offset = offset.isFinite ? offset : 0
    self.viewport = viewport.isHeight ? viewport : 0
    self.content = content.isHeight ? content : 0
  }

  /// How far the content is pulled down below its beginning.
  public var pulledDown: Double { max(0, -offset) }

  /// How far the content is pulled up above its end. Content that is shorter than the view is pulled from
  /// where it lies.
  public var pulledUp: Double { max(0, offset - max(0, content - viewport)) }

  /// Whether the content is at least as high as the view.
  public var fillsView: Bool { content >= viewport }
}
