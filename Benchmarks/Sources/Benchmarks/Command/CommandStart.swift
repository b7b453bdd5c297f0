import Foundation

/// How soon `quire`, as it is installed, does something: writes its version, and the first row of a page of
/// 1,000 books; beside `curl` that writes its own version, and fetches that page.
struct CommandStart {
  static let rounds = 31
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) throws {
    let quire = try Programs.quire()
    guard let curl = Programs.find("curl") else {
      return report.note("curl is not installed, so the command's start is not compared")
    }
    let version = try inTurn([quire, "--version"], [curl, "--version"])
    report.add(
      "start of the command to its version, times curl",
      Estimate(zip(version.quire, version.curl).map { $0 / $1 }), atMost: 1)
    let row = try inTurn(
      [quire, "crawl", yardstick.list, "--progress", "never"], [curl, "-s", yardstick.list])
    report.note(
      String(
        format:
          "start to version: quire %.1f ms, curl %.1f ms; to first row or byte: %.1f and %.1f ms",
        Estimate(version.quire).median * 1e3, Estimate(version.curl).median * 1e3,
        Estimate(row.quire).median * 1e3, Estimate(row.curl).median * 1e3))
    report.add(
      "start of a crawl to its first row, ms more than curl",
      Estimate(zip(row.quire, row.curl).map { ($0 - $1) * 1e3 }), atMost: 5)
  }

  private func inTurn(
    _ ours: [String], _ theirs: [String]
  ) throws -> (quire: [Double], curl: [Double]) {
    var times = (quire: [Double](), curl: [Double]())
    for round in 0...Rounds.count(Self.rounds) {
      let isReversed = !round.isMultiple(of: 2)
      let first = try Programs.firstByte(isReversed ? theirs : ours)
      let second = try Programs.firstByte(isReversed ? ours : theirs)
      // The first round only warms up.
      guard round > 0 else { continue }
      times.quire.append(isReversed ? second : first)
      times.curl.append(isReversed ? first : second)
    }
    return times
  }
}
