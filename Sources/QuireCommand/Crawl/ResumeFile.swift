internal import Quire
internal import Support

/// The file that records the position of a crawl.
///
/// If the output is a regular file, a line announces the rows of a page before they are written. If the program is killed
/// then, the next run sees whether they are there. If only a part of them is, it cuts that off and writes them again; a
/// run that ended with a status leaves nothing to cut. For a pipe, a line is added once its reader has read the rows. If
/// the program is killed in between, the rows of that page are written twice.
final class ResumeFile {
  private let opened: PrivateFile
  private var file: Output { opened.file }
  private var path: String { opened.path }
  private(set) var state: ResumeState?
  /// Where the lines end that `state` was read from.
  private var size: Int
  /// Where the last line begins.
  private var lastLine: Int
  /// The output that the state was compared with, and whether rows of it are cut off before others are added.
  private var start: (output: Output.RegularFile, cuts: Bool)?
  /// Whether what the file says of the output may be wrong.
  private var isDoubtful = false

  /// Opens or creates the file, locks it and reads it.
  init(_ path: String) throws(UsageError) {
    opened = try PrivateFile(path, as: "resume file", option: "resume", user: "crawl")
    (lastLine, size) = (0, 0)
    do throws(UsageError) {
      (state, lastLine, size) = try Self.read(file)
    } catch {
      close(file.descriptor)
      throw UsageError("can't use the resume file \(path): \(error)")
    }
  }

  deinit { close(file.descriptor) }

  /// Begins to read the ids of the recorded rows.
  func readIDs() -> ResumeIDs { ResumeIDs(ResumeLines(file.descriptor, size: size)) }

  private static func read(_ file: Output) throws(UsageError) -> (
    ResumeState?, lastLine: Int, end: Int
  ) {
    guard let size = file.regularFile?.size else {
      throw UsageError("it is not a regular file; use another path")
    }
    var lines = ResumeLines(file.descriptor, size: size)
    var state: ResumeState?
    var (lastLine, next) = (0, 0)
    while let line = try lines.next() {
      (lastLine, next) = (next, lines.end)
      if line.isEmpty { continue }
      if state == nil { state = try ResumeState(head: line) } else { try state?.add(line) }
    }
    guard lines.end < size else { return (state, lastLine, size) }
    guard state != nil || lines.rest.starts(with: Array("{\"quire\"".utf8)) else {
      throw UsageError("it was not written by --resume; use another file")
    }
    do throws(Output.Failure) {
      try file.truncate(to: lines.end)
    } catch {
      throw UsageError("\(error)")
    }
    return (state, lastLine, lines.end)
  }

  /// Compares the output with what is recorded of it, and restricts the file to its owner. Returns a description of
  /// each credential that has changed. Changes neither of the two, as it is not known yet whether there are more rows.
  func prepare(_ output: Output, for signature: CrawlSignature) throws(UsageError) -> [String] {
    let target = output.regularFile
    if let target, file.regularFile?.isSameFile(as: target) == true {
      throw UsageError("\(path) is both the resume file and the output; use two files")
    }
    let differences = state?.crawl.differences(signature) ?? []
    if !differences.isEmpty {
      throw UsageError(
        "the resume file \(path) belongs to another crawl: \(differences.joined(separator: ", "));"
          + " use the options it started with, or remove it to start over")
    }
    try opened.protect()
    guard let state else { return [] }
    let hasLastRows = try state.hasLastRows(in: target, output.bytes)
    if let target { start = (target, !hasLastRows) }
    if !hasLastRows {
      self.state = state.withoutLast()
      size = lastLine
    }
    return state.crawl.changedCredentials(signature)
  }

  /// Makes both files ready for more rows: cuts off the rows of the killed run that are not complete, and writes the line
  /// that identifies the crawl, unless the file has one.
  func begin(_ signature: CrawlSignature, _ output: Output) throws(UsageError) {
    if let start, let target = output.regularFile, target.size != start.output.size,
      start.cuts || target.size < start.output.size
    {
      throw UsageError(
        "another program has changed the output meanwhile, from \(start.output.size) to"
          + " \(target.size) bytes; nothing was cut: run the command again")
    }
    do throws(Output.Failure) {
      guard let state else {
        var generator = SystemRandomNumberGenerator()
        let crawl = SignatureDigests(signature, using: &generator)
        if output.regularFile != nil { try output.seekToEnd() }
        return try append(ResumeState.head(crawl))
      }
      if case .written(let known?) = state.last, let start, start.cuts,
        known.isSameFile(as: start.output), known.size < start.output.size
      {
        try output.truncate(to: known.size)
      }
      if output.regularFile != nil { try output.seekToEnd() }
      try file.truncate(to: size)
    } catch {
      throw UsageError("can't continue the output or the resume file \(path): \(error)")
    }
  }

  /// Records rows that were written.
  func add(_ entry: ResumeEntry) throws(Output.Failure) {
    try append(entry.line(announcing: nil))
  }

  /// Records rows, and then writes them to a regular file. If that fails, it is as if there were none of them.
  func add(_ entry: ResumeEntry, writing bytes: [UInt8], to output: Output) throws(Failure) {
    guard let target = output.regularFile else { return }
    let rows = AnnouncedRows(bytes, to: target)
    do throws(Output.Failure) {
      try append(entry.line(announcing: rows))
    } catch {
      throw .resumeFile(error)
    }
    do throws(Output.Failure) {
      if !bytes.isEmpty { try output.write(bytes) }
    } catch {
      isDoubtful = true
      if let now = output.regularFile?.size, rows.found(in: now, output.bytes) == .part,
        (try? output.truncate(to: rows.file.size)) != nil, (try? file.truncate(to: lastLine)) != nil
      {
        (size, isDoubtful) = (lastLine, false)
      }
      throw .output(error)
    }
  }

  /// Which of the two files could not be written.
  enum Failure: Error {
    case output(Output.Failure)
    case resumeFile(Output.Failure)
  }

  /// Records that the run ended with a status, so that all rows in the output are recorded.
  func end(_ status: CrawlStatus, _ output: Output.RegularFile?) throws(Output.Failure) {
    if !isDoubtful { try append(ResumeState.end(status, output)) }
  }

  /// Adds a line, or nothing of it.
  private func append(_ line: String) throws(Output.Failure) {
    let bytes = Array(line.utf8)
    do throws(Output.Failure) {
      try file.write(bytes)
    } catch {
      if (try? file.truncate(to: size)) == nil { isDoubtful = true }
      throw error
    }
    (lastLine, size) = (size, size + bytes.count)
  }
}
