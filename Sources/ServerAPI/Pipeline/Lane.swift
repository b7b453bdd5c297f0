/// A lane in which the latest call wins: for search boxes and pull-to-refresh.
public final class Lane: Sendable {
  /// Makes a lane; calls that carry the same lane compete.
  public init() {}
}
