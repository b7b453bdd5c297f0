/// When a page came, counted in pages since the list began.
struct PageTurn: Hashable, Sendable {
  var joined: Int
  /// When it came again after that, if it did.
  var again: Int?
}

extension PageTurn {
  /// What happens to a page when a list is put together once more.
  enum Step: Hashable {
    case append(Int)
    case prepend(Int)
    /// It is there, and comes once more.
    case again(Int)

    /// The number of the page.
    var number: Int {
      switch self {
      case .append(let number), .prepend(let number), .again(let number): number
      }
    }
  }

  /// How pages came together. Where turns can't be true they come one after the other.
  static func steps(_ turns: [PageTurn], of count: Int) -> [Step] {
    let inOrder = (0..<count).map { Step.append($0) }
    guard turns.count == count else { return inOrder }
    var moments: [(turn: Int, number: Int, isAgain: Bool)] = []
    for (number, turn) in turns.enumerated() {
      moments.append((turn.joined, number, false))
      if let again = turn.again { moments.append((again, number, true)) }
    }
    moments.sort { ($0.turn, $0.number) < ($1.turn, $1.number) }
    var steps: [Step] = []
    var there = 0..<0
    for moment in moments {
      if moment.isAgain {
        guard there.contains(moment.number) else { return inOrder }
        steps.append(.again(moment.number))
      } else if there.isEmpty {
        there = moment.number..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == there.upperBound {
        there = there.lowerBound..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == there.lowerBound - 1 {
        there = moment.number..<there.upperBound
        steps.append(.prepend(moment.number))
      } else {
        return inOrder
      }
    }
    return steps
  }
}
