internal import Support

extension Call {
  /// A slot for one call at a time, in which the latest call wins: for search fields and pull-to-refresh.
  ///
  /// A new call in the slot ends the previous one with ``RequestError/CancelReason/superseded``. Several
  /// servers may share a slot.
  public final class Slot: Sendable {
    /// Guards the call in the slot; the superseded call is ended outside of the lock.
    private let holder = Lock<(turn: UInt64, end: (@Sendable () -> Void)?)>((0, nil))

    /// Creates an empty slot.
    public init() {}

    /// Assigns the slot to a call; `end` is called when a newer call supersedes it.
    func occupy(_ end: @escaping @Sendable () -> Void) -> UInt64 {
      let (turn, older) = holder.withLock { holder in
        let older = holder.end
        holder = (holder.turn + 1, end)
        return (holder.turn, older)
      }
      older?()
      return turn
    }

    /// Empties the slot, unless a newer call occupies it.
    func vacate(_ turn: UInt64) {
      holder.withLock { if $0.turn == turn { $0.end = nil } }
    }
  }
}
