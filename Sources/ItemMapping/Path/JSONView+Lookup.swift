extension JSONView {
  /// Follows a path from here.
  public func find(_ path: JSONPath) -> JSONLookup {
    var view = self
    for step in path.steps {
      guard let next = view.read({ $0.step(step, from: view.index) }) else {
        return .stopped(JSONStop(path: view.path, kind: view.kind))
      }
      view = JSONView(document: document, index: next)
    }
    return .found(view)
  }

  /// How far a path leads from here: to its end, where there is a value.
  func stop(on path: JSONPath) -> JSONStop {
    switch find(path) {
    case .stopped(let stop): stop
    case .found(let view): JSONStop(path: view.path, kind: view.kind)
    }
  }

  /// The value at a path from here, or `nil` where there is none.
  public subscript(path: JSONPath) -> JSONView? {
    read { $0.find(path.steps, from: index) }.map { JSONView(document: document, index: $0) }
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
