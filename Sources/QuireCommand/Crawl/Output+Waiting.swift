internal import Support

/// Outputs that others read, which may take their time.
extension Output {
  /// How long a wait lasts before it is seen whether the task is cancelled, in milliseconds.
  private static let step: Int32 = 50
  /// How many of them a reader has after that, so that lines are complete if it reads at all.
  private static let graceSteps = 4

  /// How many bytes a pipe takes that can be written to.
  private static let leastRoom: Int = {
    #if os(Linux)
      4_096
    #else
      512
    #endif
  }()

  #if os(Linux)
    /// `F_GETPIPE_SZ`.
    private static let pipeSize: Int32 = 1_032
  #endif

  private var fileType: mode_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private var isPipe: Bool { fileType == S_IFIFO }

  /// Whether a write could wait for a reader.
  var mayStall: Bool {
    switch fileType {
    case S_IFIFO, S_IFSOCK: true
    case S_IFCHR: isTerminal
    default: false
    }
  }

  /// The number of bytes in a pipe that nobody has read yet, also if its reader has gone; `nil` if it is no pipe.
  var unread: Int? {
    guard isPipe else { return nil }
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
  }

  /// Waits until bytes can be written without waiting, and returns how many.
  func waitForRoom() throws(Failure) -> Int {
    var steps = 0
    while wait(for: POLLOUT, milliseconds: Self.step) == 0 {
      steps = Task.isCancelled ? steps + 1 : 0
      if steps > Self.graceSteps { throw .stalled }
    }
    #if os(Linux)
      // Without other writers, an empty pipe takes as much as it can have.
      if unread == 0 { return max(Self.leastRoom, Int(fcntl(descriptor, Self.pipeSize))) }
    #endif
    return Self.leastRoom
  }

  /// Waits until the reader of a pipe has read something; returns at once if nothing is unread or the reader has gone.
  /// Returns the number of bytes that are unread.
  func waitForReader() throws(Failure) -> Int {
    let before = unread ?? 0
    var steps = 0
    var milliseconds: Int32 = 1
    while let unread, unread > 0, unread == before, !wait(for: 0, milliseconds: milliseconds).isGone {
      milliseconds = min(2 * milliseconds, Self.step)
      steps = Task.isCancelled ? steps + 1 : 0
      if steps > Self.graceSteps { throw .stalled }
    }
    return unread ?? 0
  }

  /// Whether the reader of a pipe has closed it.
  var isClosed: Bool { wait(for: 0, milliseconds: 0).isGone }

  /// Returns what `poll` found; 0 if the time was up.
  private func wait(for events: Int32, milliseconds: Int32) -> Int16 {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&request, 1, milliseconds) > 0 ? request.revents : 0
  }
}

extension Int16 {
  /// Whether `poll` found that the other side has gone.
  fileprivate var isGone: Bool { self & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
}

/// Outputs that are files.
extension Output {
  /// The path of a regular file, or the words for any other output.
  var name: String {
    guard regularFile != nil else { return "standard output" }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if canImport(Darwin)
      let isKnown = fcntl(descriptor, F_GETPATH, &path) == 0
    #else
      let isKnown = readlink("/proc/self/fd/\(descriptor)", &path, path.count - 1) > 0
    #endif
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return isKnown ? String(decoding: bytes, as: UTF8.self) : "standard output"
  }

  /// Locks a regular file until the process ends, so that no other crawl writes to it. Throws if another one does.
  ///
  /// The lock belongs to the process: two processes of one shell may share a description of the file, and one that is
  /// killed leaves no lock. The process must not close any descriptor of the file.
  func lock() throws(UsageError) {
    guard regularFile != nil else { return }
    var request = flock()
    (request.l_type, request.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    // Some file systems have no locks.
    guard fcntl(descriptor, F_SETLK, &request) != 0, errno == EACCES || errno == EAGAIN else {
      return
    }
    throw UsageError(
      "another crawl is writing to the output; wait until it has ended, or write to another file")
  }

  /// Reads bytes of a regular file that may be open only for writing; `nil` if that is not possible.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    guard let descriptor = reopened() else { return nil }
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count,
          off_t(range.lowerBound + count))
      }
      guard got > 0 else { return nil }
      count += got
    }
    return bytes
  }

  /// Opens the file for reading. The descriptor stays open: if it was closed, the lock would end.
  private func reopened() -> Int32? {
    #if canImport(Darwin)
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard fcntl(descriptor, F_GETPATH, &path) == 0 else { return nil }
      let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    #else
      let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    #endif
    guard opened >= 0 else { return nil }
    let isSame = Output(descriptor: opened).regularFile.map { file in
      regularFile?.isSameFile(as: file) == true
    }
    return isSame == true ? opened : nil
  }

  /// Moves the offset to the end of a regular file.
  func seekToEnd() throws(Failure) {
    guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw .system(errno) }
  }
}
