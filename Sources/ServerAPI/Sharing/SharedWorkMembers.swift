/// The members of shared work, and what happens when one of them leaves.
struct SharedWorkMembers: Sendable {
  /// The consequence of removing a member.
  enum Departure: Hashable {
    /// It was not a member, or the work had already ended.
    case late
    /// Other members remain.
    case othersStay
    /// No member remains, so the work must be cancelled.
    case abandoned
  }

  private enum Phase { case running, done, abandoned }

  private var members: [(id: Int, priority: Priority)] = []
  private var lastID = 0
  private var phase = Phase.running
  private let endsWithLast: Bool

  init(endsWithLast: Bool) { self.endsWithLast = endsWithLast }

  /// Adds a member and returns its id; `nil` if the work has ended.
  mutating func join(_ priority: Priority) -> Int? {
    guard phase == .running else { return nil }
    lastID += 1
    members.append((lastID, priority))
    return lastID
  }

  /// Removes a member.
  mutating func remove(_ id: Int) -> Departure {
    guard phase == .running, let index = members.firstIndex(where: { $0.id == id }) else {
      return .late
    }
    members.remove(at: index)
    guard members.isEmpty, endsWithLast else { return .othersStay }
    phase = .abandoned
    return .abandoned
  }

  /// Marks the work as finished; returns `false` if it had already ended.
  mutating func finish() -> Bool {
    guard phase == .running else { return false }
    phase = .done
    return true
  }

  /// Sets the priority of a member.
  mutating func setPriority(_ priority: Priority, of id: Int) {
    if let index = members.firstIndex(where: { $0.id == id }) { members[index].priority = priority }
  }

  /// Whether all members left before the work had finished.
  var isAbandoned: Bool { phase == .abandoned }

  /// The highest priority of the members.
  var priority: Priority? { members.lazy.map(\.priority).max() }
}
