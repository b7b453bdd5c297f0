#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
