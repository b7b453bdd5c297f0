import QuireTesting
import TestSupport
import Testing

/// Still lists whose servers stop somewhere and say something: no reader says more than the responses do.
@Suite(.timeLimit(.minutes(30))) struct SaidMatrixTests {
  /// The failures of one kind.
  private struct Group {
    var count = 0
    var ways: [String: Int] = [:]
    var stops: [String: Int] = [:]
    var levels: [String: Int] = [:]
    let item: SaidCase
    let seed: UInt64

    private static func text(_ counts: [String: Int]) -> String {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6)
        .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    var summary: String {
      "ways \(Self.text(ways)); stops \(Self.text(stops)); levels \(Self.text(levels))"
    }
  }

  /// Returns the rules that a case breaks.
  private static func failures(of item: SaidCase) async -> [SaidFailure] {
    let reading = await item.read()
    var failures = item.failures(of: reading)
    // One of the two may not request the empty page, and then doesn't see what only that page says.
    // Where a number says that all rows came, it may come sooner.
    let seeTheSame =
      item.server.sayings.allSatisfy { $0.place != .emptyPages }
      && SaidVerdict(reading.responses, rows: Set(reading.ids).count).all.isEmpty
    if item.level.demandsClaim, reading.end.isComplete, seeTheSame {
      var other = item
      other.level = .seams
      let seams = await other.read()
      if case .incomplete = seams.end {
        failures.append(
          SaidFailure(
            "\(item.level) ends better than seams", item.server.facts, note: "seams: \(seams.end)",
            reading))
      }
    }
    // A list is not read twice. It requests the page again by which a walk has found the paging, and knows more then.
    let isFound = item.declaration == .automatic && item.level.demandsClaim
    if item.reader != .walk, item.reader != .list || item.level != .exact && !isFound {
      var other = item
      other.reader = .walk
      let walk = await other.read()
      if walk.end.isComplete != reading.end.isComplete, walk.end.isEnd, reading.end.isEnd {
        failures.append(
          SaidFailure(
            "\(item.reader) and walk disagree", item.server.facts, note: "walk: \(walk)",
            reading))
      }
    }
    return failures
  }

  @Test func `no reader says more than the responses do`() async throws {
    let runs = try SeededGenerator.runs(
      Thoroughness.runs(2_000, full: 20_000),
      failed: [
        6_019_439, 7_000_149, 7_009_215, 6_016_919, 7_003_356, 8_013_401, 8_010_986, 8_003_284,
      ])
    var groups: [String: Group] = [:]
    for run in runs {
      var random = run
      let item = SaidMatrix.makeCase(&random)
      for failure in await Self.failures(of: item) {
        let kind = failure.kind(of: item)
        var group = groups[kind] ?? Group(item: item, seed: run.seed)
        group.count += 1
        group.ways["\(item.server.way)", default: 0] += 1
        group.stops[item.server.ending, default: 0] += 1
        group.levels["\(item.level)", default: 0] += 1
        groups[kind] = group
      }
    }
    let largest = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (kind, group) in largest.prefix(30) {
      let (item, failure) = await Self.shrink(group.item, kind)
      Issue.record(
        """
        \(group.count) × \(kind)
          \(group.summary)
          QUIRE_SEED=\(group.seed), in short \(item)
        \(failure.map { "\($0.reading); \($0.note)" } ?? "")
        """)
    }
    let total = groups.values.reduce(0) { $0 + $1.count }
    #expect(total == 0, "\(groups.count) kinds of failures in \(runs.count) cases")
  }

  /// Returns a simpler case that breaks the same rule.
  private static func shrink(_ item: SaidCase, _ kind: String) async -> (SaidCase, SaidFailure?) {
    func failure(of item: SaidCase) async -> SaidFailure? {
      await failures(of: item).first { $0.kind(of: item) == kind }
    }
    var (item, found) = (item, await failure(of: item))
    search: for _ in 0..<20 {
      for other in item.simpler {
        guard let failure = await failure(of: other) else { continue }
        (item, found) = (other, failure)
        continue search
      }
      break
    }
    return (item, found)
  }
}
