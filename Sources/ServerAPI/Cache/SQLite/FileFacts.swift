#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system says of a file or a folder, and whether only its user can have changed it.
struct FileFacts: Equatable {
  enum Kind {
    case file
    case folder
    case link
    case other
  }

  var kind: Kind
  /// The user that it belongs to.
  var owner: UInt32
  /// Who may do what with it, as in `chmod`.
  var mode: UInt32
  /// Tells it from another one in its place.
  var number: UInt64 = 0
  /// How large it is, in bytes.
  var size = 0
}

extension FileFacts {
  /// Reads the facts of what stands at a path, of the link itself where it is one. `nil` where nothing
  /// does.
  init?(path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  /// Reads the facts of an open file.
  init?(descriptor: Int32) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return nil }
    self.init(facts)
  }

  private init(_ facts: stat) {
    kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    owner = UInt32(facts.st_uid)
    mode = UInt32(facts.st_mode) & 0o7777
    (number, size) = (UInt64(facts.st_ino), Int(facts.st_size))
  }

  /// Why a user must not trust it, and what to do; `nil` where nobody else can have changed it.
  ///
  /// The administrator is somebody else too: what another user may write to must not get into a process of
  /// the administrator's.
  func distrust(by user: UInt32) -> String? {
    if kind == .link {
      return "is a symbolic link, which may lead to files of others; remove it"
    }
    if owner != user {
      return "belongs to user \(owner) and not to user \(user), who uses it;"
        + " choose a \(noun) of your own"
    }
    if mode & 0o022 != 0 {
      return "may be changed by other users (mode \(String(mode, radix: 8)));"
        + " run chmod go-w on it, or choose another \(noun)"
    }
    return nil
  }

  private var noun: String { kind == .folder ? "folder" : "file" }
}
