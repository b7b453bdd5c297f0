import Foundation

/// A temporary folder, removed on deinit.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/quire-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func text(_ name: String) -> String {
    (FileManager.default.contents(atPath: file(name))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }
}

/// The built command, or another program of the package, run as a process.
final class QuireProcess: @unchecked Sendable {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    /// Whether a signal killed the process.
    var wasKilled: Bool
  }

  private let process = Process()
  private let folder: TemporaryFolder
  private let output: String
  private let ended: AsyncStream<Void>

  /// Starts a program, which gets `input`. Appends its output to `file`, or to a temporary file.
  init(
    _ arguments: [String], program: String = "quire", input: String? = nil,
    appendingTo file: String? = nil, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    output = file ?? folder.file("output")
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    self.ended = ended
    process.executableURL = try Self.executable.deletingLastPathComponent()
      .appendingPathComponent(program)
    process.arguments = arguments
    // A sanitizer that the program was built with has to know what it suppresses.
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["TSAN_OPTIONS", "LSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key)
    }
    process.environment = ["PATH": "/usr/bin:/bin"].merging(inherited) { $1 }
      .merging(environment) { $1 }
    var handles = [try Self.handle(output), try Self.handle(folder.file("errors"))]
    // A process keeps its handles for longer than it lives. With more than a thousand open files, Foundation reads
    // beyond the list of them that it makes to start another process.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    if let input {
      try input.write(toFile: folder.file("input"), atomically: false, encoding: .utf8)
      if let handle = FileHandle(forReadingAtPath: folder.file("input")) {
        process.standardInput = handle
        handles.append(handle)
      }
    }
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
  }

  static var executable: URL {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("quire")
    }
  }

  private static func handle(_ path: String) throws -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  var isRunning: Bool { process.isRunning }
  var identifier: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The output so far.
  var text: String {
    FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits for the process to exit. A cancelled test, whose time is over, ends it.
  func end() async -> Result {
    for await _ in ended {}
    if Task.isCancelled {
      send(SIGKILL)
      process.waitUntilExit()
    }
    return Result(
      status: process.terminationStatus, output: text, errors: folder.text("errors"),
      wasKilled: process.terminationReason == .uncaughtSignal)
  }

  static func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  static func run(_ arguments: [String]) async throws -> Result {
    try await QuireProcess(arguments).end()
  }

  /// Whether programs run under a sanitizer, which takes memory of its own.
  static let isSanitized = ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] == "1"

  /// Runs the command and returns its result with the largest memory that it had, in bytes.
  static func measure(_ words: [String]) async throws -> (Result, peak: Int) {
    let process = try QuireProcess(words)
    var peak = 0
    while process.isRunning {
      let path = "/proc/\(process.identifier)/status"
      if let facts = try? String(contentsOfFile: path, encoding: .utf8),
        let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let size = Int(line.filter(\.isNumber))
      {
        peak = max(peak, size * 1_024)
      }
      await Task.yield()
    }
    return (await process.end(), peak)
  }
}

/// Returns the ids of rows in JSON lines, in order.
func ids(_ lines: String) -> [Int] {
  lines.split(separator: "\n").map { line in
    guard let start = line.range(of: "\"id\":") else { return -1 }
    return Int(line[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}
