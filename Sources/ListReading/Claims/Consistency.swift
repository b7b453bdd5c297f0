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
  package var unproven: Consistency {
    // A proven number of rows is a claim, too.
    let claim = claim < .unproven ? Claim.mayLack(atMost: nil) : .unproven
    return Consistency(claim, seams: seams, checks: checks, moments: moments)
  }

  /// The same, but rows may be missing.
  package var lackingRows: Consistency {
    Consistency(.mayLack(atMost: nil), seams: seams, checks: checks, moments: moments)
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

  /// Whether it is known that no row is missing that stayed in the list: ``whole`` or ``exact``.
  public var isProven: Bool { self >= .whole }

  /// The most rows that can be missing; `nil` if that is unknown or none is.
  public var bound: Int? {
    if case .mayLack(let bound) = self { bound } else { nil }
  }
}

extension Consistency {
  /// The assumptions in the order in which they are named.
  package var orderedAssumptions: [ListAssumption] { ListAssumption.allCases.filter(assumptions.contains) }
}

extension Consistency: CustomStringConvertible {
  /// The claim in a sentence.
  public var description: String {
    let basis = orderedAssumptions.map(\.description)
    let condition = basis.isEmpty ? "" : ", provided that " + basis.joined(separator: ", ")
    switch claim {
    case .mayLack(1): return "at most 1 row may be missing"
    case .mayLack(let bound?): return "at most \(bound) rows may be missing"
    case .mayLack(nil): return "rows may be missing"
    case .unproven: return "no sign that rows are missing"
    case .whole: return "no row that stayed in the list is missing\(condition)"
    case .exact: return "these are the rows of one instant\(condition)"
    }
  }
}

extension Consistency {
  /// How many extra requests a reader may send to find missing rows.
  ///
  /// ```swift
  /// let walk = PageWalk(server, "/events", paging: .offset(limit: 100), consistency: .any)
  /// ```
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The pages, and nothing else.
    case any
    /// The pages, until something shows that rows move: the total changes, a row comes again, or a page in the middle
    /// is short. Then the page is requested again, and the pages after it as for ``seams``.
    case signs
    /// Pages that overlap, where that takes no further request, so that one response has rows of both sides of each
    /// seam. Where there is none, pages before are read until one has.
    case seams
    /// As ``seams``, and pages with numbers are requested in other sizes, so that they overlap too. A list with less
    /// than the claim ``Consistency/Claim/whole`` ends as incomplete.
    case whole
    /// As ``seams``, and a walk reads the list a second time, until its rows are known to be those of one instant. The
    /// server has to say how many rows there are, by a total or by an end that it states. A list with less than the claim
    /// ``Consistency/Claim/exact`` ends as incomplete.
    case exact
  }
}

extension Consistency.Level {
  /// The claim without which a list is incomplete.
  package var claim: Consistency.Claim? {
    switch self {
    case .any, .signs, .seams: nil
    case .whole: .whole
    case .exact: .exact
    }
  }
}

extension Consistency.Level: Comparable {
  /// Compares how much is requested.
  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .any: 0
    case .signs: 1
    case .seams: 2
    case .whole: 3
    case .exact: 4
    }
  }
}

/// An assumption about a server on which a ``Consistency`` rests. Most servers keep most of them; none can be
/// checked from outside.
public enum ListAssumption: String, Hashable, Sendable, CaseIterable {
  /// The rows of one response are those of one instant, without a gap between them.
  case instants
  /// A row keeps its id, and no two rows have the same one.
  case ids
  /// Two rows that stay in the list keep their order.
  case order
  /// A position is a number of rows, a page is short or empty only at the end, and a total is not too low.
  case positions
  /// Where the server says that no page follows, the list ends.
  case end
  /// A member of a response means what its name says, where its meaning was not declared.
  case names
  /// A cursor, or the key of a row, marks a place in the order of the rows and not a number of them.
  case cursors
  /// A response shows no older list than the responses before it, also through replicas and caches on the way.
  case freshness
  /// A row that goes does not come back while the list is read.
  case absence
  /// The declared version changes whenever rows come, go or change their order.
  case version
}

extension ListAssumption: CustomStringConvertible {
  /// What is assumed, as a phrase.
  public var description: String {
    switch self {
    case .instants: "each response is of one instant"
    case .ids: "ids are unique and stay"
    case .order: "rows keep their order"
    case .positions: "positions count rows"
    case .end: "the list ends where the server says"
    case .names: "members mean what their names say"
    case .cursors: "cursors mark places"
    case .freshness: "no response is older than the one before"
    case .absence: "rows that go don't come back"
    case .version: "the version changes with the rows"
    }
  }
}

/// How a page follows those that were read before it.
public enum Seam: String, Hashable, Sendable, CaseIterable {
  /// One response had rows of both sides: no row that stayed is missing between them.
  case seen
  /// The response before led here by a cursor or the key of its last row.
  case chained
  /// The place was counted. Rows may have been inserted or removed before it meanwhile.
  case assumed
  /// Rows had moved to an earlier page and were found there.
  case mended
  /// Rows moved, and some may be missing here.
  case open
}

extension Seam {
  /// The place of the kind among all kinds.
  var index: Int {
    switch self {
    case .seen: 0
    case .chained: 1
    case .assumed: 2
    case .mended: 3
    case .open: 4
    }
  }
}
