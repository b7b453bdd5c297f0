/// The recent problems, the latest last.
struct ProblemLog {
  static let limit = 32

  private(set) var problems: [CacheProblem] = []
  /// The lasting problems that are already listed.
  private var lasting: Set<CacheProblem.Kind> = []

  /// Records a problem, unless it lasts and is already listed.
  mutating func add(_ problem: CacheProblem) {
    switch problem.kind {
    case .brokenEntry, .recreated: if problems.last == problem { return }
    case .unknownOwner: if problems.contains(problem) { return }
    case .insecure, .unusable, .full, .readOnly, .busy, .failed:
      guard lasting.insert(problem.kind).inserted else { return }
    }
    if problems.count == Self.limit { problems.removeFirst() }
    problems.append(problem)
  }

  /// Ends the lasting problems after a successful write.
  mutating func end() { lasting.removeAll(keepingCapacity: true) }
}
