import Foundation

/// A folder that goes when the test is over.
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

/// The command as it was built, run as a process of its own.
final class QuireProcess: @unchecked Sendable {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    /// Whether a signal ended it.
    var wasKilled: Bool
  }

  private let process = Process()
  private let folder: TemporaryFolder
  private let output: String
  private let ended: AsyncStream<Void>

  /// Starts it. Its output goes to a file; to the end of `file`, where one is named.
  init(
    _ arguments: [String], appendingTo file: String? = nil, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    output = file ?? folder.file("output")
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    self.ended = ended
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try Self.handle(output)
    process.standardError = try Self.handle(folder.file("errors"))
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

  /// Its output so far.
  var text: String {
    FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits for its end.
  func end() async -> Result {
    for await _ in ended {}
    return Result(
      status: process.terminationStatus, output: text, errors: folder.text("errors"),
      wasKilled: process.terminationReason == .uncaughtSignal)
  }

  static func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  static func run(_ arguments: [String]) async throws -> Result {
    try await QuireProcess(arguments).end()
  }
}

/// The ids of the rows in lines of JSON, in order.
func ids(_ lines: String) -> [Int] {
  lines.split(separator: "\n").map { line in
    guard let start = line.range(of: "\"id\":") else { return -1 }
    return Int(line[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}
