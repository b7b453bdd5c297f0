import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// The bytes at the end of an output, told apart from those of other programs.
@Suite struct AnnouncedRowsTests {
  /// Rows as JSON lines, and others of the same kind.
  private static func rows(_ count: Int, _ name: String) -> [UInt8] {
    Array((0..<count).map { "{\"id\":\($0),\"name\":\"\(name) \($0)\"}\n" }.joined().utf8)
  }

  private static func found(
    _ announced: AnnouncedRows, in content: [UInt8]
  ) -> AnnouncedRows.Found {
    announced.found(in: content.count) { Array(content[$0]) }
  }

  @Test func `each beginning of the announced bytes is theirs, and nothing else is`() throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(60, full: 2_000)) {
      var random = seeded
      let before = Self.rows(Int.random(in: 0...40, using: &random), "before")
      let bytes = Self.rows(Int.random(in: 1...120, using: &random), "row")
      let file = Output.RegularFile(device: 1, inode: 2, size: before.count)
      let announced = try #require(
        AnnouncedRows(AnnouncedRows(bytes, to: file).json, to: file), "\(seeded)")
      #expect(announced == AnnouncedRows(bytes, to: file))
      #expect(Self.found(announced, in: before) == .part)
      #expect(Self.found(announced, in: before + bytes) == .all)
      // A kill interrupts a write at the end of a page of the file.
      for end in stride(from: 4_096, to: before.count + bytes.count, by: 4_096)
      where end > before.count {
        #expect(Self.found(announced, in: Array((before + bytes).prefix(end))) == .part)
      }
      let cut = Int.random(in: 0..<bytes.count, using: &random)
      let part = before + bytes.prefix(cut)
      if part.last != 0x0A { #expect(Self.found(announced, in: part) == .part, "\(seeded)") }
      // Whole lines of other programs, after a beginning of any length.
      for others in [Self.rows(1, "other"), Self.rows(40, "other"), Array("a note\n".utf8)] {
        for content in [part + others, before + bytes + others, before + others] {
          guard case .others(let size) = Self.found(announced, in: content) else {
            Issue.record("rows of others were not seen, \(seeded)")
            continue
          }
          // Their first bytes may be the same by chance.
          #expect(
            size >= before.count && size <= content.count - others.count + 16, "\(seeded)")
        }
      }
    }
  }

  @Test func `without reading the output, only its size decides, and nothing is cut`() {
    let file = Output.RegularFile(device: 1, inode: 2, size: 10)
    let announced = AnnouncedRows(Self.rows(3, "row"), to: file)
    #expect(announced.found(in: 10 + announced.count) { _ in nil } == .all)
    #expect(announced.found(in: 10) { _ in nil } == .part)
    #expect(announced.found(in: 12) { _ in nil } == .others(after: 10))
    #expect(AnnouncedRows([], to: file).found(in: 10) { _ in nil } == .all)
  }

  @Test func `the rows in a pipe are recorded once they are read`() {
    var unread = UnreadRows()
    func entry(_ rows: Int) -> ResumeEntry { ResumeEntry(rows: rows, ids: [], isComplete: false) }
    unread.add(entry(1), 100)
    unread.add(entry(2), 50)
    unread.add(entry(3), 0)
    #expect(unread.read(leaving: 51).isEmpty && !unread.isEmpty)
    #expect(unread.read(leaving: 50).map(\.rows) == [1])
    #expect(unread.read(leaving: 0).map(\.rows) == [2, 3])
    #expect(unread.isEmpty)
  }
}
