/// The result of following a path.
package enum JSONLookup: Sendable {
  /// The value at the path.
  case found(JSONView)
  /// The value is missing.
  case stopped(JSONStop)

  /// The value, if it was found.
  package var view: JSONView? {
    if case .found(let view) = self { view } else { nil }
  }
}

/// The place where a path without a value ended.
package struct JSONStop: Sendable, Hashable {
  /// The last place on the path that exists, from the document's root.
  package let path: JSONPath
  /// The kind of value at that place.
  package let kind: JSONView.Kind
}

extension JSONStop: CustomStringConvertible {
  /// One line, such as `$['data'] is null`.
  package var description: String { "\(path) is \(kind.withArticle)" }
}

extension JSONView {
  /// Follows a path from this value.
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

  /// Returns the last place on the path that exists: its end, if the value exists.
  func stop(on path: JSONPath) -> JSONStop {
    switch find(path) {
    case .stopped(let stop): stop
    case .found(let view): JSONStop(path: view.path, kind: view.kind)
    }
  }

  /// The value at a path relative to this one, or `nil` if it is missing.
  public subscript(path: JSONPath) -> JSONView? {
    read { $0.find(path.steps, from: index) }.map { JSONView(document: document, index: $0) }
  }
}

extension JSONTape {
  /// Returns the index of the value at a path.
  func find(_ steps: [JSONPath.Step], from start: Int) -> Int? {
    var place = start
    for step in steps {
      guard let next = self.step(step, from: place) else { return nil }
      place = next
    }
    return place
  }

  /// Returns the value one step down, or `nil` when it is missing or the container has the wrong
  /// kind.
  func step(_ step: JSONPath.Step, from place: Int) -> Int? {
    switch tag(place) {
    case Tag.object: step.key.flatMap { member($0, of: place) }
    case Tag.array: step.position.flatMap { element($0, of: place) }
    default: nil
    }
  }
}

extension JSONView {
  /// The place of this value in its document. Computing it walks the document from the root, so use
  /// it for reports rather than for every value.
  public var path: JSONPath { JSONPath(read { $0.segments(to: index) }) }
}

extension JSONTape {
  /// Returns the steps from the root to the value at `target`: at each level, the child that
  /// contains it.
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
      // Not the index of a value: the path ends here.
      if index >= end { break }
    }
    return segments
  }
}
