/// What a path led to.
public enum JSONLookup: Sendable {
  /// The value at the path's end.
  case found(JSONView)
  /// There is no such value.
  case stopped(JSONStop)

  /// The value, where there is one.
  public var view: JSONView? {
    if case .found(let view) = self { view } else { nil }
  }
}

extension JSONView {
  /// Follows a path from here.
  public func find(_ path: JSONPath) -> JSONLookup {
    var place = index
    for (depth, step) in path.steps.enumerated() {
      guard let next = tape.step(step, from: place) else {
        let stop = JSONView(document: document, index: place)
        return .stopped(JSONStop(path: JSONPath(Array(path.segments[..<depth])), kind: stop.kind))
      }
      place = next
    }
    return .found(JSONView(document: document, index: place))
  }

  /// The value at a path from here, or `nil` where there is none.
  public subscript(path: JSONPath) -> JSONView? {
    tape.find(path.steps, from: index).map { JSONView(document: document, index: $0) }
  }
}

extension JSONTape {
  /// The value a path leads to.
  func find(_ steps: [JSONPath.Step], from start: Int) -> Int? {
    var place = start
    for step in steps {
      guard let next = self.step(step, from: place) else { return nil }
      place = next
    }
    return place
  }

  /// The value one step down; `nil` where it is missing or this is the wrong kind of container.
  func step(_ step: JSONPath.Step, from place: Int) -> Int? {
    switch tag(place) {
    case Tag.object: step.key.flatMap { member($0, of: place) }
    case Tag.array: step.position.flatMap { element($0, of: place) }
    default: nil
    }
  }
}
