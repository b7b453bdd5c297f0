internal import Support

/// Notifies the lists of this process that follow a database of the batches that sinks of this process store.
enum SinkCommits {
  private static let followers = Lock([Weak]())

  private struct Weak {
    weak let follower: Follower?
  }

  /// Is notified as long as it exists.
  final class Follower: Sendable {
    private let path: String
    private let notify: @Sendable () -> Void

    init(_ path: String, _ notify: @escaping @Sendable () -> Void) {
      (self.path, self.notify) = (path, notify)
      followers.withLock { [weak self] list in
        list.removeAll { $0.follower == nil }
        list.append(Weak(follower: self))
      }
    }

    fileprivate func hear(of file: FileID?) {
      // One path may be relative, or go through a link.
      if FileID(path) == file { notify() }
    }
  }

  /// A batch was stored.
  static func notify(_ path: String) {
    let all = followers.withLock { list in list.compactMap(\.follower) }
    guard !all.isEmpty else { return }
    let file = FileID(path)
    for follower in all { follower.hear(of: file) }
  }
}

/// What a file is, whatever its path.
struct FileID: Hashable, Sendable {
  private let device: Int
  private let number: Int

  /// The file at a path; `nil` if there is none.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (Int(facts.st_dev), Int(truncatingIfNeeded: facts.st_ino))
  }
}
