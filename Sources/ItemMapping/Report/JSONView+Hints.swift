extension JSONView {
  /// What may help where a path leads nowhere: the names at its end that look like the one it asks
  /// for.
  package func nearNames(for path: JSONPath) -> String? {
    var view = self
    for (segment, step) in zip(path.segments, path.steps) {
      if let next = view.read({ $0.step(step, from: view.index) }) {
        view = JSONView(document: document, index: next)
      } else if case .name(let name) = segment {
        let near = NearNames.near(name, in: view.index, of: document)
        return near.isEmpty
          ? nil : "did you mean " + near.map { "'\($0)'" }.joined(separator: " or ") + "?"
      } else {
        return nil
      }
    }
    return nil
  }

  /// The near names, or else how far a path leads, where it leads away from here.
  func hint(for path: JSONPath) -> String? {
    if let near = nearNames(for: path) { return near }
    let stop = stop(on: path)
    return stop.path == self.path ? nil : "\(stop)"
  }
}
