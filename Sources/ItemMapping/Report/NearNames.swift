/// Finds names that look like one that is missing, for a "did you mean".
///
/// Names are near when they are equal but for case (of ASCII letters), `_` and `-`. Otherwise up to
/// two characters may be wrong, missing or too many, if that is less than half of the name.
enum NearNames {
  /// So many names of an object are looked at, however many it has.
  static var names: Int { 200 }
  /// So many are found at most.
  static var most: Int { 3 }
  /// A missing name of more bytes has no near ones.
  static var length: Int { 256 }

  /// The nearest names in an object, best first; of equally near ones the first.
  static func near(
    _ missing: String, in object: Int, of document: JSONDocument
  ) -> [String] {
    withExtendedLifetime(document) {
      let tape = document.tape
      guard tape.tag(object) == JSONTape.Tag.object, missing.utf8.count <= length else {
        return []
      }
      let wanted = folded(missing.utf8)
      var found: [(name: String, distance: Int)] = []
      let end = tape.end(of: object)
      var index = tape.first(in: object)
      for _ in 0..<names where index < end {
        let bytes = tape.utf8(index)
        // A longer one, four bytes for each of the characters, can't be near.
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
      .prefix(most).map(\.self)
  }

  /// How many characters differ, or `nil` where that is too many.
  private static func distance(from wanted: [Unicode.Scalar], to name: [Unicode.Scalar]) -> Int? {
    if wanted == name { return 0 }
    let limit = min(2, (wanted.count - 1) / 2)
    guard abs(wanted.count - name.count) <= limit else { return nil }
    // One row of the table of distances between all beginnings, made from the one before.
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

  /// The characters that count, in small letters.
  private static func folded(_ bytes: some Sequence<UInt8>) -> [Unicode.Scalar] {
    let kept = bytes.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
      .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    return Array(String(decoding: Array(kept), as: UTF8.self).unicodeScalars)
  }
}

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
