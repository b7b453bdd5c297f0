#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs the system's `openssl` and waits for it.
enum LoopbackCommand {
  /// Runs it with these arguments and gives back what it wrote, messages included.
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
      throw .command(name, status: status >> 8 & 0xFF, output: text)
    }
    return text
  }

  private static func spawn(
    _ words: [String]
  ) throws(LoopbackError) -> (pid_t, output: LoopbackSocket) {
    let (reading, writing) = try LoopbackSocket.pair()
    #if canImport(Darwin)
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
    // No environment: neither its configuration nor its language reaches the certificates.
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawnp(&process, "openssl", &actions, nil, &pointers, &environment)
    guard code == 0 else { throw .unavailable("the openssl command") }
    return (process, reading)
  }
}
