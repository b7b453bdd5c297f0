import Foundation

/// `quire crawl`, as it is installed, from its start to its first row, of a page of 1,000 books, beside
/// `curl` that fetches that page.
struct CommandBenchmark {
  static let rounds = 31
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) throws {
    let quire = URL(fileURLWithPath: "../.build/install/release/quire")
    guard FileManager.default.isExecutableFile(atPath: quire.path) else {
      throw BenchmarkError("the command is not built; run make bench")
    }
    var crawls: [Double] = []
    var fetches: [Double] = []
    for round in 0...Self.rounds {
      let crawl = try Self.firstByte(quire, ["crawl", yardstick.list, "--progress", "never"])
      let fetch = try Self.firstByte(
        URL(fileURLWithPath: "/usr/bin/env"), ["curl", "-s", yardstick.list])
      // The first round only warms up.
      guard round > 0 else { continue }
      crawls.append(crawl)
      fetches.append(fetch)
    }
    let (crawl, fetch) = (Self.middle(crawls), Self.middle(fetches))
    report.note(
      String(
        format: "start to first row: quire crawl %.1f ms; start to first byte: curl %.1f ms",
        crawl * 1e3, fetch * 1e3))
    report.add("quire crawl: start to first row in ms", crawl * 1e3, atMost: 30)
  }

  /// The time from starting a command until it has written something; it is ended then.
  private static func firstByte(_ command: URL, _ arguments: [String]) throws -> Double {
    let process = Process()
    let output = Pipe()
    process.executableURL = command
    process.arguments = arguments
    process.standardOutput = output
    let begin = Cost.now()
    try process.run()
    let first = try output.fileHandleForReading.read(upToCount: 1)
    let time = (Cost.now() - begin).wall
    process.terminate()
    // It may be about to write more than anybody reads.
    try output.fileHandleForReading.close()
    process.waitUntilExit()
    guard first?.isEmpty == false else {
      throw BenchmarkError("\(command.lastPathComponent) wrote nothing")
    }
    return time
  }

  private static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
