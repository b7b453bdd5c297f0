extension ServedList: CustomStringConvertible {
  /// The declaration of the list in Swift, but for the shape of its rows.
  public var description: String {
    var parts = shape.path == ["rows"] ? [] : ["at: \"\(shape.path.joined(separator: "."))\""]
    parts.append("rows: \(rows), pageSize: \(pageSize), by: .\(way.rawValue)")
    if total != .absent { parts.append("total: .\(total.rawValue)") }
    if let churn = churn.declaration { parts.append("churn: \(churn)") }
    if !faults.isEmpty {
      let faults = faults.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.declaration)" }
      parts.append("faults: [\(faults.joined(separator: ", "))]")
    }
    return "ServedList(\n  \(parts.joined(separator: ",\n  ")))"
  }

  /// Lists with a shorter history, the shortest first; none by chance.
  var shorter: [ServedList] {
    var lists: [ServedList] = []
    func add(_ change: (inout ServedList) -> Void) {
      var list = self
      change(&list)
      if list != self { lists.append(list) }
    }
    for count in [rows / 2, rows - 1] where count > 0 { add { $0.rows = count } }
    if pageSize > 1 { add { $0.pageSize = pageSize - 1 } }
    add { $0.total = .absent }
    for number in faults.keys.sorted() { add { $0.faults[number] = nil } }
    guard case .script(let steps) = churn.kind else { return lists }
    if rows > pageSize, steps.allSatisfy({ $0.request > 1 }) {
      // A page less, and everything happens a request earlier.
      add {
        $0.rows -= $0.pageSize
        $0.churn = Churn(steps.map { Step(request: $0.request - 1, changes: $0.changes) })
      }
    }
    for index in steps.indices {
      var fewer = steps
      fewer.remove(at: index)
      add { $0.churn = Churn(fewer) }
    }
    for (index, step) in steps.enumerated() {
      for position in step.changes.indices {
        for change in [nil] + step.changes[position].simpler.map(Optional.some) {
          var simpler = steps
          simpler[index].changes.replaceSubrange(
            position...position, with: change.map { [$0] } ?? [])
          simpler.removeAll { $0.changes.isEmpty }
          add { $0.churn = Churn(simpler) }
        }
      }
    }
    return lists
  }
}

extension ServedList.Change {
  /// The same change at lower positions.
  fileprivate var simpler: [ServedList.Change] {
    switch self {
    case .insert(let position) where position > 0: [.insert(at: 0), .insert(at: position - 1)]
    case .delete(let position) where position > 0: [.delete(at: 0), .delete(at: position - 1)]
    case .move(let from, let to) where to > 0: [.move(from: from, to: 0)]
    case .move(let from, let to) where from > 1: [.move(from: from - 1, to: to)]
    default: []
    }
  }

  fileprivate var declaration: String {
    switch self {
    case .insert(let position): ".insert(at: \(position))"
    case .delete(let position): ".delete(at: \(position))"
    case .move(let from, let to): ".move(from: \(from), to: \(to))"
    case .update(let position): ".update(at: \(position))"
    case .restore: ".restore"
    }
  }
}

extension ServedList.Churn {
  fileprivate var declaration: String? {
    switch kind {
    case .script(let steps) where steps.isEmpty: return nil
    case .script(let steps):
      let texts = steps.filter { !$0.changes.isEmpty }.map { step in
        let changes = step.changes.map(\.declaration).joined(separator: ", ")
        return ".before(request: \(step.request), \(changes))"
      }
      return "[\(texts.joined(separator: ", "))]"
    case .random(let seed, let rates, let pace):
      let when = if case .every(let period) = pace { ", .every(\(period.declaration))" } else { "" }
      return ".random(seed: \(seed), \(rates.declaration)\(when))"
    }
  }
}

extension ServedList.Rates {
  fileprivate var declaration: String {
    let rates = [
      ("insert", insert), ("delete", delete), ("move", move), ("update", update),
      ("restore", restore),
    ]
    var parts = rates.filter { $0.1 != 0 }.map { "\($0.0): \($0.1)" }
    if burst != 1 { parts.append("burst: \(burst)") }
    if place != .anywhere { parts.append("at: .\(place.rawValue)") }
    return ".init(\(parts.joined(separator: ", ")))"
  }
}

extension ServedList.Fault {
  fileprivate var declaration: String {
    switch self {
    case .slow(let duration): ".slow(\(duration.declaration))"
    case .cut: ".cut"
    case .status(let status): ".status(\(status))"
    case .repeatedCursor: ".repeatedCursor"
    case .shortPage: ".shortPage"
    case .emptyPage: ".emptyPage"
    case .shifted(let distance): ".shifted(by: \(distance))"
    case .rowTwice: ".rowTwice"
    }
  }
}

extension Duration {
  fileprivate var declaration: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0
      ? ".seconds(\(seconds))"
      : "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
  }
}
