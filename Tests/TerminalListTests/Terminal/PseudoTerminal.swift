import Dispatch
import Foundation
import Synchronization

@testable import QuireTesting
@testable import TerminalList

/// A terminal that a test types into and reads from.
final class PseudoTerminal: Sendable {
  private let master: Int32
  /// The program's side of the terminal.
  let slave: Int32
  private let shown: Awaitable<TinyTerminal>
  private let stop = Stop()

  init(_ size: ScreenSize) throws {
    var (master, slave): (Int32, Int32) = (0, 0)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
    var window = Self.window(size)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    // A program started meanwhile must not keep it open.
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    shown = Awaitable(TinyTerminal(size))
    let thread = Thread { [master, shown, stop] in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(master, &bytes, bytes.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0, !stop.waits() else { break }
        let new = Array(bytes.prefix(count))
        shown.update { $0.write(new) }
      }
      close(master)
    }
    thread.start()
  }

  deinit {
    stop.isOver.signal()
    close(slave)
  }

  /// The descriptor that stops reading.
  private final class Stop: Sendable {
    let isWanted = Atomic(false)
    let isThere = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)

    /// Whether reading is paused.
    func waits() -> Bool {
      guard isWanted.load(ordering: .acquiring) else { return false }
      isThere.signal()
      isOver.wait()
      return true
    }
  }

  /// Stops reading the output of programs, so that they run out of room.
  func stall() {
    stop.isWanted.store(true, ordering: .releasing)
    let end = open(String(cString: ttyname(slave)), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    defer { close(end) }
    _ = write(end, " ", 1)
    stop.isThere.wait()
    while write(end, " ", 1) > 0 {}
  }

  /// Closes the window.
  func hangUp() {
    stall()
    stop.isOver.signal()
  }

  /// The system's window size: rows, columns, and two unused numbers.
  private static func window(_ size: ScreenSize) -> [UInt16] {
    [UInt16(size.rows), UInt16(size.columns), 0, 0]
  }

  func type(_ text: String) {
    var bytes = Array(text.utf8)
    _ = write(master, &bytes, bytes.count)
  }

  /// Resizes the terminal. A real one signals that to its programs.
  func resize(_ size: ScreenSize) {
    var window = Self.window(size)
    shown.update { $0.resize(size) }
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  var screen: TinyTerminal { shown.value }

  /// The terminal's mode for input and output.
  var mode: [UInt8] {
    var mode = termios()
    tcgetattr(slave, &mode)
    let flags = [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
    return flags.flatMap { flag in withUnsafeBytes(of: flag) { Array($0) } }
      + withUnsafeBytes(of: mode.c_cc) { Array($0) }
  }

  /// Waits until a program has taken the terminal. It writes afterwards, which takes a second if there is no
  /// room.
  func becomesRaw(from before: [UInt8]) async {
    while mode == before { await Task.yield() }
  }

  /// Returns whether the screen matches within half a minute.
  func shows(_ condition: @escaping @Sendable (TinyTerminal) -> Bool) async -> Bool {
    let shown = shown
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await shown.wait(until: condition)) != nil }
      group.addTask {
        try? await Task.sleep(for: .seconds(30))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  func shows(_ text: String) async -> Bool {
    let isThere = await shows { $0.lines.contains { $0.contains(text) } }
    if !isThere { print("not shown: “\(text)” in\n\(screen.lines.joined(separator: "\n"))") }
    return isThere
  }
}
