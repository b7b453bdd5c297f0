internal import Dispatch
internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
/// A command for `/bin/sh`, without input. It can still ask its user something through the terminal.
final class ShellCommand: Sendable {
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(Int32)
  }

  struct Result: Hashable, Sendable {
    var ending: Ending
    var output: [UInt8]
    var errors: [UInt8]

    /// The first line of what it wrote to standard error, with secrets masked.
    var firstError: String? {
      let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
      return lines.first { !$0.allSatisfy(\.isWhitespace) }.map {
        Redaction().text(String($0.prefix(200)))
      }
    }
  }

  private enum State {
    case ready, ended, cancelled
    case running(pid_t)
  }

  /// More output than this is dropped.
  private static let limit = 64 << 10

  private let text: String
  /// Guards the number of the process, which another one may get after its end.
  private let state = Lock(State.ready)

  init(_ text: String) { self.text = text }

  /// Runs the command. Ends it if the task is cancelled.
  func run() async throws(TokenCommand.Failure) -> Result {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: self.runNow()) }
      }
    } onCancel: {
      state.withLock { state in
        if case .running(let process) = state { kill(process, SIGTERM) }
        if case .ready = state { state = .cancelled }
      }
    }
    return try result.get()
  }

  private func runNow() -> Swift.Result<Result, TokenCommand.Failure> {
    guard let output = Pipe() else { return .failure(Self.failure(errno)) }
    defer { output.close() }
    guard let errors = Pipe() else { return .failure(Self.failure(errno)) }
    defer { errors.close() }
    let error = state.withLock { state in
      if case .cancelled = state { return ECANCELED }
      let (error, process) = Self.spawn(text, output, errors)
      if error == 0 { state = .running(process) }
      return error
    }
    guard error == 0 else { return .failure(Self.failure(error)) }
    output.closeWriter()
    errors.closeWriter()
    let texts = Self.read(output.reader, errors.reader)
    return .success(Result(ending: wait(), output: texts.output, errors: texts.errors))
  }

  /// Waits for the process to end.
  private func wait() -> Ending {
    guard case .running(let process) = state.withLock({ $0 }) else { return .exited(127) }
    // The process stays a zombie until its number is forgotten.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { $0 = .ended }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  /// Reads both until the first one ends.
  private static func read(
    _ output: Int32, _ errors: Int32
  ) -> (output: [UInt8], errors: [UInt8]) {
    var files = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var texts: [[UInt8]] = [[], []]
    var buffer = [UInt8](repeating: 0, count: 4_096)
    // What was written to standard error is there once the output has ended.
    while files[0].fd >= 0 || poll(&files, 2, 0) > 0 {
      guard poll(&files, 2, -1) > 0 else {
        if errno == EINTR { continue }
        break
      }
      for index in files.indices where files[index].revents != 0 {
        let count = buffer.withUnsafeMutableBytes {
          readBytes(files[index].fd, $0.baseAddress, $0.count)
        }
        if count <= 0 {
          files[index].fd = -1
        } else if texts[index].count < limit {
          texts[index] += buffer[..<count]
        }
      }
    }
    return (texts[0], texts[1])
  }

  private static func failure(_ error: Int32) -> TokenCommand.Failure {
    TokenCommand.Failure(
      description: "the command can't be run: \(String(cString: strerror(error)))")
  }

  /// Starts a shell with these outputs.
  private static func spawn(
    _ text: String, _ output: Pipe, _ errors: Pipe
  ) -> (error: Int32, process: pid_t) {
    #if canImport(Darwin) || canImport(Android)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writer, 2)
    // A crawl ignores this signal, and threads of Dispatch block others.
    var (defaults, none) = (sigset_t(), sigset_t())
    sigemptyset(&defaults)
    sigemptyset(&none)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    var words = copies(["sh", "-c", text])
    var variables = copies(
      ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables)
    return (error, process)
  }

  /// Returns the texts as C has them, with `nil` at the end.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}

/// Two ends of a pipe, which no other program inherits.
private final class Pipe {
  let reader: Int32
  private(set) var writer: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeWriter() {
    if writer >= 0 { closeDescriptor(writer) }
    writer = -1
  }

  func close() {
    closeWriter()
    closeDescriptor(reader)
  }
}

/// Calls `close` of the system, which the method of the same name would shadow.
private func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}

/// Calls `read` of the system, which the method of the same name would shadow.
private func readBytes(_ from: Int32, _ to: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(from, to, count)
}
