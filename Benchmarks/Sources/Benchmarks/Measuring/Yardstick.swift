import Foundation

/// The server that every measured client talks to, in a process of its own.
final class Yardstick: Sendable {
  let port: Int
  private let process: Process
  /// The server ends when nobody can write here any more.
  private let input = Pipe()

  /// Starts this program with arguments that make it serve.
  init(_ arguments: [String] = ["serve"]) throws {
    let output = Pipe()
    process = try start(arguments, output, input: input)
    var line = ""
    while !line.hasSuffix("\n"),
      let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
    {
      line += String(decoding: byte, as: UTF8.self)
    }
    guard let port = Int(line.dropLast()) else { throw BenchmarkError("the server did not start") }
    self.port = port
  }

  deinit { process.terminate() }

  var page: String { "http://127.0.0.1:\(port)/page" }
  var list: String { "http://127.0.0.1:\(port)/list" }
  /// A list with so many pages of 100 rows, 36 KB each.
  func rows(pages: Int) -> String { "http://127.0.0.1:\(port)/rows/\(pages)" }
  func stream(_ bytes: Int) -> String { "http://127.0.0.1:\(port)/stream/\(bytes)" }
}

/// Runs this program with other arguments and gives what it prints.
func output(of arguments: [String]) throws -> String {
  let pipe = Pipe()
  let process = try start(arguments, pipe)
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

private func start(
  _ arguments: [String], _ output: Pipe, input: Pipe? = nil
) throws -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  process.arguments = arguments
  process.standardOutput = output
  if let input { process.standardInput = input }
  try process.run()
  return process
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
