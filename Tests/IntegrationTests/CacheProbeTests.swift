import Foundation
import ItemMapping
import QuireTesting
import Testing

/// The program that cache test suites drive; see `Tests/CacheProbe`.
@Suite struct CacheProbeTests {
  @Test func `the help says how to start it`() throws {
    #expect(try output(of: ["--help"]).contains("Usage: swift run -q CacheProbe [--cache FOLDER]"))
  }

  @Test func `each line makes an exchange, and the second is a cache hit`() throws {
    let server = try LoopbackServer { _ in .text("one").with("Cache-Control", "max-age=60") }
    var replies: [JSONAny] = []
    let folder = FileManager.default.temporaryDirectory.path + "/probe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for id in 1...2 {
      let request = #"{"id": \#(id), "url": "\#(server.baseURL)/a", "headers": [["A", "b"]]}"#
      replies.append(try JSONAny(parsing: try output(of: ["--cache", folder], input: request)))
    }
    #expect(replies.map { $0["id"] } == [1, 2])
    #expect(replies.map { $0["body"] } == ["one", "one"])
    #expect(replies.map { $0["fromCache"] } == [false, true])
    #expect(server.requests.map { $0.header("A") } == ["b"])
  }

  @Test func `an invalid line gets an error`() throws {
    let reply = try JSONAny(parsing: try output(of: [], input: #"{"id": "x"}"#))
    #expect(reply["id"] == "x")
    #expect(reply["error"] == "“url” is missing")
  }

  /// Runs the program on one line of input.
  private func output(of arguments: [String], input: String = "") throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent()
      .appendingPathComponent("CacheProbe")
    process.arguments = arguments
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    if !input.isEmpty { standardInput.fileHandleForWriting.write(Data((input + "\n").utf8)) }
    try standardInput.fileHandleForWriting.close()
    let data = standardOutput.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
