internal import ListSync
internal import Quire
internal import Support

/// One record of a state file, with what it says of the output.
struct SyncFrame {
  /// The output before the lines of the record; `nil` if it is no regular file.
  var output: Output.RegularFile?
  /// The lines that are about to be written; `nil` if they were written before.
  var lines: AnnouncedRows?
  /// The record of the state; empty if there is none.
  var record: [UInt8] = []

  var payload: [UInt8] {
    var object = JSONAny.Object()
    object["output"] = output?.json
    object["bytes"] = lines?.json
    var writer = ByteWriter()
    writer.write(object.text())
    writer.write(record)
    return writer.bytes
  }

  init(_ record: [UInt8] = [], output: Output.RegularFile?, lines: AnnouncedRows? = nil) {
    (self.record, self.output, self.lines) = (record, output, lines)
  }

  init?(payload: [UInt8]) {
    var reader = ByteReader(payload)
    guard let text = try? reader.text(), let record = try? reader.content(), reader.isAtEnd,
      let document = try? JSONDocument(text.utf8)
    else { return nil }
    let json = JSONAny(document.root)
    output = Output.RegularFile(json["output"])
    self.record = record
    if let bytes = json["bytes"] {
      guard let lines = AnnouncedRows(bytes, to: output) else { return nil }
      self.lines = lines
    }
  }
}

/// Reads and writes the frames of a state file: after a line that identifies the list, for each record its size, a check
/// of it and of all records before it, and the record.
struct SyncFrames {
  static let headSize = 12
  private let descriptor: Int32
  /// Where the next frame begins.
  private(set) var end: Int
  private var check: UInt64

  /// The frames after the first line.
  init(_ descriptor: Int32, after head: [UInt8]) {
    self.descriptor = descriptor
    end = head.count
    check = Self.digest(head, after: 0)
  }

  /// What follows in a file of a size.
  enum Found {
    case frame(SyncFrame)
    /// The last frame, which a kill has cut, or none.
    case end
    case damage
  }

  mutating func next(in size: Int) -> Found {
    guard end + Self.headSize <= size, let head = read(end, Self.headSize) else { return .end }
    let count = head[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard end + Self.headSize + count <= size, let payload = read(end + Self.headSize, count) else { return .end }
    let said = head[4...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let check = Self.digest(payload, after: check)
    guard said == check, let frame = SyncFrame(payload: payload) else {
      return end + Self.headSize + count == size ? .end : .damage
    }
    (end, self.check) = (end + Self.headSize + count, check)
    return .frame(frame)
  }

  /// Returns the bytes of the next frame, which the caller writes.
  mutating func append(_ frame: SyncFrame) -> [UInt8] {
    let payload = frame.payload
    check = Self.digest(payload, after: check)
    end += Self.headSize + payload.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headSize + payload.count)
    withUnsafeBytes(of: UInt32(payload.count).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: check.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + payload
  }

  private func read(_ start: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(start + done))
      }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }

  private static func digest(_ bytes: [UInt8], after check: UInt64) -> UInt64 {
    (ContentMark.of(bytes) ^ check) &* 0x9E37_79B9_7F4A_7C15
  }
}
