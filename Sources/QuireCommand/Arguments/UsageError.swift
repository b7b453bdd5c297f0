/// What is wrong with a command line, and what to do.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Words that look like one that is not known.
enum NearWords {
  /// "; did you mean --items?" or nothing.
  static func hint(for word: String, among words: [String], prefix: String = "") -> String {
    guard let near = nearest(to: word, among: words) else { return "" }
    return "; did you mean \(prefix)\(near)?"
  }

  /// The word with the fewest wrong, missing and swapped letters, if those are few.
  static func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { ($0, distance(word, $0)) }.sorted { $0.1 < $1.1 }
    if let (near, distance) = ranked.first, distance <= max(1, min(3, near.count / 3)) {
      return near
    }
    let longer = words.filter { word.count > 2 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased().prefix(64)), Array(b.lowercased()))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
