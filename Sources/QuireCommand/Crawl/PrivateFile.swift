internal import Support

/// A file that records what a command did, such as a resume file.
///
/// It holds ids and cursors, so it must be a regular file of the user that no other user can read or write, with a single
/// hard link and not a symbolic link. All checks use the open descriptor, so the file can't be exchanged between a check
/// and its use.
struct PrivateFile {
  let file: Output
  private(set) var path: String
  /// What it is, such as `resume file`.
  let name: String

  /// Opens or creates a file, and locks it.
  ///
  /// - Parameters:
  ///   - name: What it is.
  ///   - option: The option that names it.
  ///   - user: What else may have it open.
  init(_ path: String, as name: String, option: String, user: String) throws(UsageError) {
    (self.path, self.name) = (path, name)
    guard !path.isEmpty else { throw UsageError("--\(option) needs the path of a file, found none") }
    // Before it is refused, a pipe must not block and a terminal must not become the controlling one.
    let descriptor = open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? UsageError(
          "can't use the \(name) \(path): it is a symbolic link, and links are not followed;"
            + " use the file itself, or remove the link")
        : UsageError(
          "can't open the \(name) \(path): \(String(cString: strerror(errno)));"
            + " use a file that can be written")
    }
    file = Output(descriptor: descriptor)
    do throws(UsageError) {
      try Self.check(file)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw UsageError("another \(user) has it open")
      }
      var (own, named) = (stat(), stat())
      guard fstat(descriptor, &own) == 0, lstat(path, &named) == 0, own.st_ino == named.st_ino else {
        throw UsageError("another \(user) has just replaced it; run the command again")
      }
    } catch {
      close(descriptor)
      throw UsageError("can't use the \(name) \(path): \(error)")
    }
  }

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

  /// The same file under another path.
  func renamed(_ path: String) -> PrivateFile {
    var file = self
    file.path = path
    return file
  }

  /// Removes the permissions of all other users.
  func protect() throws(UsageError) {
    var status = stat()
    _ = fchmod(file.descriptor, 0o600)
    // Some file systems have no permissions and report success.
    guard fstat(file.descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw UsageError(
        "can't protect the \(name) \(path) from other users: its file system has no"
          + " permissions; use a file on another file system")
    }
  }
}
