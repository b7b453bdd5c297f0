#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folder with the database of a store.
///
/// A database that is damaged is never taken out from under those who have it open: that would let
/// their last connection remove files of the new one. The next one gets another number in its name
/// instead, and the highest number counts.
///
/// Only a folder that nobody else can write to is used. Links on the way to it are followed once, by
/// ``made()``; no link in it ever is.
struct CacheFolder {
  let path: String

  /// The database of that number.
  func database(_ generation: Int) -> String { "\(path)/cache-\(generation).sqlite" }

  /// The number of the newest database, if there is one.
  func newest() -> Int? { numbered().map(\.generation).max() }

  /// Makes an empty file that nobody but its owner may read. Returns `false` where it is there already.
  func create(_ generation: Int) throws(CacheProblem) -> Bool {
    let file = open(database(generation), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file < 0 else {
      close(file)
      return true
    }
    if errno == EEXIST { return false }
    throw problem(errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be written to")
  }

  /// Throws where somebody else can have changed a database or the files that belong to it. What others
  /// may read of it, they may no longer.
  func check(_ generation: Int) throws(CacheProblem) {
    let database = database(generation)
    for ending in ["", "-wal", "-shm", "-journal"] {
      let name = database + ending
      guard let facts = FileFacts(path: name) else { continue }
      if let why = facts.distrust(by: geteuid()) {
        throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
      }
      // By its name: closing a database that was opened here would undo locks that SQLite has on it.
      if facts.kind == .file, facts.mode & 0o077 != 0 { chmod(name, mode_t(facts.mode & 0o700)) }
    }
  }

  /// Removes databases with a lower number, with all that belongs to them.
  func removeOlder(than generation: Int) {
    for file in numbered() where file.generation < generation {
      let name = "\(path)/\(file.name)"
      if unlink(name) != 0, errno == EISDIR || errno == EPERM { rmdir(name) }
    }
  }

  /// What tells a file from another one in its place; `nil` where there is none.
  func identity(_ generation: Int) -> UInt64? { FileFacts(path: database(generation))?.number }

  /// Whether changes wait beside the database to be taken into it.
  func hasLog(_ generation: Int) -> Bool { Self.size(database(generation) + "-wal") > 0 }

  /// What a database and the changes that wait beside it take, in bytes.
  func size(_ generation: Int) -> Int {
    Self.size(database(generation)) + Self.size(database(generation) + "-wal")
  }

  private static func size(_ path: String) -> Int { FileFacts(path: path)?.size ?? 0 }

  /// Lets one process at a time open, make or replace the database. Waits so many milliseconds for
  /// others.
  func locked<R>(
    patience: Int32, _ body: () throws(CacheProblem) -> R
  ) throws(CacheProblem) -> R {
    let name = "\(path)/lock"
    let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      if errno == ELOOP, let why = FileFacts(path: name)?.distrust(by: geteuid()) {
        throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
      }
      throw problem(
        errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be written to")
    }
    defer { close(file) }
    if let why = FileFacts(descriptor: file)?.distrust(by: geteuid()) {
      throw CacheProblem(.insecure, "\(name): can't be used: it \(why)")
    }
    // A process that stands still with the lock must not make all others stand still.
    var tries: Int32 = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, tries < patience else {
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

  /// A number beyond that is none of ours, and the next one might not be a number any more.
  private static let generations = 0..<(1 << 40)

  private func numbered() -> [(name: String, generation: Int)] {
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
  /// Makes the folder, and those above it, for its owner alone, where it is missing.
  ///
  /// Returns it under a path without links, so that nothing that becomes of a link later leads
  /// elsewhere. Throws where somebody else could write to it.
  func made() throws(CacheProblem) -> CacheFolder {
    var missing: [String] = []
    var parent = path
    while mkdir(parent, 0o700) != 0 {
      if errno == EEXIST { break }
      let failure = problem(
        errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be made")
      guard errno == ENOENT, let slash = parent.lastIndex(of: "/"), slash != parent.startIndex
      else {
        // Where nothing may be written, it may still be there.
        guard failure.kind == .readOnly, let folder = try? resolved() else { throw failure }
        return folder
      }
      missing.append(parent)
      parent = String(parent[..<slash])
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw problem(.unusable, "can't be made")
    }
    return try resolved()
  }

  private func resolved() throws(CacheProblem) -> CacheFolder {
    // The user's own link to a folder is as good as its name. Somebody else's may lead anywhere.
    var name = path
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
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
      throw CacheProblem(.unusable, "\(path): is not a folder")
    }
    if let why = facts.distrust(by: geteuid()) {
      throw CacheProblem(.insecure, "\(path): can't be used as a cache: it \(why)")
    }
    return folder
  }
}
