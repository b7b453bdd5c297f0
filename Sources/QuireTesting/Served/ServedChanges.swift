extension ServedList {
  /// A change of a list. A position outside the list stands for the nearest one inside.
  public enum Change: Hashable, Sendable {
    /// A new row appears.
    case insert(at: Int)
    /// A row goes.
    case delete(at: Int)
    /// A row gets another key, so that it is in another place.
    case move(from: Int, to: Int)
    /// A row gets a new `version`.
    case update(at: Int)
    /// The row that went last comes back to its place.
    case restore
  }

  /// How a list changes while it is read: by a script, or by chance.
  public struct Churn: Hashable, Sendable, ExpressibleByArrayLiteral {
    enum Kind: Hashable, Sendable {
      case script([Step])
      case random(seed: UInt64, Rates, Pace)
    }

    let kind: Kind

    /// Creates a script.
    public init(arrayLiteral steps: Step...) { kind = .script(steps) }

    /// Creates a script.
    public init(_ steps: [Step]) { kind = .script(steps) }

    private init(kind: Kind) { self.kind = kind }

    /// Changes by chance; the same ones for each run with this seed and the same requests.
    public static func random(
      seed: UInt64, _ rates: Rates, _ pace: Pace = .requests
    ) -> Churn {
      Churn(kind: .random(seed: seed, rates, pace))
    }
  }

  /// Changes before one request.
  public struct Step: Hashable, Sendable {
    /// The number of the request, counted from 1.
    public var request: Int
    /// The changes, in order.
    public var changes: [Change]

    /// Creates a step.
    public init(request: Int, changes: [Change]) {
      self.request = request
      self.changes = changes
    }

    /// Changes before a request, counted from 1.
    public static func before(request: Int, _ changes: Change...) -> Step {
      Step(request: request, changes: changes)
    }
  }

  /// When a list changes by chance.
  public enum Pace: Hashable, Sendable {
    /// Before each request but the first.
    case requests
    /// Each time this has passed since the first request.
    case every(Duration)
  }

  /// How often each kind of change occurs at a time when the list may change, from 0 to 1.
  public struct Rates: Hashable, Sendable {
    /// The rate of new rows.
    public var insert: Double
    /// The rate of rows that go.
    public var delete: Double
    /// The rate of rows that move.
    public var move: Double
    /// The rate of rows with a new version.
    public var update: Double
    /// The rate of rows that come back.
    public var restore: Double
    /// How many changes of a kind occur at once.
    public var burst: Int
    /// Where rows appear and go.
    public var place: Place

    /// Where in the list something changes.
    public enum Place: String, Hashable, Sendable, CaseIterable {
      case head, tail, anywhere
    }

    /// Creates rates.
    public init(
      insert: Double = 0, delete: Double = 0, move: Double = 0, update: Double = 0,
      restore: Double = 0, burst: Int = 1, at place: Place = .anywhere
    ) {
      self.insert = insert
      self.delete = delete
      self.move = move
      self.update = update
      self.restore = restore
      self.burst = burst
      self.place = place
    }
  }
}

extension ServedList.Rates {
  /// Draws the changes of one time for a list of this many rows.
  func draw(_ count: Int, using random: inout SeededGenerator) -> [ServedList.Change] {
    var count = count
    var changes: [ServedList.Change] = []
    func position(_ count: Int, _ random: inout SeededGenerator) -> Int {
      switch place {
      case .head: 0
      case .tail: max(0, count - 1)
      case .anywhere: Int.random(in: 0..<max(1, count), using: &random)
      }
    }
    // The order of the kinds is left to chance too.
    for kind in (0..<5).shuffled(using: &random) {
      guard random.nextUnit() < [insert, delete, move, update, restore][kind] else { continue }
      for _ in 0..<burst {
        switch kind {
        case 0:
          let end = place == .tail ? count : position(count + 1, &random)
          changes.append(.insert(at: end))
          count += 1
        case 1 where count > 0:
          changes.append(.delete(at: position(count, &random)))
          count -= 1
        case 2 where count > 1:
          let from = Int.random(in: 0..<count, using: &random)
          changes.append(.move(from: from, to: position(count, &random)))
        case 3 where count > 0: changes.append(.update(at: position(count, &random)))
        case 4:
          changes.append(.restore)
          count += 1
        default: break
        }
      }
    }
    return changes
  }
}
