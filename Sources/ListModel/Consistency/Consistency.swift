#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How sure it is that a list has its rows, although the list on the server may change while its pages are read.
///
/// ```swift
/// let walk = PageWalk(server, "/events", paging: .cursor(at: "next"))
/// while let page = try await walk.next() { … }
/// if walk.consistency.claim < .whole { print("rows may be missing: \(walk.consistency)") }
/// ```
///
/// Before both ends of the list are reached, it speaks of the rows between the first and the last one that were read.
public struct Consistency: Hashable, Sendable {
  /// What is known of the rows.
  public var claim: Claim
  /// What the claim rests on; empty if nothing is claimed.
  public var assumptions: Set<ListAssumption>
  /// The number of seams between pages, by kind.
  public var seams: [Seam: Int]
  /// The number of requests that were sent only to be sure, beside those for the pages.
  public var checks: Int
  /// When the server sent or confirmed the oldest and the newest of the pages; `nil` before the first one.
  public var moments: ClosedRange<Date>?

  /// Creates a value.
  package init(
    _ claim: Claim, on assumptions: Set<ListAssumption> = [], seams: [Seam: Int] = [:],
    checks: Int = 0, moments: ClosedRange<Date>? = nil
  ) {
    self.claim = claim
    self.assumptions = assumptions
    self.seams = seams
    self.checks = checks
    self.moments = moments
  }
}

extension Consistency {
  /// Returns what is left of the claim for a program that doesn't make these assumptions.
  ///
  /// ```swift
  /// let claim = walk.consistency.without([.order]).claim    // rows are sorted by score
  /// ```
  public func without(_ assumptions: Set<ListAssumption>) -> Consistency {
    self.assumptions.isDisjoint(with: assumptions) ? self : unproven
  }

  /// The same, but nothing is claimed.
  var unproven: Consistency {
    // A proven number of rows is a claim, too.
    let claim = claim < .unproven ? Claim.mayLack(atMost: nil) : .unproven
    return Consistency(claim, seams: seams, checks: checks, moments: moments)
  }

  /// What is known of the rows of a list, from little to much.
  public enum Claim: Hashable, Sendable {
    /// Rows may be missing: at most that many, or an unknown number.
    case mayLack(atMost: Int?)
    /// Nothing says that rows are missing, and nothing proves that none is.
    case unproven
    /// No row is missing that was in the list all the time while it was read.
    case whole
    /// The rows are those that the list had at one instant.
    case exact
  }
}

extension Consistency.Claim: Comparable {
  private var rank: Int {
    switch self {
    case .mayLack: 0
    case .unproven: 1
    case .whole: 2
    case .exact: 3
    }
  }

  /// Compares how much is known. The fewer rows may be missing, the more is.
  public static func < (a: Self, b: Self) -> Bool {
    a.rank == b.rank ? (a.bound ?? .max) > (b.bound ?? .max) : a.rank < b.rank
  }
}

extension Consistency.Claim {
  /// The name of the claim: `exact`, `whole`, `unproven` or `may-lack`.
  public var name: String {
    switch self {
    case .mayLack: "may-lack"
    case .unproven: "unproven"
    case .whole: "whole"
    case .exact: "exact"
    }
  }

  /// The most rows that can be missing; `nil` if that is unknown or none is.
  public var bound: Int? {
    if case .mayLack(let bound) = self { bound } else { nil }
  }
}

extension Consistency: CustomStringConvertible {
  /// The claim in a sentence.
  public var description: String {
    let basis = ListAssumption.allCases.filter(assumptions.contains).map(\.description)
    let condition = basis.isEmpty ? "" : ", provided that " + basis.joined(separator: ", ")
    switch claim {
    case .mayLack(1): return "at most 1 row may be missing"
    case .mayLack(let bound?): return "at most \(bound) rows may be missing"
    case .mayLack(nil): return "rows may be missing"
    case .unproven: return "nothing says that rows are missing, and nothing proves that none is"
    case .whole: return "no row that stayed in the list is missing\(condition)"
    case .exact: return "these are the rows of one instant\(condition)"
    }
  }
}
