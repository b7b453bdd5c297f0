import QuireTesting

@testable import ListModel
@testable import ListReading

/// What can happen to the list, and what kinds of lists there are.
extension BrainWorld {
  enum Event: Hashable {
    case load(LoadKind), refresh(RefreshMode), around(Int), retry, cancelOldest, cancelAll, reset
    case respond(Int), fail(Int)
    /// The server refuses a request.
    case refuse(Int)
    /// A stored response to a request, from this many changes of the server ago.
    case preview(Int, of: Int)
    case restore
    case serverInserts(Int), serverDeletes(Int), serverMoves(Int)
    /// So many rows come on top that a refresh may find no known one.
    case serverGrows(Int)
    case loadGap(Int, ListGap.Side)
    case edit(Int), confirm, rollback
    /// Confirms the oldest edit with a row that the server inserts now, or had inserted before.
    case confirmAs(Int, isNew: Bool)
    case rowsAppeared(Int)
    /// A look for new rows above the list, and a response to one that was ever requested, or its failure.
    case probe, respondToProbe(Int), failProbe(Int)
  }

  /// What kind of list it is.
  struct Kind: Hashable {
    /// Whether the server reports the number of its rows.
    var reportsTotal = false
    /// How much the list requests to be sure.
    var level = Consistency.Level.signs
    /// Whether pages are counted by rows, so that windows of them can be requested.
    var hasOffsets = false

    static func random(using generator: inout SeededGenerator) -> Kind {
      Kind(
        reportsTotal: Bool.random(using: &generator),
        level: Consistency.Level.allCases.randomElement(using: &generator) ?? .signs,
        hasOffsets: Bool.random(using: &generator))
    }
  }

  static func random(using generator: inout SeededGenerator) -> Event {
    let n = Int.random(in: 0..<80, using: &generator)
    switch Int.random(in: 0..<46, using: &generator) {
    case 0, 1: return .load(.next)
    case 2: return .load(.previous)
    case 3: return .load(.page(n % 5))
    case 4: return .refresh(n.isMultiple(of: 3) ? .keepVisible : n.isMultiple(of: 2) ? .deep : .splice)
    case 5: return .refresh(n.isMultiple(of: 2) ? .replace : .splice)
    case 6: return n.isMultiple(of: 2) ? .refresh(.deep) : .around(n)
    case 7: return .retry
    case 8: return .cancelOldest
    case 9: return n < 10 ? .cancelAll : n < 15 ? .reset : .rowsAppeared(n)
    case 10...17: return .respond(n)
    case 18: return .fail(n)
    case 19: return n.isMultiple(of: 2) ? .fail(n) : .refuse(n)
    case 20, 21: return .serverInserts(n)
    case 22: return .serverDeletes(n)
    case 23: return .serverMoves(n)
    case 24, 25: return .edit(n)
    case 26: return .confirm
    case 27: return .rollback
    case 28...31: return .preview(n, of: n % 7)
    case 32: return .restore
    case 33, 34: return .confirmAs(n, isNew: n.isMultiple(of: 3))
    case 35: return .serverGrows(n % 25)
    case 36...38: return .loadGap(n, n.isMultiple(of: 3) ? .below : .above)
    case 39, 40: return .probe
    case 41: return .respondToProbe(n)
    case 42: return n < 40 ? .respondToProbe(0) : .failProbe(n)
    default: return .rowsAppeared(n)
    }
  }
}
