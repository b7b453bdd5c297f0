internal import Support

extension Call {
  /// A slot for one call at a time, in which the latest call wins: for search boxes and pull-to-refresh.
  ///
  /// A new call in the slot ends the one before it with ``RequestError/CancelReason/superseded``. Several
  /// servers may share a slot.
  public final class Slot: Sendable {
    /// Guards the call in the slot; the superseded call is ended outside of the lock.
    private let holder = Lock<(turn: UInt64, end: (@Sendable () -> Void)?)>((0, nil))

    /// Makes a slot.
    public init() {}

    /// Puts a call into the slot; `end` is called when a newer call takes its place.
    func enter(_ end: @escaping @Sendable () -> Void) -> UInt64 {
      let (turn, older) = holder.withLock { holder in
        let older = holder.end
        holder = (holder.turn + 1, end)
        return (holder.turn, older)
      }
      older?()
      return turn
    }

    /// Empties the slot, unless a newer call is in it already.
    func leave(_ turn: UInt64) {
      holder.withLock { if $0.turn == turn { $0.end = nil } }
    }
  }
}
