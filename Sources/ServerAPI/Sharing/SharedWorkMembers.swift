/// Who waits for a piece of shared work, and what it means when one of them leaves.
struct SharedWorkMembers: Sendable {
  /// What follows when a member leaves.
  enum Departure: Hashable {
    /// It was no member, or the work was done before.
    case late
    /// Others still wait.
    case othersStay
    /// Nobody waits any more and the work is to be ended.
    case abandoned
  }

  private enum Phase { case running, done, abandoned }

  private var members: [(id: Int, priority: Priority)] = []
  private var lastID = 0
  private var phase = Phase.running
  private let endsWithLast: Bool

  init(endsWithLast: Bool) { self.endsWithLast = endsWithLast }

  /// Adds a member and returns its number; `nil` where the work is over and has to begin anew.
  mutating func join(_ priority: Priority) -> Int? {
    guard phase == .running else { return nil }
    lastID += 1
    members.append((lastID, priority))
    return lastID
  }

  /// Takes a member out.
  mutating func leave(_ id: Int) -> Departure {
    guard phase == .running, let index = members.firstIndex(where: { $0.id == id }) else {
      return .late
    }
    members.remove(at: index)
    guard members.isEmpty, endsWithLast else { return .othersStay }
    phase = .abandoned
    return .abandoned
  }

  /// The work is done; `false` where it was over before.
  mutating func finish() -> Bool {
    guard phase == .running else { return false }
    phase = .done
    return true
  }

  /// Changes how urgent a member is.
  mutating func setPriority(_ priority: Priority, of id: Int) {
    if let index = members.firstIndex(where: { $0.id == id }) { members[index].priority = priority }
  }

  /// Whether everybody has left before the work was done.
  var isAbandoned: Bool { phase == .abandoned }

  /// The most urgent member's.
  var priority: Priority? { members.lazy.map(\.priority).max() }
}
