internal import Support

/// An open file descriptor. A write returns once all bytes are written.
struct Output: Sendable {
  let descriptor: Int32

  enum Failure: Error, Hashable {
    /// The reader has closed the pipe.
    case closed
    /// The task was cancelled, and the reader of a full pipe reads nothing.
    case stalled
    case system(Int32)
  }

  /// The identity and size of a regular file.
  struct RegularFile: Hashable, Sendable {
    var device: Int
    var inode: Int
    var size: Int

    func isSameFile(as other: RegularFile) -> Bool {
      (device, inode) == (other.device, other.inode)
    }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    let mayStall = mayStall
    var written = 0
    while written < bytes.count {
      let room = mayStall ? try waitForRoom() : Int.max
      let count = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...].prefix(room))
        return writeBytes(descriptor, rest)
      }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: _ = try waitForRoom()
      case EPIPE: throw .closed
      default: throw .system(errno)
      }
    }
  }

  /// The file and its current size; `nil` if it is not a regular file.
  var regularFile: RegularFile? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return RegularFile(
      device: Int(status.st_dev), inode: Int(status.st_ino), size: Int(status.st_size))
  }

  /// Truncates the file and moves the offset to its end.
  func truncate(to size: Int) throws(Failure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .system(errno) }
    guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw .system(errno) }
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of a terminal; `nil` if it is unknown.
  var columns: Int? {
    // `struct winsize`: rows, columns, and two numbers in pixels.
    var window: [UInt16] = [0, 0, 0, 0]
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window[1] > 0 else { return nil }
    return Int(window[1])
  }
}

extension Output.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "its reader has closed it"
    case .stalled: "its reader reads nothing"
    case .system(let code): String(cString: strerror(code))
    }
  }
}

/// The standard streams: results go to standard output, everything else to standard error.
struct Console: Sendable {
  let output = Output(descriptor: 1)
  let errors = Output(descriptor: 2)
  private let loss = Loss()

  private final class Loss: Sendable {
    let failure = Lock<Output.Failure?>(nil)
  }

  /// Why something that was printed is lost; `nil` if nothing is, or if the reader wants no more.
  var lossOfOutput: Output.Failure? {
    let failure = loss.failure.withLock { $0 }
    return failure == .closed ? nil : failure
  }

  /// Opens `/dev/null` for each closed standard stream, so that a file opened later doesn't get its
  /// descriptor and receive rows or errors. Returns whether standard output is open.
  func reserveStandardDescriptors() -> Bool {
    let isOpen = fcntl(output.descriptor, F_GETFD) >= 0
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    return isOpen
  }

  func print(_ text: String) {
    do throws(Output.Failure) { try output.write(Array(text.utf8)) } catch {
      loss.failure.withLock { [error] in $0 = $0 ?? error }
    }
  }

  /// Prints a line on standard error. The text can contain parts of a response, so control characters are
  /// replaced.
  func printError(_ text: String) { try? errors.write(Array((text.terminalSafe + "\n").utf8)) }

  func draw(_ text: String) { try? errors.write(Array(text.utf8)) }
}

extension String {
  /// Whether it may have control characters or marks of text direction.
  private var mayControl: Bool {
    utf8.contains { byte in
      byte < 0x20 && byte != 0x0A || byte == 0x7F || [0xC2, 0xD8, 0xE2].contains(byte)
    }
  }

  /// JSON with control characters and marks of text direction as escapes, which is the same JSON.
  var terminalJSON: String {
    guard mayControl else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      // These can only be between values.
      if scalar.isControl, scalar != "\n", scalar != "\t" {
        let digits = String(scalar.value, radix: 16)
        text.append(
          contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            .unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The text with control characters and marks of text direction replaced. Line feeds are kept.
  var terminalSafe: String {
    guard mayControl else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.isControl && $0 != "\n" ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether it controls a terminal or the direction of text.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Calls `write` of the system, which the method of the same name would shadow.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
