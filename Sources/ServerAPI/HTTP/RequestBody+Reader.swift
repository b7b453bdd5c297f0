#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RequestBody {
  /// Hands out a body piece by piece, as a transport sends it. Holds at most one file open, and
  /// closes it at the end of the piece, on rewinding and when it goes away.
  public struct Reader: ~Copyable {
    private let pieces: [Piece]
    private var index = 0
    private var offset = 0
    private var descriptor: Int32 = -1

    /// Starts at the first byte.
    public init(_ body: RequestBody) { pieces = body.pieces }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Fills `buffer` as far as one piece goes; `0` is the end of the body (or an empty buffer).
    ///
    /// Throws when a file is gone or has become shorter than it was.
    public mutating func read(
      into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      while index < pieces.count, !buffer.isEmpty {
        let count: Int
        switch pieces[index] {
        case .bytes(let bytes):
          count = min(buffer.count, bytes.count - offset)
          bytes.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count]))
          }
        case .file(let path, let length):
          count = try readFile(path, min(buffer.count, max(0, length - offset)), buffer)
        }
        if count > 0 {
          offset += count
          return count
        }
        leavePiece()
        index += 1
      }
      return 0
    }

    /// Goes back to the first byte, for another try.
    public mutating func rewind() {
      leavePiece()
      index = 0
    }

    private mutating func leavePiece() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
      offset = 0
    }

    private mutating func readFile(
      _ path: String, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      guard wanted > 0 else { return 0 }
      if descriptor < 0 {
        // Without waiting: a pipe may stand there by now.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
      while true {
        let count = readBytes(descriptor, buffer.baseAddress, wanted)
        if count > 0 { return count }
        if count == 0 {
          throw RequestBody.unreadable(path, "it ends at byte \(offset), shorter than it was")
        }
        guard errno == EINTR else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
    }
  }

  /// The whole body in memory, for tests and for transports that can't stream.
  public func bytes() throws(RequestError) -> [UInt8] {
    var reader = Reader(self)
    var result: [UInt8] = []
    result.reserveCapacity(min(length, 64 << 20))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try reader.read(into: buffer)
      if count == 0 { return result }
      result += UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}

/// The system's call, out of reach of the method that has its name.
private func readBytes(_ descriptor: Int32, _ to: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, to, count)
}
