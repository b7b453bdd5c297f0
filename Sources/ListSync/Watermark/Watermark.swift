/// What earlier rounds have left for short ones: the mark, and how late rows came.
package struct Watermark: Hashable, Sendable {
  /// The mark, and the stamp of a row some rows below it, which are read again even if none ever came late.
  package struct Mark: Hashable, Sendable {
    package var stamp: Stamp
    package var floor: Stamp

    package init(_ stamp: Stamp, floor: Stamp) { (self.stamp, self.floor) = (stamp, floor) }
  }

  /// Where a round stops.
  package struct Border: Hashable, Sendable {
    package var mark: Mark
    /// How far below the mark rows are read.
    package var overlap: Double

    package init(mark: Mark, overlap: Double) { (self.mark, self.overlap) = (mark, overlap) }

    /// Whether a stamp is below all that the round has to read. Rows with the stamp of the border itself are read.
    package func isAbove(_ stamp: Stamp) -> Bool {
      stamp.isBelow(mark.floor) && stamp.distance(below: mark.stamp) > overlap
    }

    /// The value of a filter that returns the rows down to the border; `nil` where the form of the stamps has none.
    package var text: String? {
      guard let text = mark.stamp.text(loweredBy: overlap), let floor = mark.floor.text(loweredBy: 0) else {
        return nil
      }
      return mark.floor.distance(below: mark.stamp) > overlap ? floor : text
    }
  }

  /// The plan that it belongs to.
  package var plan: UInt64
  package var mark: Mark?
  /// The highest stamp that was read.
  package var highest: Stamp?
  /// The largest lateness of each of the last rounds.
  package var lateness: [Double] = []
  /// How many rounds have ended since the last full one.
  package var roundsSinceFull = 0
  /// Whether the next round has to be a full one, since the last one left no mark.
  package var needsFull = false

  package init(plan: UInt64) { self.plan = plan }

  /// The number of rounds whose lateness sets the overlap.
  package static let rounds = 20

  package var largestLateness: Double { lateness.max() ?? 0 }

  package var border: Border? { mark.map { Border(mark: $0, overlap: 2 * largestLateness) } }

  /// Whether the next round is to be a short one.
  package func isShortNext(fullEvery: Int) -> Bool {
    mark != nil && !needsFull && roundsSinceFull + 1 < fullEvery
  }

  /// What a round is known to be at its end.
  package struct Ending: Hashable, Sendable {
    /// Whether it has read the whole list.
    package var isFull: Bool
    /// Whether it was read to where it had to be read.
    package var isRead: Bool
    /// Whether its pages join without a gap.
    package var isProven: Bool

    package init(isFull: Bool, isRead: Bool, isProven: Bool) {
      (self.isFull, self.isRead, self.isProven) = (isFull, isRead, isProven)
    }
  }

  /// Returns what a round leaves, and why it leaves no mark.
  package func after(_ round: RoundStamps, _ ending: Ending) -> (watermark: Watermark, problem: String?) {
    var next = self
    next.roundsSinceFull = ending.isFull && ending.isRead ? 0 : roundsSinceFull + 1
    next.lateness = Array((lateness + [round.lateness]).suffix(Self.rounds))
    let problem = round.problem ?? Self.problem(round, ending)
    // A list without rows has no stamps, and leaves no mark.
    if problem == nil, let mark = round.nextMark(after: highest) {
      (next.mark, next.needsFull) = (mark, false)
    } else if problem != nil {
      next.needsFull = true
    }
    if let highest = round.highest, self.highest.map({ !highest.isBelow($0) }) ?? true { next.highest = highest }
    return (next, problem)
  }

  private static func problem(_ round: RoundStamps, _ ending: Ending) -> String? {
    if !ending.isRead { return "the round was not read to its end" }
    if !ending.isProven {
      return "nothing proves that the pages join without a gap while rows move; read with a higher level of consistency"
    }
    if !ending.isFull, !round.isWitnessed { return "no row of the last round came again" }
    return nil
  }
}
