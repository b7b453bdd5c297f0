/// A rule that a reading broke.
package struct SaidFailure: Sendable {
  package var rule: String
  /// What it was broken against.
  package var cause: String
  package var note: String
  package var reading: SaidReading

  package init(_ rule: String, _ cause: String, note: String = "", _ reading: SaidReading) {
    (self.rule, self.cause, self.note, self.reading) = (rule, cause, note, reading)
  }
}

extension SaidCase {
  /// Returns the rules that a reading broke by what its responses said.
  package func failures(of reading: SaidReading) -> [SaidFailure] {
    let rows = Set(reading.ids)
    let verdict = SaidVerdict(reading.responses, rows: rows.count)
    var failures: [SaidFailure] = []
    func add(_ rule: String, _ cause: String, _ note: String = "") {
      failures.append(SaidFailure(rule, cause, note: note, reading))
    }
    if rows.count != reading.ids.count { add("a row comes twice", server.facts) }
    if reading.responses.count >= SaidRun.mostRequests {
      add("the reading doesn't end", server.facts)
    }
    // The program said that there is one response.
    if server.way == .single, declaration != .automatic { return failures }
    // A claim after a failure is about the rows so far.
    guard reading.end.isEnd else { return failures }

    let isComplete = reading.end.isComplete
    if let (kind, reason) = verdict.more.first {
      if isComplete || reading.isProven {
        add("the server said more", SaidFlag(rawValue: kind)?.family ?? kind, reason)
      }
    } else if verdict.all.isEmpty {
      let end = verdict.end.rawValue
      if verdict.end.isRefusal, reading.isProven || isComplete && level.demandsClaim {
        add("the end proves nothing", end)
      }
      if rows.count < server.count {
        if reading.claim == .exact { add("exact over missing rows", end) }
        if reading.isProven, verdict.isAtBound { add("whole or exact at a bound", end) }
      }
    }
    // Rows with the same key can't be told apart by a keyset without overlaps, nor a list without a sign of the next
    // page be recognized.
    if isHonest, verdict.more.isEmpty, !level.demandsClaim,
      server.way != .keysWithTies || level == .seams,
      declaration != .automatic || server.isRecognized,
      !isComplete || rows.count < server.count
    {
      if case .incomplete(let reason) = reading.end {
        add("an honest list is incomplete", String(reason.filter { !$0.isNumber }.prefix(80)))
      } else {
        add("an honest list lacks rows", verdict.end.rawValue)
      }
    }
    return failures
  }
}

extension SaidFailure {
  /// What failures have in common that are one of a kind.
  package func kind(of item: SaidCase) -> String {
    "\(rule) | \(cause) | \(item.declaration == .automatic ? "automatic" : "declared")"
  }
}

extension SaidServer {
  /// What it says, to group what fails.
  package var facts: String {
    sayings.isEmpty ? "nothing said" : sayings.map(\.fact.kind).sorted().joined(separator: " + ")
  }

  /// How it stops, to group what fails.
  package var ending: String { cap < rows ? "\(stop)".prefix { $0 != "," } + "" : "the end" }

  /// Whether a sign of the next page is in the first one, in a way that is recognized.
  fileprivate var isRecognized: Bool {
    guard rows > size else { return false }
    if way.isNumbered, sayings.contains(Saying(.total(name: "total", .all))) { return true }
    return way.isChained && way != .relay && !omitsNext
  }
}

extension SaidCase {
  /// Whether all that the server says is true of the list, and its end is one.
  private var isHonest: Bool {
    // Known rows again are no end, and a server that rounds repeats the only page of a list.
    guard server.cap == server.rows, server.stop != .repeated,
      !(server.refusesEnd && server.rows == 1_000),
      declaration != .withRules || server.stop != .bare,
      server.way != .offsetsRounded || server.rows >= server.size
    else { return false }
    return server.sayings.allSatisfy { saying in
      // What is declared has to be there.
      if declaration == .withRules, saying.place != .everyPage { return false }
      return switch saying.fact {
      case .total(_, let amount), .contentRange(let amount):
        // Without a size, a page may be all there is.
        amount == .all || amount == .cap || amount == .page && server.way.sendsSize
      case .bound(let bound, let amount): amount != .high && bound != .fraction
      default: true
      }
    }
  }
}

extension SaidServer {
  /// Whether it refuses the page after the last one as it refuses pages beyond a limit.
  fileprivate var refusesEnd: Bool {
    if case .status(let status, _) = stop { ![404, 410, 416].contains(status) } else { false }
  }
}

extension SaidFlag {
  fileprivate var family: String {
    switch self {
    case .hasMore, .hasNextPage, .isLast, .last: "flag"
    case .noMore, .noMoreItems, .hasNoMore, .withoutMore, .isNotLast, .end: "negated flag"
    }
  }
}
