internal import Quire

/// The output of a crawl, and the resume file that records the rows in it.
struct RecordedOutput {
  let output: Output
  private let file: ResumeFile?
  private let signature: CrawlSignature
  /// Where an earlier run stopped.
  let start: ResumeState.Position?
  /// The credentials that are not those of the earlier run.
  let changedCredentials: [String]
  /// The rows that the reader of a pipe has not read.
  private var unread = UnreadRows()
  private var hasBegun = false

  /// Opens the resume file, and locks the output. Changes neither.
  init(_ output: Output, _ path: String?, _ signature: CrawlSignature) throws(UsageError) {
    (self.output, self.signature) = (output, signature)
    try output.lock()
    file = try path.map { path throws(UsageError) in try ResumeFile(path) }
    changedCredentials = try file?.prepare(output, for: signature) ?? []
    start = file?.state?.position
  }

  var isRecorded: Bool { file != nil }

  /// Begins to read the ids of the recorded rows.
  func readIDs() -> ResumeIDs { file?.readIDs() ?? ResumeIDs(nil) }

  /// Prepares both for the first rows, once it is known that there are some.
  mutating func begin() throws(EarlyExit) {
    guard !hasBegun else { return }
    do throws(UsageError) {
      try file?.begin(signature, output)
    } catch {
      throw EarlyExit(.usage, "\(error)")
    }
    hasBegun = true
  }

  /// Writes bytes that are no rows.
  func write(_ bytes: [UInt8]) throws(EarlyExit) {
    guard !bytes.isEmpty else { return }
    do throws(Output.Failure) { try output.write(bytes) } catch { throw Self.exit(error) }
  }

  /// Writes rows and records them.
  mutating func write(_ bytes: [UInt8], recording entry: ResumeEntry) throws(EarlyExit) {
    guard let file else { return try write(bytes) }
    do throws(ResumeFile.Failure) {
      if output.regularFile != nil {
        return try file.add(entry, writing: bytes, to: output)
      }
      do throws(Output.Failure) {
        if !bytes.isEmpty { try output.write(bytes) }
      } catch {
        try addRead()
        throw .output(error)
      }
      unread.add(entry, bytes.count)
      try addRead()
    } catch {
      switch error {
      case .output(let failure): throw Self.exit(failure)
      case .resumeFile(let failure): throw Self.unrecorded(failure)
      }
    }
  }

  /// Records the rows that the reader of a pipe has read.
  private mutating func addRead() throws(ResumeFile.Failure) {
    do throws(Output.Failure) {
      for entry in unread.read(leaving: output.unread ?? 0) { try file?.add(entry) }
    } catch {
      throw .resumeFile(error)
    }
  }

  /// Records how the crawl ended, once the reader of a pipe has read all rows or has gone. Returns that status, or
  /// another one if not all rows were read.
  mutating func end(_ status: CrawlStatus) throws(EarlyExit) -> CrawlStatus {
    guard let file, hasBegun else { return status }
    var status = status
    do throws(Output.Failure) {
      while !unread.isEmpty {
        let left: Int
        do throws(Output.Failure) { left = try output.waitForReader() } catch {
          if status == .complete { status = .interrupted }
          break
        }
        let isClosed = output.isClosed
        for entry in unread.read(leaving: min(left, output.unread ?? 0)) { try file.add(entry) }
        if isClosed {
          if !unread.isEmpty, status == .complete { status = .incomplete }
          break
        }
      }
      try file.end(status, output.regularFile)
    } catch {
      throw Self.unrecorded(error)
    }
    return status
  }

  private static func exit(_ failure: Output.Failure) -> EarlyExit {
    switch failure {
    // A reader that has enough rows is no error.
    case .closed: EarlyExit(.incomplete, nil)
    case .stalled: EarlyExit(.interrupted, nil)
    case .system: EarlyExit(.failed, "can't write the output: \(failure)")
    }
  }

  private static func unrecorded(_ failure: Output.Failure) -> EarlyExit {
    EarlyExit(.failed, "can't write the resume file: \(failure)")
  }
}
