internal import Foundation
internal import Quire

/// The file that tells how far a crawl has come.
///
/// A line is added once the rows of a page were written. When the program dies in between, the output has
/// rows the file does not know of: where the output is a regular file, they are cut off by the next run,
/// which then writes them again. Where it is a pipe, that page comes twice.
///
/// It holds ids and cursors, so it must be a regular file of the user that nobody else can read or write,
/// with one name and not behind a link. All checks look at the open file, so it can't be exchanged between
/// a check and its use.
final class ResumeFile {
  private let file: Output
  let path: String
  let state: ResumeState?

  /// Opens a file, or makes it, and reads what it tells. Nobody else may have it open.
  init(_ path: String) throws(UsageError) {
    self.path = path
    // A pipe or a terminal must neither block nor become the controlling one before it is refused.
    let descriptor = open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? UsageError(
          "the resume file \(path) can't be used: it is a symbolic link, and links are not followed;"
            + " use the file itself, or remove the link")
        : UsageError(
          "the resume file \(path) can't be written: \(String(cString: strerror(errno)))")
    }
    file = Output(descriptor: descriptor)
    do throws(UsageError) {
      try Self.check(file)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw UsageError("another crawl has it open")
      }
      state = try Self.read(file)
    } catch {
      close(descriptor)
      throw UsageError("the resume file \(path) can't be used: \(error)")
    }
  }

  deinit { close(file.descriptor) }

  /// Refuses files of other users, and files that other users could have changed.
  private static func check(_ file: Output) throws(UsageError) {
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw UsageError("it is no regular file")
    }
    if facts.st_uid != geteuid() {
      throw UsageError("it belongs to another user; use a file of your own")
    }
    if facts.st_nlink > 1 {
      throw UsageError(
        "it has \(facts.st_nlink) hard links, and all of them would change; use a copy of it"
      )
    }
    if facts.st_size > 0, facts.st_mode & 0o022 != 0 {
      throw UsageError(
        "other users can write to it, so it can't be trusted; remove it to start over, or run"
          + " chmod 600 on it if you know that nobody changed it")
    }
  }

  private static func read(_ file: Output) throws(UsageError) -> ResumeState? {
    guard let size = file.place?.size else { throw UsageError("it is no regular file") }
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    while count < size {
      let got = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return pread(file.descriptor, rest.baseAddress, rest.count, off_t(count))
      }
      guard got > 0 else { throw UsageError("it can't be read") }
      count += got
    }
    // What has no end of line was not written whole.
    let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lines = String(decoding: bytes[..<whole], as: UTF8.self).split(separator: "\n")
    let state = try ResumeState(lines.map(String.init))
    guard whole < size else { return state }
    guard state != nil || bytes.starts(with: Array("{\"quire\"".utf8)) else {
      throw UsageError("it is not a file that --resume wrote")
    }
    do throws(Output.Failure) {
      try file.cut(to: whole)
    } catch {
      throw UsageError("\(error)")
    }
    return state
  }

  /// Truncates the output to the rows that the file knows of, and makes the file readable by its owner
  /// alone. Returns the credentials that have changed, in words.
  func mend(_ output: Output, for signature: CrawlSignature) throws(UsageError) -> [String] {
    let place = output.place
    if let place, file.place?.isSameFile(as: place) == true {
      throw UsageError("the resume file \(path) is the output too; they have to be two files")
    }
    let differences = state?.crawl.differences(signature) ?? []
    if !differences.isEmpty {
      throw UsageError(
        "the resume file \(path) belongs to another crawl: \(differences.joined(separator: ", "));"
          + " use the options it started with, or remove it to start over")
    }
    try protect()
    guard let state else { return [] }
    try cut(output, place, for: state)
    return state.crawl.newCredentials(signature)
  }

  /// Removes the permissions of all other users.
  private func protect() throws(UsageError) {
    var facts = stat()
    _ = fchmod(file.descriptor, 0o600)
    // Some file systems have no permissions and report success.
    guard fstat(file.descriptor, &facts) == 0, facts.st_mode & 0o077 == 0 else {
      throw UsageError(
        "the resume file \(path) can't be protected from other users: its file system has no"
          + " permissions; use a file elsewhere")
    }
  }

  private func cut(
    _ output: Output, _ place: Output.Place?, for state: ResumeState
  ) throws(UsageError) {
    guard let known = state.place, let place, known.isSameFile(as: place) else { return }
    if place.size < known.size {
      throw UsageError(
        "the output has \(place.size) bytes, and \(known.size) were written before; append to it"
          + " with >>, or remove \(path) to begin anew")
    }
    guard place.size > known.size else { return }
    do throws(Output.Failure) {
      try output.cut(to: known.size)
    } catch {
      throw UsageError("the output can't be cut where the last whole page ended: \(error)")
    }
  }

  /// Notes what crawl it is.
  func begin(_ signature: CrawlSignature, _ place: Output.Place?) throws(Output.Failure) {
    guard state == nil else { return }
    var generator = SystemRandomNumberGenerator()
    let crawl = SignatureDigests(signature, using: &generator)
    try file.write(Array(ResumeState.head(crawl, place).utf8))
  }

  /// Notes that the rows of a page were written.
  func add(_ entry: ResumeEntry) throws(Output.Failure) { try file.write(Array(entry.line.utf8)) }
}
