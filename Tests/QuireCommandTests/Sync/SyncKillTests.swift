import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// `quire sync`, killed at random moments while the list changes.
@Suite(.timeLimit(.minutes(15))) struct SyncKillTests {
  private static let kills = Thoroughness.runs(30, full: 1_000)

  @Test func `after kills at any moment, the feed is the list, and each line is there once`() async throws {
    var random = try SeededGenerator.fromEnvironment()
    let list = try ServedRounds(rows: 120)
    let (folder, run) = (list.folder, list.run)
    let words = list.words("sync", "--max-deletes", "all", "--state", folder.file("state"))
    for number in 0..<Self.kills {
      try await list.kill(words, appendingTo: "feed", &random)
      let problems = SyncFeed(Self.wholeLines(folder.text("feed"))).problems
      try #require(problems.isEmpty, "after \(number) kills, \(random)")
    }
    // The rest of the round that was killed, and one of a list that is still.
    let first = try await list.end(words, appendingTo: "feed")
    let second = try await list.end(words, appendingTo: "feed")
    let (statuses, errors) = ([first.status, second.status], second.errors)
    #expect([0, 3].contains(statuses[0]) && statuses[1] == 0 && errors == "", "\(first.errors) \(errors), \(random)")
    let feed = SyncFeed(folder.text("feed"))
    let (problems, isList) = (feed.problems, Set(feed.rows.keys) == Set(run.ids))
    #expect(problems.isEmpty && isList, "\(random)")
    let (rounds, deleted) = (feed.rounds.map(\.round), feed.rounds.reduce(0) { $0 + $1.deleted })
    #expect(rounds == Array(1...rounds.count), "\(random)")
    #expect(deleted > 0 || Self.kills < 10)
  }

  @Test(arguments: [0, 1, 50, 300, 700])
  func `lines of a step that a kill has cut are written again, and only they`(cut: Int) async throws {
    let folder = try TemporaryFolder()
    let run = ServedRun(ServedList(rows: 25, pageSize: 10, by: .offsets, total: .exact))
    let server = try run.loopback()
    let arguments = [
      "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10", "--total", "total",
      "--state", folder.file("state"),
    ]
    _ = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
    let feed = folder.text("feed")
    let state = try #require(FileManager.default.contents(atPath: folder.file("state")))
    // The end of the run, and the step of the receipt if more than its line is missing.
    let receipt = feed.utf8.count - (feed.dropLast().lastIndex(of: "\n")?.utf16Offset(in: feed) ?? 0) - 1
    let frames = Self.frames(of: state)
    let kept = frames[frames.count - (cut > receipt ? 3 : 2)]
    try state.prefix(kept).write(to: URL(fileURLWithPath: folder.file("state")))
    #expect(truncate(folder.file("feed"), feed.utf8.count - cut) == 0)
    let result = try await QuireProcess(arguments, appendingTo: folder.file("feed")).end()
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    let table = SyncFeed(folder.text("feed"))
    #expect(table.problems.isEmpty && table.rows.count == 25, "\(table.problems)")
    #expect(table.rounds.map(\.round) == (cut == 0 ? [1, 2] : [1]), "\(table.rounds)")
  }

  /// Where the frames of a state file end.
  private static func frames(of state: Data) -> [Int] {
    var ends = [(state.firstIndex(of: 0x0A) ?? 0) + 1]
    while let start = ends.last, start + 12 <= state.count {
      ends.append(start + 12 + state[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) })
    }
    return ends
  }

  @Test func `a pipe may get lines of a killed round again, and loses none`() async throws {
    let folder = try TemporaryFolder()
    let run = ServedRun(ServedList(rows: 60, pageSize: 10, by: .offsets, total: .exact))
    let server = try run.loopback()
    let words = [
      try QuireProcess.executable.path, "sync", server.baseURL + "/rows", "--paging", "offset", "--size", "10",
      "--total", "total", "--state", folder.file("state"),
    ]
    // Each reader takes some lines and goes.
    for lines in [5, 23, 1, 400] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Other programs read more lines than they use.
      let reader = #"n=0; while [ $n -lt \#(lines) ] && IFS= read -r line; do printf '%s\n' "$line"; n=$((n+1)); done"#
      process.arguments = [
        "-c", words.map { "'\($0)'" }.joined(separator: " ") + " | { \(reader); } >> '\(folder.file("feed"))'",
      ]
      try process.run()
      process.waitUntilExit()
    }
    let lines = folder.text("feed").split(separator: "\n")
    #expect(Set(ids(lines.filter { $0.contains(#""op":"insert""#) }.joined(separator: "\n"))) == Set(run.ids))
    #expect(lines.allSatisfy { $0.contains(#""round":1"#) })
    #expect(lines.last?.contains(#""op":"round""#) == true)
  }

  /// The lines of a feed, without one that a kill has cut.
  private static func wholeLines(_ text: String) -> String {
    text.hasSuffix("\n") ? text : text.split(separator: "\n").dropLast().joined(separator: "\n")
  }
}
