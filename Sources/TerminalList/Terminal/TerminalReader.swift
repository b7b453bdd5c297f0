internal import CTerminal
internal import Support

/// An event in a terminal.
enum TerminalEvent: Hashable, Sendable {
  case keys([Key])
  /// The size changed.
  case resized
  /// The terminal was used by another program meanwhile.
  case resumed
  /// The input ended.
  case ended
}

/// Reads keys on its own thread, so that nothing waits for them.
struct TerminalReader: Sendable {
  private enum Call {
    static let stop = UInt8(ascii: "Q")
  }

  private let input: Int32
  private let wakeRead: Int32
  /// The descriptor whose input wakes the thread.
  let wakeEnd: Int32

  /// Starts to read.
  static func make(
    input: Int32
  ) throws(TerminalError) -> (TerminalReader, AsyncStream<TerminalEvent>) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .refused(what: "a pipe", code: errno) }
    // A signal must never wait for the thread.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = TerminalReader(input: input, wakeRead: ends[0], wakeEnd: ends[1])
    let (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
    guard DetachedThread.start({ reader.run(continuation) }) else {
      for end in ends { close(end) }
      throw .refused(what: "a thread", code: EAGAIN)
    }
    return (reader, events)
  }

  /// Ends the thread, which closes the descriptors that wake it.
  func stop() {
    withUnsafeBytes(of: Call.stop) { _ = write(wakeEnd, $0.baseAddress, 1) }
  }

  private func run(_ continuation: AsyncStream<TerminalEvent>.Continuation) {
    var keys = KeyReader()
    defer {
      continuation.finish()
      close(wakeRead)
      close(wakeEnd)
    }
    var isOpen = true
    var isFirst = true
    while true {
      var places = [
        pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen ? input : -1, events: Int16(POLLIN), revents: 0),
      ]
      // An escape is the key itself if nothing follows at once.
      let count = poll(&places, 2, keys.isWaiting ? 50 : -1)
      if count < 0 && errno != EINTR { return }
      if count == 0 { send(keys.flush(), continuation) }
      guard count > 0 else { continue }
      if places[0].revents != 0 {
        for call in read(wakeRead) ?? [Call.stop] {
          switch call {
          case Call.stop: return
          case UInt8(TERMINAL_RESIZED): continuation.yield(.resized)
          default: continuation.yield(.resumed)
          }
        }
      } else if places[1].revents != 0 {
        let bytes = read(input)
        send(keys.read(bytes ?? []), continuation)
        // An end of input that was typed in line mode now reads as a zero byte.
        if bytes.map({ isFirst && $0.contains(0) }) ?? true {
          isOpen = false
          continuation.yield(.ended)
        }
        isFirst = false
      }
    }
  }

  private func send(_ keys: [Key], _ continuation: AsyncStream<TerminalEvent>.Continuation) {
    if !keys.isEmpty { continuation.yield(.keys(keys)) }
  }

  /// Reads the available bytes; returns `nil` at the end of the input.
  private func read(_ place: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = bytes.withUnsafeMutableBytes { readBytes(place, $0.baseAddress, $0.count) }
    if count > 0 { return Array(bytes.prefix(count)) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }
}

/// `read(2)`, which a method of ``TerminalReader`` hides.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
