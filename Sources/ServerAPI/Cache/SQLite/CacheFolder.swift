#if SQLITE
  internal import Support

  /// The folder with the database of a store.
  ///
  /// A damaged database is never removed while others have it open: their last connection would then remove files
  /// of the new one. Its replacement gets the next number in its name, and the highest number counts.
  ///
  /// Only a folder that no other user can write to is used. Symbolic links on the path to it are resolved once,
  /// by ``prepared()``. Links in the folder are never followed.
  struct CacheFolder {
    let path: String

    /// Returns the path of a database by its number.
    func database(_ generation: Int) -> String { "\(path)/cache-\(generation).sqlite" }

    /// Returns the number of the newest database, if one exists.
    func newest() -> Int? { databases().map(\.generation).max() }

    /// Creates an empty file that only its owner may read. Returns `false` if it already exists.
    func create(_ generation: Int) throws(CacheProblem) -> Bool {
      let file = open(database(generation), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file < 0 else {
        close(file)
        return true
      }
      if errno == EEXIST { return false }
      throw problem(errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be written to")
    }

    /// Throws if another user could have changed a database or its auxiliary files. Also removes the permissions
    /// of other users to read them.
    func checkSecurity(of generation: Int) throws(CacheProblem) {
      let database = database(generation)
      for ending in ["", "-wal", "-shm", "-journal"] {
        let name = database + ending
        guard let facts = FileFacts(path: name) else { continue }
        if let why = facts.reasonForDistrust(by: geteuid()) {
          throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
        }
        // By path: closing a descriptor that was opened here would release the locks of SQLite on the file.
        if facts.kind == .file, facts.mode & 0o077 != 0 { chmod(name, mode_t(facts.mode & 0o700)) }
      }
    }

    /// Returns the name of a file of a database that would be waited for when it is opened, such as a pipe.
    func fileThatBlocks(_ generation: Int) -> String? {
      ["", "-wal", "-shm", "-journal"].map { database(generation) + $0 }.first { name in
        FileFacts(path: name)?.kind == .other
      }
    }

    /// Removes the databases with a lower number, with their auxiliary files.
    func removeOlder(than generation: Int) {
      for file in databases() where file.generation < generation {
        let name = "\(path)/\(file.name)"
        if unlink(name) != 0, errno == EISDIR || errno == EPERM { rmdir(name) }
      }
    }

    /// Returns the inode of a database file; `nil` if the file does not exist.
    func identity(_ generation: Int) -> UInt64? { FileFacts(path: database(generation))?.number }

    /// Whether the database has a write-ahead log with changes.
    func hasLog(_ generation: Int) -> Bool { Self.size(database(generation) + "-wal") > 0 }

    /// Returns the size of a database and its log, in bytes.
    func size(_ generation: Int) -> Int {
      Self.size(database(generation)) + Self.size(database(generation) + "-wal")
    }

    private static func size(_ path: String) -> Int { FileFacts(path: path)?.size ?? 0 }

    /// Runs `body` under the lock of the folder, so that one process at a time opens, creates or replaces the
    /// database.
    ///
    /// - Parameter timeout: How long to wait for other processes, in milliseconds.
    func locked<R>(
      timeout: Int32, _ body: () throws(CacheProblem) -> R
    ) throws(CacheProblem) -> R {
      let name = "\(path)/lock"
      let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else {
        if errno == ELOOP, let why = FileFacts(path: name)?.reasonForDistrust(by: geteuid()) {
          throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
        }
        throw problem(
          errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be written to")
      }
      defer { close(file) }
      if let why = FileFacts(descriptor: file)?.reasonForDistrust(by: geteuid()) {
        throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
      }
      // A suspended process that holds the lock must not block all others.
      var tries: Int32 = 0
      while flock(file, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR, tries < timeout else {
          throw problem(errno == EWOULDBLOCK ? .busy : .unusable, "can't be locked")
        }
        tries += 1
        usleep(1_000)
      }
      return try body()
    }

    func problem(_ kind: CacheProblem.Kind, _ what: String) -> CacheProblem {
      CacheProblem(kind, "\(path): \(what): \(String(cString: strerror(errno)))")
    }

    /// The numbers that this package uses. The next number after a larger one could overflow.
    private static let generations = 0..<Int(clamping: 1 << 40 as Int64)

    private func databases() -> [(name: String, generation: Int)] {
      guard let folder = opendir(path) else { return [] }
      defer { closedir(folder) }
      var found: [(name: String, generation: Int)] = []
      while let item = readdir(folder) {
        let name = withUnsafePointer(to: &item.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name.hasPrefix("cache-"), let dot = name.firstIndex(of: "."),
          name[dot...].hasPrefix(".sqlite"), let generation = Int(name[..<dot].dropFirst(6)),
          Self.generations.contains(generation)
        else { continue }
        found.append((name, generation))
      }
      return found
    }
  }

  extension CacheFolder {
    /// Creates the folder and its missing parents, for the owner alone.
    ///
    /// Returns the folder under its resolved path, so that a later change of a link does not redirect it. Throws
    /// if another user could write to it.
    func prepared() throws(CacheProblem) -> CacheFolder {
      var missing: [String] = []
      var parent = path
      while mkdir(parent, 0o700) != 0 {
        if errno == EEXIST { break }
        let failure = problem(
          errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be created")
        guard errno == ENOENT, let slash = parent.utf8.lastIndex(of: 0x2F),
          slash != parent.startIndex
        else {
          // On a read-only file system, the folder may already exist.
          guard failure.kind == .readOnly, let folder = try? resolved() else { throw failure }
          return folder
        }
        missing.append(parent)
        parent = String(parent[..<slash])
      }
      for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
        throw problem(.unusable, "can't be created")
      }
      return try resolved()
    }

    private func resolved() throws(CacheProblem) -> CacheFolder {
      // A link of the user or of root is trusted. A link of another user may be redirected.
      var name = path
      while name.utf8.count > 1, name.utf8.last == 0x2F {
        name = String(Substring(name.utf8.dropLast()))
      }
      if let link = FileFacts(path: name), link.kind == .link, link.owner != 0,
        link.owner != geteuid()
      {
        throw CacheProblem(
          .insecure,
          "\(path): can't be used as a cache: it is a symbolic link of user \(link.owner);"
            + " choose a folder of your own")
      }
      guard let real = realpath(path, nil) else { throw problem(.unusable, "can't be found") }
      defer { free(real) }
      let folder = CacheFolder(path: String(cString: real))
      guard let facts = FileFacts(path: folder.path), facts.kind == .folder else {
        throw CacheProblem(.unusable, "\(path): can't be used as a cache: it is not a folder")
      }
      if let why = facts.reasonForDistrust(by: geteuid()) {
        throw CacheProblem(.insecure, "\(path): can't be used as a cache: it \(why)")
      }
      return folder
    }
  }

  /// The attributes of a file or a folder, which show whether another user can have changed it.
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
#endif
