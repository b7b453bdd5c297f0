import ListModel
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Still lists whose servers stop somewhere and say something: no reader says more than the responses do.
@Suite(.timeLimit(.minutes(30))) struct SaidMatrixTests {
  /// A rule that a reading broke.
  struct Failure: Sendable {
    var rule: String
    /// What it was broken against.
    var cause: String
    var reading: SaidCase.Reading
    var note = ""
  }

  /// Returns the rules that a case breaks.
  static func failures(of item: SaidCase) async -> [Failure] {
    let reading = await item.read()
    var failures = judge(reading, of: item)
    func add(_ rule: String, _ note: String) {
      failures.append(Failure(rule: rule, cause: "", reading: reading, note: note))
    }
    if item.level >= .whole, reading.end.isComplete {
      var other = item
      other.level = .seams
      let seams = await other.read()
      if !seams.end.isComplete { add("a higher level ends better than seams", "\(seams.end)") }
    }
    // A list is not read twice.
    if item.reader != .walk, !(item.reader == .list && item.level == .exact) {
      var other = item
      other.reader = .walk
      let walk = await other.read()
      if walk.end.isComplete != reading.end.isComplete {
        add("\(item.reader) and walk disagree", "walk: \(walk.end)")
      }
    }
    return failures
  }

  private static func judge(_ reading: SaidCase.Reading, of item: SaidCase) -> [Failure] {
    let server = item.server
    let rows = Set(reading.ids)
    let verdict = SaidVerdict(reading.responses, rows: rows.count)
    var failures: [Failure] = []
    func add(_ rule: String, _ cause: String = "", _ note: String = "") {
      failures.append(Failure(rule: rule, cause: cause, reading: reading, note: note))
    }
    let (isComplete, claim) = (reading.end.isComplete, reading.claim)
    if rows.count != reading.ids.count { add("a row comes twice") }
    if reading.responses.count >= SaidRun.mostRequests { add("the reading doesn't end") }
    // The program said that there is one response.
    if item.server.way == .single, item.declaration != .automatic { return failures }

    // A claim after a failure is about the rows so far.
    if case .failed = reading.end { return failures }

    if let (kind, reason) = verdict.more.first {
      if isComplete || claim >= .whole {
        add("complete or whole although the server said more", kind, reason)
      }
    } else if verdict.all.isEmpty {
      let end = "\(verdict.end)"
      if verdict.end.isRefusal {
        if claim >= .whole || isComplete && item.level >= .whole {
          add("whole or exact by an end that proves nothing", end)
        }
      }
      let lacks = rows.count < server.count
      if lacks, claim == .exact { add("exact over missing rows", end) }
      if lacks, claim >= .whole, verdict.isAtBound { add("whole or exact at a bound", end) }
    }
    // A list without a sign of the next page is not recognized.
    if server.isHonest, item.declaration != .automatic || server.isRecognized, verdict.more.isEmpty,
      item.level <= .seams,
      server.way != .keysWithTies || item.level == .seams
    {
      let kind = item.declaration == .automatic ? "recognized" : "declared"
      if !isComplete {
        add("an honest \(kind) list is incomplete")
      } else if rows.count < server.count {
        add("an honest \(kind) list lacks rows")
      }
    }
    return failures
  }

  /// The failures with one rule, one way to stop and the same facts.
  private struct Group {
    var count = 0
    var ways: [String: Int] = [:]
    var levels: [String: Int] = [:]
    var example: (item: SaidCase, seed: UInt64)
  }

  @Test func `no reader says more than the responses do`() async throws {
    let runs = try SeededGenerator.runs(Thoroughness.runs(2_000, full: 20_000))
    var groups: [String: Group] = [:]
    for run in runs {
      var random = run
      let item = SaidMatrix.makeCase(&random)
      for failure in await Self.failures(of: item) {
        let key = failure.key(of: item)
        var group = groups[key] ?? Group(example: (item, run.seed))
        group.count += 1
        group.ways["\(item.server.way) \(item.declaration)", default: 0] += 1
        group.levels["\(item.level)", default: 0] += 1
        groups[key] = group
      }
    }
    for (key, group) in groups.sorted(by: { $0.value.count > $1.value.count }).prefix(40) {
      let (item, failure) = await Self.shrink(group.example.item, key)
      let transcript = failure.map { failure in
        (failure.reading.responses.suffix(8).map { "    \($0)" } + [
          "    ended: \(failure.reading.end), \(failure.reading.claim.name), \(failure.reading.ids.count) rows; \(failure.note)"
        ]).joined(separator: "\n")
      }
      Issue.record(
        """
        \(group.count) × \(key)
          ways \(group.ways.sorted { $0.value > $1.value }.prefix(6).map { "\($0.key) \($0.value)" }.joined(separator: ", ")); \
        levels \(group.levels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
          QUIRE_SEED=\(group.example.seed): \(item)
        \(transcript ?? "")
        """)
    }
    let total = groups.values.reduce(0) { $0 + $1.count }
    #expect(groups.isEmpty, "\(total) failures in \(groups.count) groups of \(runs.count) cases")
  }

  /// Returns a simpler case that breaks the same rule.
  private static func shrink(_ item: SaidCase, _ key: String) async -> (SaidCase, Failure?) {
    var (item, failure) = (item, await failures(of: item).first { $0.key(of: item) == key })
    search: for _ in 0..<20 {
      for other in item.simpler {
        if let found = await failures(of: other).first(where: { $0.key(of: other) == key }) {
          (item, failure) = (other, found)
          continue search
        }
      }
      break
    }
    return (item, failure)
  }
}

extension SaidMatrixTests.Failure {
  /// What failures have in common that are one of a kind.
  fileprivate func key(of item: SaidCase) -> String {
    let stop = item.server.cap < item.server.rows ? "\(item.server.stop)" : "the end"
    let reader = item.declaration == .automatic ? "automatic" : "declared"
    return "\(rule) | \(cause) | \(reader), \(stop.prefix { $0 != "(" })"
  }
}
