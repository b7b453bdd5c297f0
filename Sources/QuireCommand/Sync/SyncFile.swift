internal import ListSync
internal import Quire
internal import Support

/// The file with the state of a sync, and the output that it belongs to.
///
/// If the output is a regular file, a record announces the lines of a step before they are written. If the program is
/// killed then, the next run sees whether they are there, cuts off a part of them, and writes them again. For a pipe, a
/// record is added once its reader has read the lines; after a kill in between, the lines come again with the number of
/// their round.
final class SyncFile {
  private static let format = 1
  private static let leastGarbage = 1 << 20

  private var opened: PrivateFile
  private let signature: SignatureDigests
  private let console: Output
  /// The state that the file has.
  private(set) var state: SyncState
  private var frames: SyncFrames
  /// Whether the file has the line that identifies the list.
  private var hasHead: Bool
  /// The size of the output that a killed run has left, and to which it is cut.
  private var cut: (from: Int, to: Int)?
  private var hasBegun = false
  /// Whether the output may have a part of the last lines.
  private var isDoubtful = false
  /// The size of the file when it was last rewritten.
  private var leastSize = 0
  let changedCredentials: [String]

  /// Opens or creates the file, and compares it with the output. Changes neither.
  init(_ path: String, _ output: Output, _ signature: CrawlSignature) throws(UsageError) {
    try output.lock()
    opened = try PrivateFile(path, as: "state file", option: "state", user: "sync")
    console = output
    do throws(UsageError) {
      let file = opened.file
      if let target = output.regularFile, file.regularFile?.isSameFile(as: target) == true {
        throw UsageError("it is the output, too; use two files")
      }
      let size = file.regularFile?.size ?? 0
      var generator = SystemRandomNumberGenerator()
      let head = try Self.head(of: file, size)
      self.signature = head?.digests ?? SignatureDigests(signature, using: &generator)
      let differences = self.signature.differences(signature)
      if !differences.isEmpty {
        throw UsageError(
          "it belongs to another list: \(differences.joined(separator: ", ")); use the address and options it"
            + " started with, or another file")
      }
      changedCredentials = self.signature.changedCredentials(signature)
      hasHead = head != nil
      frames = SyncFrames(file.descriptor, after: head?.line ?? Self.headLine(self.signature))
      state = SyncState()
      if head != nil { try read(size) }
    } catch {
      close(opened.file.descriptor)
      throw UsageError("can't use the state file \(path): \(error)")
    }
    try opened.protect()
  }

  deinit { close(opened.file.descriptor) }

  private static func headLine(_ signature: SignatureDigests) -> [UInt8] {
    let object: JSONAny.Object = ["quire_sync": .int(format), "list": signature.json]
    return Array((object.text() + "\n").utf8)
  }

  /// Returns the first line, and what it says; `nil` if the file is empty.
  private static func head(
    of file: Output, _ size: Int
  ) throws(UsageError) -> (line: [UInt8], digests: SignatureDigests)? {
    guard size > 0 else { return nil }
    var lines = ResumeLines(file.descriptor, size: min(size, 1 << 20))
    guard let line = try lines.next() else {
      if lines.rest.starts(with: Array("{\"quire_sync\"".utf8)) { return nil }
      throw UsageError("it was not written by quire sync; use another file")
    }
    guard let json = (try? JSONDocument(line)).map({ JSONAny($0.root) }), let format = json["quire_sync"]?.int else {
      throw UsageError("it was not written by quire sync; use another file")
    }
    guard format == Self.format, let digests = SignatureDigests(json["list"]) else {
      throw UsageError("it was written by another version of quire; remove it to start over")
    }
    return (Array(line) + [0x0A], digests)
  }

  /// Reads the records. The last one counts only if the output has its lines.
  private func read(_ size: Int) throws(UsageError) {
    var last: (frame: SyncFrame, before: SyncFrames)?
    while true {
      let before = frames
      switch frames.next(in: size) {
      case .damage:
        throw UsageError("it is damaged after byte \(before.end); remove it to start over")
      case .frame(let frame):
        if let last { try add(last.frame.record) }
        last = (frame, before)
        continue
      case .end: break
      }
      break
    }
    if let last {
      if try hasLines(of: last.frame) { try add(last.frame.record) } else { frames = last.before }
    }
    guard state.isComplete else {
      throw UsageError("it is cut in the middle, at byte \(size); remove it to start over")
    }
  }

  private func add(_ record: [UInt8]) throws(UsageError) {
    guard !record.isEmpty else { return }
    do throws(SyncError) { try state.add(record) } catch {
      throw UsageError(
        error == .otherFormat
          ? "it was written by another version of quire; remove it to start over"
          : "it is damaged before byte \(frames.end); remove it to start over")
    }
  }

