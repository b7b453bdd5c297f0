internal import Quire
internal import Support

/// Reads the complete lines of a resume file, a block at a time, since that of a long crawl has the ids of all its rows.
struct ResumeLines {
  private static let block = 1 << 20
  private let descriptor: Int32
  private let size: Int
  /// Bytes of the file. Those before `start` were returned.
  private var buffer: [UInt8] = []
  private var start = 0
  /// How many bytes of the file were read.
  private var count = 0

  init(_ descriptor: Int32, size: Int) { (self.descriptor, self.size) = (descriptor, size) }

  /// Where in the file the lines end that were returned.
  var end: Int { count - rest.count }

  /// The bytes after these lines. After the last one they are an incomplete line.
  var rest: ArraySlice<UInt8> { buffer[start...] }

  /// Returns the next line, without its line feed; `nil` after the last one.
  mutating func next() throws(UsageError) -> ArraySlice<UInt8>? {
    var searched = 0
    while true {
      if let feed = rest.dropFirst(searched).firstIndex(of: 0x0A) {
        defer { start = feed + 1 }
        return buffer[start..<feed]
      }
      searched = rest.count
      guard count < size else { return nil }
      try read()
    }
  }

  private mutating func read() throws(UsageError) {
    buffer.removeFirst(start)
    start = 0
    let kept = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: min(Self.block, size - count)))
    let got = buffer.withUnsafeMutableBytes { bytes in
      pread(descriptor, bytes.baseAddress.map { $0 + kept }, bytes.count - kept, off_t(count))
    }
    guard got > 0 else {
      throw UsageError("it can't be read: \(String(cString: strerror(errno)))")
    }
    buffer.removeLast(buffer.count - kept - got)
    count += got
  }
}

/// The ids of the rows that a resume file records, to be read once. They come from the file, so that only the walk has
/// them in memory.
final class ResumeIDs: Sequence, IteratorProtocol {
  private var lines: ResumeLines?
  private var ids: [RowID] = []
  /// Why not all of them could be read.
  private(set) var failure: UsageError?

  init(_ lines: ResumeLines?) { self.lines = lines }

  func next() -> RowID? {
    while ids.isEmpty {
      do throws(UsageError) {
        guard let line = try lines?.next() else { return nil }
        if line.isEmpty { continue }
        guard let ids = ResumeState.ids(of: line) else {
          throw UsageError("another program has changed it meanwhile")
        }
        self.ids = ids.reversed()
      } catch {
        failure = error
        lines = nil
      }
    }
    return ids.popLast()
  }
}
