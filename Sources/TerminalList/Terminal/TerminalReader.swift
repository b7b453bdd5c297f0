internal import CTerminal
internal import Foundation

/// What happens in a terminal.
enum TerminalEvent: Hashable, Sendable {
  case keys([Key])
  /// It has another size.
  case resized
  /// It was somebody else's meanwhile.
  case resumed
  /// Nobody types any more.
  case ended
}

/// Reads keys on a thread of its own, so that nobody waits for them.
struct TerminalReader: Sendable {
  private enum Call {
    static let stop = UInt8(ascii: "Q")
  }

  private let input: Int32
  private let wakeRead: Int32
  /// Where a byte wakes the thread up.
  let wakeEnd: Int32

  /// Begins to read.
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
    let thread = Thread { reader.run(continuation) }
    thread.name = "quire.terminal"
    thread.start()
    return (reader, events)
  }

  /// The thread ends, and closes what it was woken up by.
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
      // What may be the escape key alone is one when nothing follows at once.
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
        // An end that was typed while lines were read is a zero by now.
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

  /// What is there to read; `nil` where nothing will come any more.
  private func read(_ place: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = bytes.withUnsafeMutableBytes { Foundation.read(place, $0.baseAddress, $0.count) }
    if count > 0 { return Array(bytes.prefix(count)) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }
}
