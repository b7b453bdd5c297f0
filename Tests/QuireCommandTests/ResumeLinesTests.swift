import Foundation
import Quire
import QuireTesting
import Testing

@testable import QuireCommand

struct ResumeLinesTests {
  /// Calls `body` with the lines of a file that has these bytes, and is said to have so many.
  private static func reading(
    _ bytes: [UInt8], size: Int? = nil, _ body: (inout ResumeLines) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.file("state"))
    try Data(bytes).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    var lines = ResumeLines(handle.fileDescriptor, size: size ?? bytes.count)
    try withExtendedLifetime((folder, handle)) { try body(&lines) }
  }

  @Test func `lines are complete wherever a block of the file ends`() throws {
    var generator = SeededGenerator(seed: 7)
    for longest in [3, 1_000, 700_000, 3_000_000] {
      var expected: [[UInt8]] = []
      var bytes: [UInt8] = []
      while bytes.count < 4_000_000, expected.count < 100_000 {
        let count = Int.random(in: 0...longest, using: &generator)
        expected.append([UInt8](repeating: UInt8(ascii: "a") + UInt8(count % 26), count: count))
        bytes += expected[expected.count - 1] + [0x0A]
      }
      let complete = bytes.count
      bytes += Array("incomplete".utf8)
      try Self.reading(bytes) { lines in
        var found: [[UInt8]] = []
        while let line = try lines.next() { found.append(Array(line)) }
        #expect(found == expected && lines.end == complete)
        #expect(lines.rest.elementsEqual("incomplete".utf8))
        let more = try lines.next()
        #expect(more == nil)
      }
    }
  }

  @Test func `the ids of all pages come in order`() throws {
    let pages = (0..<50).map { page in
      ResumeEntry(
        rows: 3, ids: [.number(page), .text("\(page)"), .text("more than fifteen bytes: \(page)")],
        checkpoint: nil, isComplete: false, columns: nil)
    }
    let text =
      "{\"quire\":2}\n" + pages.map { $0.line(announcing: nil) }.joined() + "{\"rows\":1,\"ids\":[7"
    try Self.reading(Array(text.utf8)) { lines in
      let ids = ResumeIDs(lines)
      #expect(Array(ids) == pages.flatMap(\.ids) && ids.failure == nil)
    }
  }

  @Test func `ids that can't be read are a failure, and not the end`() throws {
    let text = Array("{\"quire\":2}\n{\"rows\":1,\"ids\":[7]}\n".utf8)
    // Shorter than it was when its size was read.
    try Self.reading(text, size: text.count + 1) { lines in
      let ids = ResumeIDs(lines)
      #expect(Array(ids) == [7] && ids.failure != nil)
    }
    let changed = text + Array("{\"rows\":1,\"ids\":[{}]}\n".utf8)
    try Self.reading(changed) { lines in
      let ids = ResumeIDs(lines)
      #expect(Array(ids) == [7] && ids.failure != nil)
    }
  }
}
