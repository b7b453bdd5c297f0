extension ServedList {
  /// What a client assumes of a server when it claims something of its rows.
  public enum Assumption: String, Hashable, Sendable, CaseIterable {
    /// The rows of one response are those of one instant, without a gap between them.
    case instants
    /// A row keeps its id, and no two rows have the same one.
    case ids
    /// Two rows that stay in the list keep their order.
    case order
    /// A position is a number of rows, a page is short or empty only at the end, and a total is not too low.
    case positions
    /// Where a response says that no page follows, the list ends.
    case end
    /// A cursor, or the key of a row, marks a place in the order of the rows and not a number of them.
    case cursors
    /// A row that has gone does not come back.
    case absence
  }

  /// What a client claims of its rows.
  public enum Claim: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Rows may be missing, at most that many.
    case mayLack(atMost: Int?)
    /// No row is missing that was there all the time.
    case whole(given: Set<Assumption>)
    /// The rows are those of one instant.
    case exact(given: Set<Assumption>)
  }

  /// What is true of the rows that a client has read.
  public struct Verdict: Hashable, Sendable {
    /// What the client claimed.
    public var claim: Claim
    /// The ids that it has twice.
    public var doubled: [Int]
    /// The ids of rows that were there all the time and that it doesn't have.
    public var lost: [Int]
    /// The ids of rows that it has and that are no longer there.
    public var ghosts: [Int]
    /// The number of the instant at which the list had these rows, counted from the first request; each change is a
    /// new instant. `nil` if it never had.
    public var instant: Int?
    /// The assumptions that the server broke.
    public var broken: Set<Assumption>
  }
}

extension ServedList.Verdict {
  /// Whether the claim is false although the server kept the assumptions that it rests on.
  public var isFalse: Bool { !isTrue && given.isDisjoint(with: broken) }

  /// Whether the claim is true, whatever it rests on.
  public var isTrue: Bool {
    switch claim {
    case .nothing, .mayLack(nil): true
    case .mayLack(let count?): lost.count <= count
    case .whole: lost.isEmpty
    case .exact: instant != nil
    }
  }

  private var given: Set<ServedList.Assumption> {
    switch claim {
    case .nothing, .mayLack: []
    case .whole(let given), .exact(let given): given
    }
  }
}

extension ServedList.Verdict: CustomStringConvertible {
  /// What is true, in a line.
  public var description: String {
    var parts = ["the client claims \(claim.name)"]
    if !doubled.isEmpty { parts.append("has \(doubled) twice") }
    parts.append(lost.isEmpty ? "lacks no row that stayed" : "lacks \(lost), which stayed")
    if !ghosts.isEmpty { parts.append("has \(ghosts), which have gone") }
    if !broken.isEmpty {
      let names = ServedList.Assumption.allCases.filter(broken.contains).map(\.rawValue)
      parts.append("and the server broke \(names.joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }
}

extension ServedList.Claim {
  /// Creates a claim from the words of a client: `exact`, `whole`, and anything else for nothing; the names of
  /// assumptions are those of ``ServedList/Assumption``.
  ///
  /// ```swift
  /// let claim = ServedList.Claim(sure.claim.name, given: sure.assumptions.map(\.rawValue))
  /// ```
  public init(_ name: String, given assumptions: some Sequence<String> = []) {
    let given = Set(assumptions.compactMap(ServedList.Assumption.init(rawValue:)))
    switch name {
    case "exact": self = .exact(given: given)
    case "whole": self = .whole(given: given)
    default: self = .nothing
    }
  }

  fileprivate var name: String {
    func given(_ assumptions: Set<ServedList.Assumption>) -> String {
      let names = ServedList.Assumption.allCases.filter(assumptions.contains).map(\.rawValue)
      return names.isEmpty ? "" : " given \(names.joined(separator: ", "))"
    }
    return switch self {
    case .nothing: "nothing"
    case .mayLack(let count): "that \(count.map { "at most \($0)" } ?? "some") rows may be missing"
    case .whole(let basis): "to be whole" + given(basis)
    case .exact(let basis): "to be exact" + given(basis)
    }
  }
}

extension ServedList.Way {
  /// The assumptions that a server with this way of paging does not keep.
  var breaks: Set<ServedList.Assumption> {
    switch self {
    case .offsetsRoundedToPages, .offsetsWithinLimit: [.positions]
    case .links, .nextAddresses, .countingCursors, .countingRelay, .keysWithTies: [.cursors]
    default: []
    }
  }
}

extension ServedList.Total {
  /// The assumptions that a server with such a total does not keep.
  var breaks: Set<ServedList.Assumption> { self == .late ? [.positions] : [] }
}

extension ServedList.Fault {
  /// The assumptions that a response with the fault does not keep.
  var breaks: Set<ServedList.Assumption> {
    switch self {
    case .slow, .cut, .status, .repeatedCursor: []
    case .shortPage, .emptyPage: [.positions, .end, .cursors]
    case .shifted: [.instants, .positions, .end, .cursors]
    case .rowTwice: [.ids]
    }
  }
}
