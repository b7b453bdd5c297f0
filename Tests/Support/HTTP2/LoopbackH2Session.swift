/// The state machine of an HTTP/2 server: frames in, bytes out.
///
/// Header blocks are not decoded, which multiplexing does not need; each response has status 200.
struct LoopbackH2Session {
  struct Frame: Hashable {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: Int
    var payload: [UInt8] = []

    /// The frame as it is sent on the wire.
    var wire: [UInt8] {
      let count = payload.count
      return [
        UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, flags,
      ]
        + LoopbackH2Session.bytes(stream) + payload
    }
  }

  /// The preface that opens a connection.
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  let behavior: LoopbackH2Server.Behavior
  /// The streams in the order in which their requests were complete.
  private(set) var completed: [Int] = []
  /// The maximum number of complete streams that waited for a response at the same time.
  private(set) var mostAtOnce = 0
  private var waiting: [Int] = []
  private var isReleased = false
  private var lastStream = Int.max

  init(_ behavior: LoopbackH2Server.Behavior) { self.behavior = behavior }

  /// The server's first frames.
  var greeting: [UInt8] {
    let limit = [0, 3] + Self.bytes(behavior.maximumStreams)
    return Frame(type: 4, stream: 0, payload: limit).wire
  }

  /// Returns the server's reaction to a frame.
  mutating func receive(_ frame: Frame) -> [UInt8] {
    let isAcknowledgement = frame.flags & 1 == 1
    switch frame.type {
    case 0:
      // Restores the flow-control window that the body used.
      let room = Self.bytes(frame.payload.count)
      var out: [UInt8] = []
      if !frame.payload.isEmpty {
        out += Frame(type: 8, stream: 0, payload: room).wire
        if frame.flags & 1 == 0 { out += Frame(type: 8, stream: frame.stream, payload: room).wire }
      }
      return out + (frame.flags & 1 == 1 ? complete(frame.stream) : [])
    case 1: return frame.flags & 1 == 1 ? complete(frame.stream) : []
    case 3:
      waiting.removeAll { $0 == frame.stream }
      return []
    case 4: return isAcknowledgement ? [] : Frame(type: 4, flags: 1, stream: 0).wire
    case 6:
      return isAcknowledgement
        ? [] : Frame(type: 6, flags: 1, stream: 0, payload: frame.payload).wire
    default: return []
    }
  }

  private mutating func complete(_ stream: Int) -> [UInt8] {
    guard stream <= lastStream else { return [] }
    completed.append(stream)
    if completed.count <= behavior.refusedStreams {
      return Frame(type: 3, stream: stream, payload: Self.bytes(7)).wire
    }
    waiting.append(stream)
    mostAtOnce = max(mostAtOnce, waiting.count)
    var out: [UInt8] = []
    if let limit = behavior.goAwayAfter, completed.count == limit {
      lastStream = stream
      out += Frame(type: 7, stream: 0, payload: Self.bytes(stream) + Self.bytes(0)).wire
    }
    isReleased = isReleased || waiting.count >= behavior.respondsFrom
    guard isReleased else { return out }
    defer { waiting = [] }
    return waiting.reduce(into: out) { $0 += response($1) }
  }

  private func response(_ stream: Int) -> [UInt8] {
    // 0x88 is `:status: 200` in the static table.
    Frame(type: 1, flags: 4, stream: stream, payload: [0x88]).wire
      + Frame(type: 0, flags: 1, stream: stream, payload: behavior.body).wire
  }

  static func bytes(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
