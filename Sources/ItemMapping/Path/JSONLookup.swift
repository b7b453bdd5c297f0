/// What a path led to.
package enum JSONLookup: Sendable {
  /// The value at the path's end.
  case found(JSONView)
  /// There is no such value.
  case stopped(JSONStop)

  /// The value, where there is one.
  package var view: JSONView? {
    if case .found(let view) = self { view } else { nil }
  }
}

/// Where a path that leads nowhere ended.
package struct JSONStop: Sendable, Hashable {
  /// The last place on the way that exists, seen from the document's root.
  package let path: JSONPath
  /// What stands there.
  package let kind: JSONView.Kind
}

extension JSONStop: CustomStringConvertible {
  /// One line, such as `stopped at $['data']: null`.
  package var description: String { "stopped at \(path): \(kind)" }
}

extension JSONView {
  /// Follows a path from here.
  package func find(_ path: JSONPath) -> JSONLookup {
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

extension JSONView {
  /// The place of this value in its document. Worked out by a walk from the root, so it is for
  /// reports rather than for every value.
  public var path: JSONPath { JSONPath(read { $0.segments(to: index) }) }
}

extension JSONTape {
  /// The steps from the root to the value at `target`: at each level, the child that spans it.
  func segments(to target: Int) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    var place = Self.root
    while place < target {
      let isObject = tag(place) == Tag.object
      let end = end(of: place)
      var index = first(in: place)
      var position = 0
      while index < end {
        let value = isObject ? index + 1 : index
        let next = after(value)
        if target < next {
          segments.append(isObject ? .name(string(index)) : .index(position))
          place = value
          break
        }
        index = next
        position += 1
      }
      // Not a value's index: as far as it goes.
      if index >= end { break }
    }
    return segments
  }
}
