/// The lines of a resume file whose rows are still in a pipe. They are added once its reader has read the rows, since a
/// reader that has gone leaves the rest unread.
struct UnreadRows {
  private var entries: [(end: Int, entry: ResumeEntry)] = []
  /// The number of bytes that were written to the pipe.
  private var written = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds an entry whose rows were written.
  mutating func add(_ entry: ResumeEntry, _ count: Int) {
    written += count
    entries.append((written, entry))
  }

  /// Removes and returns the entries whose rows were read, as this number of bytes is not.
  mutating func read(leaving unread: Int) -> [ResumeEntry] {
    let read = entries.prefix { $0.end <= written - unread }.map(\.entry)
    entries.removeFirst(read.count)
    return read
  }
}