  /// Whether the lines of the last record are in the output. Throws if that is unknown, or if the output lacks lines.
  private func hasLines(of frame: SyncFrame) throws(UsageError) -> Bool {
    let target = console.regularFile
    guard let known = frame.output, let target, target.isSameFile(as: known) else { return frame.lines == nil }
    if target.size < known.size {
      throw UsageError(
        "the output has \(target.size) bytes, but the sync has written \(known.size); append to it with >>, or"
          + " remove the state file to start over")
    }
    switch frame.lines?.found(in: target.size, console.bytes) {
    case nil, .all: return true
    case .part:
      if target.size > known.size { cut = (target.size, known.size) }
      return false
    case .others(let size):
      throw UsageError(
        "the output has \(target.size) bytes, but the sync, which was killed, has written at most \(size) of them;"
          + " nothing was cut: move what follows these to another file, append to a new output, or remove the state"
          + " file to start over")
    }
  }
}

// MARK: - Writing

extension SyncFile {
  /// Returns the state, which the file does not keep.
  func takeState() -> SyncState {
    defer { state = SyncState() }
    return state
  }

  /// Writes lines, and records them with a step.
  func write(_ lines: [UInt8], recording record: [UInt8]) throws(EarlyExit) {
    try begin()
    guard let target = console.regularFile else {
      do throws(Output.Failure) {
        if !lines.isEmpty { try console.write(lines) }
        while try console.waitForReader() > 0 {
          if console.isClosed { throw .closed }
        }
      } catch {
        throw Self.exit(error)
      }
      return try append(SyncFrame(record, output: nil))
    }
    try append(SyncFrame(record, output: target, lines: AnnouncedRows(lines, to: target)))
    do throws(Output.Failure) {
      if !lines.isEmpty { try console.write(lines) }
    } catch {
      isDoubtful = true
      throw Self.exit(error)
    }
  }

  /// Makes both files ready for more, once there is something to write.
  private func begin() throws(EarlyExit) {
    guard !hasBegun else { return }
    if let cut, console.regularFile?.size != cut.from {
      throw EarlyExit(
        .usage, "another program has changed the output meanwhile; nothing was cut: run the command again")
    }
    do throws(Output.Failure) {
      if let cut { try console.truncate(to: cut.to) }
      if console.regularFile != nil { try console.seekToEnd() }
      if hasHead {
        try opened.file.truncate(to: frames.end)
      } else {
        try opened.file.truncate(to: 0)
        try opened.file.write(Self.headLine(signature))
        hasHead = true
      }
    } catch {
      throw EarlyExit(.failed, "can't continue the output or the state file: \(error)")
    }
    hasBegun = true
  }

  private func append(_ frame: SyncFrame) throws(EarlyExit) {
    let (before, end) = (frames, frames.end)
    do throws(Output.Failure) {
      try opened.file.write(frames.append(frame))
    } catch {
      frames = before
      try? opened.file.truncate(to: end)
      throw EarlyExit(.failed, "can't write the state file: \(error)")
    }
  }

  /// Records that all lines are written, so that what others append to the output is theirs.
  func end() throws(EarlyExit) {
    if hasBegun, !isDoubtful { try append(SyncFrame(output: console.regularFile)) }
  }

  private static func exit(_ failure: Output.Failure) -> EarlyExit {
    switch failure {
    // A reader that has enough lines is no error.
    case .closed: EarlyExit(.incomplete, nil)
    case .stalled: EarlyExit(.interrupted, nil)
    case .system: EarlyExit(.failed, "can't write the output: \(failure)")
    }
  }

  /// Rewrites the file if most of it is no longer used. The new file replaces the old one in one step, so that a kill leaves
  /// one of them.
  func shorten(_ walk: SyncWalk) throws(EarlyExit) {
    if leastSize == 0 { leastSize = 40 * walk.state.rowCount }
    guard hasBegun, frames.end > 2 * leastSize + Self.leastGarbage else { return }
    let path = opened.path + ".new"
    do {
      _ = unlink(path)
      let other = try PrivateFile(path, as: "state file", option: "state", user: "sync")
      do {
        let head = Self.headLine(signature)
        try other.file.write(head)
        var frames = SyncFrames(other.file.descriptor, after: head)
        for record in walk.records() { try other.file.write(frames.append(SyncFrame(record, output: nil))) }
        try other.file.write(frames.append(SyncFrame(output: console.regularFile)))
        guard fsync(other.file.descriptor) == 0, rename(path, opened.path) == 0 else {
          throw Output.Failure.system(errno)
        }
        close(opened.file.descriptor)
        (opened, self.frames, leastSize) = (other.renamed(opened.path), frames, frames.end)
      } catch {
        close(other.file.descriptor)
        _ = unlink(path)
        throw error
      }
    } catch {
      throw EarlyExit(.failed, "can't write the state file: \(error)")
    }
  }
}
