internal import Support

/// Plays many short histories of lists against a client, and finds those after which it says something false.
///
/// ```swift
/// let outcome = await ServedHistories().run(1_000) { run in
///   let server = Server("https://test", transport: run.transport)
///   // … read the list …
///   return (ids: ids, claim: .nothing)
/// }
/// #expect(outcome.failure == nil, "\(outcome)")
/// ```
///
/// A history fails if the client has a row twice, if its claim is false although the server kept what it rests
/// on, or if it throws. The failure is the shortest history of its kind that could be found, as a declaration to
/// paste into a test.
public struct ServedHistories: Sendable {
  /// The ways of paging.
  public var ways = ServedList.Way.allCases
  /// What the lists say of the number of their rows.
  public var totals = ServedList.Total.allCases
  /// The number of rows at the start.
  public var rows = 5...15
  /// The number of rows of a page.
  public var pageSizes = 2...5
  /// How the lists change.
  public var rates: [ServedList.Rates] = [
    .init(insert: 0.4, delete: 0.4), .init(insert: 0.5, at: .head), .init(delete: 0.5, at: .head),
    .init(insert: 0.3, delete: 0.3, at: .head), .init(insert: 0.2, delete: 0.2, burst: 3),
    .init(insert: 0.3, delete: 0.3, restore: 0.3), .init(insert: 0.2, move: 0.4, update: 0.2),
    .init(insert: 0.3, delete: 0.3, at: .tail), .init(),
  ]
  /// Faults, of which about one response in ten has one.
  public var faults: [ServedList.Fault] = []
  /// The names that lead to the rows in a response.
  public var path = "rows"
  /// Returns the JSON of a row.
  public var row: @Sendable (ServedList.Row) -> String = { $0.json }

  /// Creates histories of each way of paging, without faults.
  public init() {}

  /// The history of a seed.
  public func list(seed: UInt64) -> ServedList {
    var random = SeededGenerator(seed: seed)
    var list = ServedList(
      at: path, rows: Int.random(in: rows, using: &random),
      pageSize: Int.random(in: pageSizes, using: &random),
      by: ways.randomElement(using: &random) ?? .pages,
      total: totals.randomElement(using: &random) ?? .absent, row: row)
    if let rates = rates.randomElement(using: &random) {
      list.churn = .random(seed: random.next(), rates)
    }
    for number in 1...20 where !faults.isEmpty {
      if random.nextUnit() < 0.1 { list.faults[number] = faults.randomElement(using: &random) }
    }
    return list
  }

  /// What a client has read, and what it claims of it.
  public typealias Reading = (ids: [Int], claim: ServedList.Claim)

  /// Plays histories until one fails.
  ///
  /// - Parameters:
  ///   - count: How many histories are played.
  ///   - seed: The seed of the first one; the next ones have those after it.
  ///   - fails: Whether a verdict is a failure. By default, rows that are there twice and false claims are.
  ///   - client: Reads the list of a run.
  public func run(
    _ count: Int, from seed: UInt64 = 0,
    failing fails: (ServedList.Verdict) -> Bool = { $0.isFalse || !$0.doubled.isEmpty },
    client: (ServedRun) async throws -> Reading
  ) async -> Outcome {
    var outcome = Outcome()
    for number in 0..<UInt64(max(0, count)) {
      let run = ServedRun(list(seed: seed &+ number))
      let (verdict, problem) = await Self.judge(run, fails, client)
      if Task.isCancelled { return outcome }
      outcome.histories += 1
      if let verdict { outcome.count(verdict) }
      guard let problem else { continue }
      var failure = Failure(seed: seed &+ number, list: run.history, problem: problem.text)
      await Self.shorten(&failure, of: problem.kind, failing: fails, client: client)
      outcome.failure = failure
      return outcome
    }
    return outcome
  }

  private static func judge(
    _ run: ServedRun, _ fails: (ServedList.Verdict) -> Bool,
    _ client: (ServedRun) async throws -> Reading
  ) async -> (verdict: ServedList.Verdict?, problem: Problem?) {
    do {
      let (ids, claim) = try await client(run)
      let verdict = run.verdict(ids: ids, claim: claim)
      let kind = verdict.isFalse ? Problem.Kind.falseClaim : .otherVerdict
      return (verdict, fails(verdict) ? Problem(kind: kind, text: "\(verdict)") : nil)
    } catch {
      return (nil, Problem(kind: .error, text: "the client threw \(error)"))
    }
  }

  private struct Problem {
    enum Kind { case falseClaim, otherVerdict, error }

    var kind: Kind
    var text: String
  }

  /// Replaces a history by ever shorter ones that fail in the same way.
  private static func shorten(
    _ failure: inout Failure, of kind: Problem.Kind, failing fails: (ServedList.Verdict) -> Bool,
    client: (ServedRun) async throws -> Reading
  ) async {
    var tries = 0
    var isShorter = true
    while isShorter {
      isShorter = false
      for list in failure.list.shorter {
        tries += 1
        guard tries < 2_000, !Task.isCancelled else { return }
        let problem = await judge(ServedRun(list), fails, client).problem
        if let problem, problem.kind == kind {
          (failure.list, failure.problem, isShorter) = (list, problem.text, true)
          break
        }
      }
    }
  }
}

extension ServedHistories {
  /// A history after which a client said something false.
  public struct Failure: Hashable, Sendable {
    /// The seed of the history that was found first.
    public var seed: UInt64
    /// The shortest history that fails.
    public var list: ServedList
    /// What is wrong.
    public var problem: String
  }

  /// The outcome of many histories.
  public struct Outcome: Hashable, Sendable {
    /// How many were played.
    public var histories = 0
    /// After how many of them rows were lost.
    public var lossy = 0
    /// How often the client claimed to have the rows of one instant.
    public var exact = 0
    /// How often it claimed to be whole.
    public var whole = 0
    /// How often it claimed that rows may be missing.
    public var mayLack = 0
    /// How often a claim was not true because the server broke an assumption of the claim.
    public var excused = 0
    /// The first failure.
    public var failure: Failure?

    mutating func count(_ verdict: ServedList.Verdict) {
      if !verdict.lost.isEmpty { lossy += 1 }
      if !verdict.isTrue, !verdict.isFalse { excused += 1 }
      switch verdict.claim {
      case .nothing: break
      case .mayLack: mayLack += 1
      case .whole: whole += 1
      case .exact: exact += 1
      }
    }
  }
}

extension ServedHistories.Outcome: CustomStringConvertible {
  /// The numbers, and the failure as a declaration.
  public var description: String {
    let counts =
      "\(histories) histories: \(exact) exact, \(whole) whole, \(mayLack) may lack rows, "
      + "\(lossy) lost rows, \(excused) claims excused"
    return failure.map { "\(counts)\n\($0)" } ?? counts
  }
}

extension ServedHistories.Failure: CustomStringConvertible {
  /// What is wrong, and the declaration of the list.
  public var description: String { "\(problem) (seed \(seed)):\n\(list)" }
}
