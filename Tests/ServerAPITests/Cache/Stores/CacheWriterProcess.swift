#if SQLITE
  import Foundation

  /// Another process that uses a store; see `Tests/CacheWriter`.
  final class CacheWriterProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: String...) throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
      process.executableURL = folder.appendingPathComponent("CacheWriter")
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the first output.
    func awaitOutput() -> String {
      String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Kills the process, and returns the rest of its output.
    func kill() -> String {
      Foundation.kill(process.processIdentifier, SIGKILL)
      return end()
    }

    /// Waits for the exit, and returns the rest of the output.
    func end() -> String {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text
    }
  }
#endif
