/// Tells which of many things of different sizes is least worth keeping.
///
/// Worth goes down with bytes times age, and age counts uses. There is one line for each power of two
/// of sizes, in order of last use. The worst of a line is its end, to within a factor of two, so only
/// the ends need to be compared: any operation takes the same time however many things there are.
struct EvictionOrder {
  private struct Link {
    var before = -1
    var after = -1
    var line = -1
    var bytes = 0
    var usedAt = 0
  }

  private struct Line {
    var first = -1
    var last = -1
  }

  /// By place.
  private var links: [Link] = []
  private var lines = [Line](repeating: Line(), count: Int.bitWidth)
  private var uses = 0

  /// Adds something as just used, or says that something that is there was used and how large it is.
  mutating func put(_ place: Int, bytes: Int) {
    while links.count <= place { links.append(Link()) }
    if links[place].line >= 0 { unlink(place) }
    links[place].bytes = bytes
    uses += 1
    links[place].usedAt = uses
    link(place, Self.line(bytes))
  }

  /// Says that something was used.
  mutating func use(_ place: Int) {
    uses += 1
    links[place].usedAt = uses
    let line = links[place].line
    guard lines[line].first != place else { return }
    unlink(place)
    link(place, line)
  }

  /// Says that something is of another size now, which is no use of it.
  mutating func resize(_ place: Int, bytes: Int) {
    links[place].bytes = bytes
    let line = Self.line(bytes)
    guard line != links[place].line else { return }
    unlink(place)
    // Its age says where in the other line it stands. What shrinks was mostly at an end, so the search
    // begins there; for the rest, about is good enough.
    var before = lines[line].last
    var steps = 0
    while before >= 0, links[before].usedAt < links[place].usedAt, steps < 64 {
      before = links[before].before
      steps += 1
    }
    link(place, line, inFrontOf: before >= 0 ? links[before].after : lines[line].first)
  }

  mutating func remove(_ place: Int) {
    unlink(place)
    links[place] = Link()
  }

  /// What should go first.
  var leastWorthKeeping: Int? {
    var worst: (place: Int, cost: Double)?
    for line in lines where line.last >= 0 {
      let link = links[line.last]
      let cost = Double(link.bytes) * Double(uses - link.usedAt)
      if cost >= worst?.cost ?? 0 { worst = (line.last, cost) }
    }
    return worst?.place
  }

  private static func line(_ bytes: Int) -> Int {
    Int.bitWidth - 1 - max(1, bytes).leadingZeroBitCount
  }

  private mutating func link(_ place: Int, _ line: Int) {
    link(place, line, inFrontOf: lines[line].first)
  }

  /// Puts it in front of another, or at the end of the line.
  private mutating func link(_ place: Int, _ line: Int, inFrontOf after: Int) {
    let before = after >= 0 ? links[after].before : lines[line].last
    links[place].line = line
    links[place].before = before
    links[place].after = after
    if before >= 0 { links[before].after = place } else { lines[line].first = place }
    if after >= 0 { links[after].before = place } else { lines[line].last = place }
  }

  private mutating func unlink(_ place: Int) {
    let (before, after, line) = (links[place].before, links[place].after, links[place].line)
    if before >= 0 { links[before].after = after } else { lines[line].first = after }
    if after >= 0 { links[after].before = before } else { lines[line].last = before }
    links[place].line = -1
  }
}
