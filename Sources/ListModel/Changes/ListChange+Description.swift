extension ListChange: CustomStringConvertible {
  /// What changed in one line, such as `removed 3…4, inserted 40…79, moved 7 to 2`.
  public var description: String {
    var parts: [String] = []
    for (verb, ranges) in [("removed", removed), ("inserted", inserted), ("updated", updated)]
    where !ranges.isEmpty {
      parts.append("\(verb) \(ranges.map(\.rowText).joined(separator: " "))")
    }
    if !moved.isEmpty {
      let moves = moved.map { "\($0.from) to \($0.to)" }
      parts.append("moved \(moves.joined(separator: " "))")
    }
    return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
  }
}

extension Range<Int> {
  /// The first and the last position, as people count.
  fileprivate var rowText: String {
    upperBound == lowerBound + 1 ? "\(lowerBound)" : "\(lowerBound)…\(upperBound - 1)"
  }
}
