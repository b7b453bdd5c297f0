import Foundation

/// Other programs that are measured beside the command, where they are installed.
enum Programs {
  /// The command as it is installed.
  static func quire() throws -> String {
    let path = URL(fileURLWithPath: "../.build/install/release/quire").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkError("the command is not built; run make bench")
    }
    return path
  }

  /// Where a program is; `nil` where it is not installed.
  static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  /// Runs a program to its end, with nothing to read and nobody who reads.
  static func run(_ command: [String]) throws { try run(command) { $0.waitUntilExit() } }

  /// Runs a program to its end, or kills it once a condition holds, and returns the largest resident size it was seen
  /// with, in KiB.
  static func peakMemory(_ command: [String], killedOnce isDue: (() -> Bool)? = nil) throws -> Int {
    var (peak, isKilled) = (0, false)
    try run(command, status: isDue == nil ? 0 : SIGKILL) { process in
      while process.isRunning {
        peak = max(peak, memory("VmHWM:", of: "\(process.processIdentifier)"))
        if let isDue, !isKilled, isDue() {
          isKilled = kill(process.processIdentifier, SIGKILL) == 0
        }
        usleep(2_000)
      }
    }
    return peak
  }

  private static func run(
    _ command: [String], status: Int32 = 0, until end: (Process) -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    end(process)
    guard process.terminationStatus == status else {
      throw BenchmarkError("\(command.joined(separator: " ")): \(process.terminationStatus)")
    }
  }

  /// The time from starting a program until it has written something, in seconds; it is ended then.
  static func firstByte(_ command: [String]) throws -> Double {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    let begin = Cost.now()
    try process.run()
    let first = try output.fileHandleForReading.read(upToCount: 1)
    let time = (Cost.now() - begin).wall
    process.terminate()
    // It may be about to write more than anybody reads.
    try output.fileHandleForReading.close()
    process.waitUntilExit()
    guard first?.isEmpty == false else { throw BenchmarkError("\(command[0]) wrote nothing") }
    return time
  }
}
