/// Finds names similar to a missing one, for a "did you mean" hint.
///
/// Names are similar when they are equal apart from ASCII case, `_` and `-`. Otherwise up to two
/// characters may be wrong, missing or extra, if that is less than half of the name.
enum NearNames {
  /// The most names of an object to compare.
  static var maximumCompared: Int { 200 }
  /// The most names to return.
  static var maximumFound: Int { 3 }
  /// The longest missing name, in bytes, to find similar names for.
  static var maximumLength: Int { 256 }

  /// Returns the most similar names in an object, best first; equally similar ones in the order of
  /// the object.
  static func near(
    _ missing: String, in object: Int, of document: JSONDocument
  ) -> [String] {
    withExtendedLifetime(document) {
      let tape = document.tape
      guard tape.tag(object) == JSONTape.Tag.object, missing.utf8.count <= maximumLength else {
        return []
      }
      let wanted = folded(missing.utf8)
      var found: [(name: String, distance: Int)] = []
      let end = tape.end(of: object)
      var index = tape.first(in: object)
      for _ in 0..<maximumCompared where index < end {
        let bytes = tape.utf8(index)
        // With up to four bytes per character, a longer name can't be similar.
        if bytes.count <= 4 * (missing.utf8.count + 2),
          let distance = distance(from: wanted, to: folded(bytes))
        {
          let name = tape.string(index)
          if name != missing, !found.contains(where: { $0.name == name }) {
            found.append((name, distance))
          }
        }
        index = tape.after(index + 1)
      }
      return ranked(found)
    }
  }

  private static func ranked(_ found: [(name: String, distance: Int)]) -> [String] {
    (0...2).flatMap { distance in found.filter { $0.distance == distance }.map(\.name) }
      .prefix(maximumFound).map(\.self)
  }

  /// Returns the edit distance, or `nil` when it exceeds the limit.
  private static func distance(from wanted: [Unicode.Scalar], to name: [Unicode.Scalar]) -> Int? {
    if wanted == name { return 0 }
    let limit = min(2, (wanted.count - 1) / 2)
    guard abs(wanted.count - name.count) <= limit else { return nil }
    // One row of the edit-distance table of all prefixes, computed from the previous row.
    var row = Array(0...name.count)
    for (line, scalar) in wanted.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in name.indices {
        let replaced = diagonal + (scalar == name[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[name.count] <= limit ? row[name.count] : nil
  }

  /// Returns the name's scalars in lowercase, without `_` and `-`.
  private static func folded(_ bytes: some Sequence<UInt8>) -> [Unicode.Scalar] {
    let kept = bytes.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
      .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    return Array(String(decoding: Array(kept), as: UTF8.self).unicodeScalars)
  }
}

extension JSONView {
  /// Returns a hint with the names similar to the first missing name of the path, if there are any.
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

  /// Returns the similar names, or else the last place on the path that exists.
  func hint(for path: JSONPath) -> String? {
    if let near = nearNames(for: path) { return near }
    let stop = stop(on: path)
    return stop.path == self.path ? nil : "\(stop)"
  }
}
