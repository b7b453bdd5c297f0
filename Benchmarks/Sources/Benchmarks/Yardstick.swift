import Foundation

/// The server that every measured client talks to, in a process of its own.
final class Yardstick {
  let port: Int
  private let process = Process()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["serve"]
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    guard let port = Int(line.dropLast()) else { throw BenchmarkError("the server did not start") }
    self.port = port
  }

  deinit { process.terminate() }

  var page: String { "http://127.0.0.1:\(port)/page" }
  func stream(_ bytes: Int) -> String { "http://127.0.0.1:\(port)/stream/\(bytes)" }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
