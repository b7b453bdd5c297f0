import Foundation

/// A crawl that is killed again and again, and goes on from where it was each time.
struct KilledCrawl {
  let list: String
  let rows: Int
  let kills: Int

  private static let firstID = 100_000_000
  /// What is written of a row. All lines have the same size, so that of the output shows how far the crawl has come.
  private static func line(_ row: Int) -> String { "{\"id\":\(firstID + row)}\n" }

  /// Crawls with so many kills, checks every row, and returns what all the processes took.
  func run() throws -> (cost: Cost, peak: Int) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("killed-crawl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appendingPathComponent("rows.ndjson")
    let command =
      ["/bin/sh", "-c", "out=$1; shift; exec \"$@\" >> \"$out\"", "sh", output.path]
      + CrawlBenchmark.command(list, try Programs.quire())
      + ["--select", "id", "--resume", folder.appendingPathComponent("position").path]
    let begin = Cost.ofProcesses()
    var peak = 0
    for part in 1...kills + 1 {
      let end = rows * Self.line(0).utf8.count * part / (kills + 1)
      let isDue = { Self.size(of: output) >= end }
      peak = max(peak, try Programs.peakMemory(command, killedOnce: part > kills ? nil : isDue))
    }
    let cost = Cost.ofProcesses() - begin
    try check(output)
    return (cost, peak)
  }

  private static func size(of file: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
  }

  /// Every row has to be there, once and in its place.
  private func check(_ output: URL) throws {
    let text = try Data(contentsOf: output, options: .alwaysMapped)
    var rest = text[...]
    for row in 0..<rows {
      let line = Self.line(row).utf8
      guard rest.starts(with: line) else { throw BenchmarkError("row \(row) is not there") }
      rest = rest.dropFirst(line.count)
    }
    guard rest.isEmpty else { throw BenchmarkError("\(rest.count) bytes too much") }
  }
}
