internal import Support

/// A lane in which the latest call wins: for search boxes and pull-to-refresh.
///
/// A call that enters ends the one before it with ``RequestError/CancelReason/superseded``. A lane
/// may be shared by several servers.
public final class Lane: Sendable {
  /// Guards who is in the lane; the one that is pushed out is told outside of it.
  private let holder = Lock<(turn: UInt64, end: (@Sendable () -> Void)?)>((0, nil))

  /// Makes a lane; calls that carry the same lane compete.
  public init() {}

  /// Takes the lane; `end` is called when a newer call takes it.
  func enter(_ end: @escaping @Sendable () -> Void) -> UInt64 {
    let (turn, older) = holder.withLock { holder in
      let older = holder.end
      holder = (holder.turn + 1, end)
      return (holder.turn, older)
    }
    older?()
    return turn
  }

  /// Leaves the lane, unless a newer call has it already.
  func leave(_ turn: UInt64) {
    holder.withLock { if $0.turn == turn { $0.end = nil } }
  }
}
