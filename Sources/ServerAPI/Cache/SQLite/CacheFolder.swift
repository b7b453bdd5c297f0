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
struct CacheFolder {
  let path: String

  /// The database of that number.
  func database(_ generation: Int) -> String { "\(path)/cache-\(generation).sqlite" }

  /// Makes the folder, and those above it, for its owner alone.
  func make() throws(CacheProblem) {
    var missing: [String] = []
    var parent = path
    while mkdir(parent, 0o700) != 0 {
      if errno == EEXIST { break }
      guard errno == ENOENT, let slash = parent.lastIndex(of: "/"), slash != parent.startIndex
      else {
        throw problem(errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be made")
      }
      missing.append(parent)
      parent = String(parent[..<slash])
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw problem(.unusable, "can't be made")
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw CacheProblem(.unusable, "\(path): is not a folder")
    }
  }

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

  /// Removes databases with a lower number, with all that belongs to them.
  func removeOlder(than generation: Int) {
    for file in numbered() where file.generation < generation {
      let name = "\(path)/\(file.name)"
      if unlink(name) != 0, errno == EISDIR || errno == EPERM { rmdir(name) }
    }
  }

  /// What tells a file from another one in its place; `nil` where there is none.
  func identity(_ generation: Int) -> UInt64? {
    var facts = stat()
    return stat(database(generation), &facts) == 0 ? UInt64(facts.st_ino) : nil
  }

  /// Whether changes wait beside the database to be taken into it.
  func hasLog(_ generation: Int) -> Bool { Self.size(database(generation) + "-wal") > 0 }

  /// What a database and the changes that wait beside it take, in bytes.
  func size(_ generation: Int) -> Int {
    Self.size(database(generation)) + Self.size(database(generation) + "-wal")
  }

  private static func size(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Lets one process at a time open, make or replace the database.
  func locked<R>(_ body: () throws(CacheProblem) -> R) throws(CacheProblem) -> R {
    let file = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw problem(
        errno == EROFS || errno == EACCES ? .readOnly : .unusable, "can't be written to")
    }
    defer { close(file) }
    // A process that stands still with the lock must not make all others stand still.
    var tries = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, tries < 2_000 else {
        throw problem(errno == EWOULDBLOCK ? .busy : .unusable, "can't be locked")
      }
      tries += 1
      usleep(1_000)
    }
    return try body()
  }

  private func problem(_ kind: CacheProblem.Kind, _ what: String) -> CacheProblem {
    CacheProblem(kind, "\(path): \(what): \(String(cString: strerror(errno)))")
  }

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
        generation >= 0
      else { continue }
      found.append((name, generation))
    }
    return found
  }
}
