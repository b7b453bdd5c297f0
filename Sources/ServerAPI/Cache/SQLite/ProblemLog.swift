/// What went wrong, the latest last.
struct ProblemLog {
  static let limit = 32

  private(set) var problems: [CacheProblem] = []
  /// What has been said and goes on.
  private var lasting: Set<CacheProblem.Kind> = []

  /// Notes a problem, unless it is one that goes on and was noted.
  mutating func add(_ problem: CacheProblem) {
    switch problem.kind {
    case .brokenEntry, .begunAnew: if problems.last == problem { return }
    case .insecure, .unusable, .full, .readOnly, .busy, .failed:
      guard lasting.insert(problem.kind).inserted else { return }
    }
    if problems.count == Self.limit { problems.removeFirst() }
    problems.append(problem)
  }

  /// Something was written, so what kept it from being written is over.
  mutating func end() { lasting.removeAll(keepingCapacity: true) }
}
