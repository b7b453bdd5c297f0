internal import Quire

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file that records the position of a crawl.
///
/// A line is added after the rows of a page are written. If the program is killed in between, the output has
/// rows that the file doesn't record. If the output is a regular file, the next run truncates them and writes
/// them again. If it is a pipe, the rows of that page are written twice.
///
/// It holds ids and cursors, so it must be a regular file of the user that no other user can read or write,
/// with a single hard link and not a symbolic link. All checks use the open descriptor, so the file can't be
/// exchanged between a check and its use.
final class ResumeFile {
  private let file: Output
  let path: String
  private(set) var state: ResumeState?
  /// Where the lines end that `state` was read from.
  private var size = 0

  /// Opens or creates the file, locks it and reads it.
  init(_ path: String) throws(UsageError) {
    self.path = path
    guard !path.isEmpty else { throw UsageError("--resume needs the path of a file, found none") }
    // Before it is refused, a pipe must not block and a terminal must not become the controlling one.
    let descriptor = open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? UsageError(
          "can't use the resume file \(path): it is a symbolic link, and links are not followed;"
            + " use the file itself, or remove the link")
        : UsageError(
          "can't open the resume file \(path): \(String(cString: strerror(errno)));"
            + " use a file that can be written")
    }
    file = Output(descriptor: descriptor)
    do throws(UsageError) {
      try Self.check(file)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw UsageError("another crawl has it open")
      }
      (state, size) = try Self.read(file)
    } catch {
      close(descriptor)
      throw UsageError("can't use the resume file \(path): \(error)")
    }
  }

  deinit { close(file.descriptor) }

  /// Begins to read the ids of the recorded rows.
  func readIDs() -> ResumeIDs { ResumeIDs(ResumeLines(file.descriptor, size: size)) }

  /// Refuses files of other users, and files that other users could have changed.
  private static func check(_ file: Output) throws(UsageError) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw UsageError("it is not a regular file; use another path")
    }
    if status.st_uid != geteuid() {
      throw UsageError("it belongs to another user; use a file of your own")
    }
    if status.st_nlink > 1 {
      throw UsageError(
        "it has \(status.st_nlink) hard links, and all of them would change; use a copy of it")
    }
    if status.st_size > 0, status.st_mode & 0o022 != 0 {
      throw UsageError(
        "other users can write to it, so it can't be trusted; remove it to start over, or run"
          + " chmod 600 on it if you know that it is unchanged")
    }
  }

  private static func read(_ file: Output) throws(UsageError) -> (ResumeState?, Int) {
    guard let size = file.regularFile?.size else {
      throw UsageError("it is not a regular file; use another path")
    }
    var lines = ResumeLines(file.descriptor, size: size)
    var state: ResumeState?
    while let line = try lines.next() {
      if line.isEmpty { continue }
      if state == nil { state = try ResumeState(head: line) } else { try state?.add(line) }
    }
    guard lines.end < size else { return (state, size) }
    guard state != nil || lines.rest.starts(with: Array("{\"quire\"".utf8)) else {
      throw UsageError("it was not written by --resume; use another file")
    }
    do throws(Output.Failure) {
      try file.truncate(to: lines.end)
    } catch {
      throw UsageError("\(error)")
    }
    return (state, lines.end)
  }

  /// Truncates the output to the recorded rows and restricts the file to its owner. Returns a description of
  /// each credential that has changed.
  func prepare(_ output: Output, for signature: CrawlSignature) throws(UsageError) -> [String] {
    let target = output.regularFile
    if let target, file.regularFile?.isSameFile(as: target) == true {
      throw UsageError("\(path) is both the resume file and the output; use two files")
    }
    let differences = state?.crawl.differences(signature) ?? []
    if !differences.isEmpty {
      throw UsageError(
        "the resume file \(path) belongs to another crawl: \(differences.joined(separator: ", "));"
          + " use the options it started with, or remove it to start over")
    }
    try protect()
    guard let state else { return [] }
    try truncate(output, target, for: state)
    return state.crawl.changedCredentials(signature)
  }

  /// Removes the permissions of all other users.
  private func protect() throws(UsageError) {
    var status = stat()
    _ = fchmod(file.descriptor, 0o600)
    // Some file systems have no permissions and report success.
    guard fstat(file.descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw UsageError(
        "can't protect the resume file \(path) from other users: its file system has no"
          + " permissions; use a file on another file system")
    }
  }

  private func truncate(
    _ output: Output, _ target: Output.RegularFile?, for state: ResumeState
  ) throws(UsageError) {
    guard let known = state.output, let target, known.isSameFile(as: target) else { return }
    if target.size < known.size {
      throw UsageError(
        "the output has \(target.size) bytes, but the crawl has written \(known.size); append to it"
          + " with >>, or remove \(path) to start over")
    }
    guard target.size > known.size else { return }
    do throws(Output.Failure) {
      try output.truncate(to: known.size)
    } catch {
      throw UsageError("can't truncate the output to its last complete page: \(error)")
    }
  }

  /// Writes the line that identifies the crawl, unless the file has one.
  func begin(_ signature: CrawlSignature, _ output: Output.RegularFile?) throws(Output.Failure) {
    guard state == nil else { return }
    var generator = SystemRandomNumberGenerator()
    let crawl = SignatureDigests(signature, using: &generator)
    try file.write(Array(ResumeState.head(crawl, output).utf8))
  }

  /// Records that the rows of a page are written.
  func add(_ entry: ResumeEntry) throws(Output.Failure) { try file.write(Array(entry.line.utf8)) }
}
