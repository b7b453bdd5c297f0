#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The attributes of a file or a folder, which tell whether another user can have changed it.
struct FileFacts: Equatable {
  enum Kind {
    case file
    case folder
    case link
    case other
  }

  var kind: Kind
  /// The owner.
  var owner: UInt32
  /// The permissions, as in `chmod`.
  var mode: UInt32
  /// The inode, which identifies the file.
  var number: UInt64 = 0
  /// The size, in bytes.
  var size = 0
}

extension FileFacts {
  /// Reads the attributes of the file at a path; of the link itself if it is one. Returns `nil` if no file
  /// exists.
  init?(path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  /// Reads the attributes of an open file.
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

  /// Returns why a user must not trust the file, and what to do; `nil` if no other user can have changed it.
  ///
  /// Root counts as another user too: files that another user may write must not reach a process of root.
  func reasonForDistrust(by user: UInt32) -> String? {
    if kind == .link {
      return "is a symbolic link, which may point to files of other users; remove it"
    }
    if owner != user {
      return "belongs to user \(owner), but this program runs as user \(user);"
        + " choose a cache folder of your own"
    }
    if mode & 0o022 != 0 {
      return "can be changed by other users (mode \(String(mode, radix: 8)));"
        + " run chmod go-w on it, or choose another cache folder"
    }
    return nil
  }
}
