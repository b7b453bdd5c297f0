#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open file that is written to whole.
struct Output: Sendable {
  let descriptor: Int32

  enum Failure: Error, Hashable {
    /// Nobody reads it any more.
    case closed
    case system(Int32)
  }

  /// A regular file and how long it is.
  struct Place: Hashable, Sendable {
    var device: Int
    var inode: Int
    var size: Int

    func isSameFile(as other: Place) -> Bool {
      (device, inode) == (other.device, other.inode)
    }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        #if canImport(Glibc)
          return Glibc.write(descriptor, rest.baseAddress, rest.count)
        #else
          return Darwin.write(descriptor, rest.baseAddress, rest.count)
        #endif
      }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wish, 1, 1_000)
      case EPIPE: throw .closed
      default: throw .system(errno)
      }
    }
  }

  /// Where it ends; `nil` where it is no regular file.
  var place: Place? {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Place(
      device: Int(facts.st_dev), inode: Int(facts.st_ino), size: Int(facts.st_size))
  }

  /// Takes off what stands behind so many bytes, and goes on there.
  func cut(to size: Int) throws(Failure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .system(errno) }
    guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw .system(errno) }
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How many columns a terminal has.
  var columns: Int? {
    // A window, to the system: rows, columns, and two numbers that nobody uses.
    var window: [UInt16] = [0, 0, 0, 0]
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window[1] > 0 else { return nil }
    return Int(window[1])
  }
}

extension Output.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "nobody reads it"
    case .system(let code): String(cString: strerror(code))
    }
  }
}

/// What is said to the person: results on standard output, everything else on standard error.
struct Console: Sendable {
  let output = Output(descriptor: 1)
  let errors = Output(descriptor: 2)

  /// Sees to it that no file that is opened later takes the place of a stream that is closed, and rows or
  /// complaints go there. Says whether there is an output.
  func keepPlaces() -> Bool {
    let isOpen = fcntl(output.descriptor, F_GETFD) >= 0
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    return isOpen
  }

  func print(_ text: String) { try? output.write(Array(text.utf8)) }

  /// What a server has sent may be in the text, so nothing of it may be a command to the terminal.
  func complain(_ text: String) { try? errors.write(Array((text.harmless + "\n").utf8)) }

  func draw(_ text: String) { try? errors.write(Array(text.utf8)) }
}

extension String {
  /// The text without what a terminal takes for a command, and without marks that turn the direction in
  /// which it is read. Line feeds stay.
  var harmless: String {
    guard
      utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 })
    else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.isCommand && $0 != "\n" ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether it steers a terminal and shows nothing.
  fileprivate var isCommand: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
