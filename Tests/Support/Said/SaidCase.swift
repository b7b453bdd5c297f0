/// One reading of a server by one reader.
package struct SaidCase: Hashable, Sendable {
  package enum Reader: String, Sendable, CaseIterable { case walk, loop, list, crawl }

  /// How the paging is declared: not at all, or with what the server says as the rules of its end.
  package enum Declaration: String, Sendable, CaseIterable { case automatic, plain, withRules }

  /// How much is requested to be sure, by the names of the levels.
  package enum Level: String, Sendable, CaseIterable {
    case any, signs, seams, whole, exact

    /// Whether the reader should fail rather than end with less than a claim.
    package var demandsClaim: Bool { self == .whole || self == .exact }
  }

  package var server: SaidServer
  package var declaration: Declaration
  package var level: Level
  package var reader: Reader

  package init(
    _ server: SaidServer, _ declaration: Declaration = .plain, _ level: Level = .seams,
    _ reader: Reader = .walk
  ) {
    (self.server, self.declaration, self.level, self.reader) = (server, declaration, level, reader)
  }
}

extension SaidCase: CustomStringConvertible {
  package var description: String { "\(reader), \(declaration), level \(level): \(server)" }
}

/// What a reader had at the end, and what it said of that.
package struct SaidReading: Sendable {
  package enum End: Hashable, Sendable {
    case complete, incomplete(String), failed(String)

    package var isComplete: Bool { self == .complete }
    /// Whether the list was read to an end.
    package var isEnd: Bool { if case .failed = self { false } else { true } }
  }

  /// What is known of the rows, by the names of the claims.
  package enum Claim: String, Hashable, Sendable {
    case mayLack = "may-lack"
    case unproven, whole, exact
  }

  package var ids: [Int] = []
  package var end = End.failed("")
  package var claim = Claim.unproven
  package var responses: [SaidResponse] = []

  package init() {}

  /// Whether the claim is that no row is missing.
  package var isProven: Bool { claim == .whole || claim == .exact }
}

extension SaidReading: CustomStringConvertible {
  package var description: String {
    let most = 8
    let left = responses.count > most ? ["… \(responses.count - most) responses before"] : []
    let lines = left + responses.suffix(most).map(\.description)
    return
      (lines + ["ended: \(end), \(claim.rawValue), \(ids.count) rows"])
      .map { "    " + $0 }.joined(separator: "\n")
  }
}
