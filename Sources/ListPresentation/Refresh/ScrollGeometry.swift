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
