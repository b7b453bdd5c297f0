internal import QuireTesting
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Runs the system's `openssl` and waits for it.
enum OpenSSLCommand {
  /// Runs it with arguments and returns its output, including messages.
  @discardableResult
  static func openssl(_ arguments: [String]) throws(LoopbackError) -> String {
    let words = ["openssl"] + arguments
    let name = words.prefix(2).joined(separator: " ")
    let (process, output) = try spawn(words)
    let text = output.readToEnd()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw .system(call: "waitpid", code: errno) }
    }
    guard status == 0 else {
      throw .invalid(
        what: "\(name), which ended with status \(status >> 8 & 0xFF) and wrote \(text)",
        expected: "status 0")
    }
    return text
  }

  private static func spawn(
    _ words: [String]
  ) throws(LoopbackError) -> (pid_t, output: LoopbackSocket) {
    let (reading, writing) = try LoopbackSocket.pair()
    #if canImport(Darwin) || canImport(Android)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writing.fd, 1)
    posix_spawn_file_actions_adddup2(&actions, writing.fd, 2)
    var process = pid_t()
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // No environment: neither its configuration nor its language affects the certificates.
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawnp(&process, "openssl", &actions, nil, &pointers, &environment)
    guard code == 0 else { throw .unavailable("the openssl command") }
    return (process, reading)
  }
}

/// A temporary directory, removed with the last reference.
final class LoopbackDirectory: Sendable {
  /// The path.
  let path: String

  init() throws(LoopbackError) {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/loopback-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system(call: "mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it now; for objects that live until the process ends.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  func makeFolder(_ name: String) throws(LoopbackError) {
    guard mkdir(file(name), 0o700) == 0 else { throw .system(call: "mkdir", code: errno) }
  }

  func write(_ text: String, to name: String) throws(LoopbackError) {
    guard FileManager.default.createFile(atPath: file(name), contents: Data(text.utf8)) else {
      throw .system(call: "write", code: errno)
    }
  }

  func read(_ name: String) throws(LoopbackError) -> Data {
    guard let data = FileManager.default.contents(atPath: file(name)) else {
      throw .system(call: "read", code: errno)
    }
    return data
  }
}
