import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// A served list that programs read round by round, and a folder for what they keep.
struct ServedRounds {
  let folder: TemporaryFolder
  let run: ServedRun
  let server: LoopbackServer

  init(rows: Int = 45) throws {
    folder = try TemporaryFolder()
    run = ServedRun(ServedList(rows: rows, pageSize: 10, by: .offsets, total: .exact))
    server = try run.loopback()
  }

  /// The words of a command that reads the list.
  func words(_ command: String, _ options: String...) -> [String] {
    [command, server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--total", "total"] + options
  }

  /// Reads the list again and again, and kills the program at a random moment while the list changes.
  func kill(_ words: [String], appendingTo file: String, _ random: inout SeededGenerator) async throws {
    let process = try QuireProcess(
      words + ["--every", "0.01s", "--rate", "300/s", "--quiet"], appendingTo: folder.file(file))
    var count = server.requestCount
    let target = count + Int.random(in: 1...20, using: &random)
    while count < target, process.isRunning {
      await Task.yield()
      guard server.requestCount > count else { continue }
      count += 1
      if Int.random(in: 0..<3, using: &random) == 0 { change(&random) }
    }
    // Somewhere between this request and the next ones.
    for _ in 0..<Int.random(in: 0...6_000, using: &random) { await Task.yield() }
    process.send(SIGKILL)
    let result = await process.end()
    let (wasKilled, errors) = (result.wasKilled, result.errors)
    try #require(wasKilled, "\(errors), \(random)")
  }

  /// Runs a program to its end.
  func end(_ words: [String], appendingTo file: String) async throws -> QuireProcess.Result {
    try await QuireProcess(words, appendingTo: folder.file(file)).end()
  }

  private func change(_ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<120, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: run.change(.insert(at: place))
    case 1 where run.ids.count > 60: run.change(.delete(at: place))
    default: run.change(.update(at: place))
    }
  }
}
