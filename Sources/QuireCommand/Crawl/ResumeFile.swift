internal import Foundation
internal import Quire

/// The file that tells how far a crawl has come.
///
/// A line is added once the rows of a page were written. When the program dies in between, the output has
/// rows the file does not know of: where the output is a regular file, they are cut off by the next run,
/// which then writes them again. Where it is a pipe, that page comes twice.
final class ResumeFile {
  private let file: Output
  let path: String
  let state: ResumeState?

  /// Opens a file, or makes it, and reads what it tells. Nobody else may have it open.
  init(_ path: String) throws(UsageError) {
    self.path = path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(
        "the resume file \(path) can't be written: \(String(cString: strerror(errno)))")
    }
    file = Output(descriptor: descriptor)
    do throws(UsageError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw UsageError("another crawl has it open")
      }
      state = try Self.read(file)
    } catch {
      close(descriptor)
      throw UsageError("the resume file \(path) can't be used: \(error)")
    }
  }

  deinit { close(file.descriptor) }

  private static func read(_ file: Output) throws(UsageError) -> ResumeState? {
    guard let size = file.place?.size else { throw UsageError("it is no regular file") }
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    while count < size {
      let got = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return pread(file.descriptor, rest.baseAddress, rest.count, off_t(count))
      }
      guard got > 0 else { throw UsageError("it can't be read") }
      count += got
    }
    // What has no end of line was not written whole.
    let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lines = String(decoding: bytes[..<whole], as: UTF8.self).split(separator: "\n")
    let state = try ResumeState(lines.map(String.init))
    guard whole < size else { return state }
    guard state != nil || bytes.starts(with: Array("{\"quire\"".utf8)) else {
      throw UsageError("it is not a file that --resume wrote")
    }
    do throws(Output.Failure) {
      try file.cut(to: whole)
    } catch {
      throw UsageError("\(error)")
    }
    return state
  }

  /// Makes the output end where the rows that the file knows of do.
  func mend(_ output: Output, for signature: String) throws(UsageError) {
    let place = output.place
    if let place, file.place?.isSameFile(as: place) == true {
      throw UsageError("the resume file \(path) is the output too; they have to be two files")
    }
    guard let state else { return }
    if state.signature != signature {
      throw UsageError(
        "the resume file \(path) belongs to another crawl: \(state.signature)\nThis one is:"
          + " \(signature)")
    }
    guard let known = state.place, let place, known.isSameFile(as: place) else { return }
    if place.size < known.size {
      throw UsageError(
        "the output has \(place.size) bytes, and \(known.size) were written before; append to it"
          + " with >>, or remove \(path) to begin anew")
    }
    guard place.size > known.size else { return }
    do throws(Output.Failure) {
      try output.cut(to: known.size)
    } catch {
      throw UsageError("the output can't be cut where the last whole page ended: \(error)")
    }
  }

  /// Notes what crawl it is.
  func begin(_ signature: String, _ place: Output.Place?) throws(Output.Failure) {
    if state == nil { try file.write(Array(ResumeState.head(signature, place).utf8)) }
  }

  /// Notes that the rows of a page were written.
  func add(_ entry: ResumeEntry) throws(Output.Failure) { try file.write(Array(entry.line.utf8)) }
}
