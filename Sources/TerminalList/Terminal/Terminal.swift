internal import CTerminal
internal import Dispatch
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
/// A terminal, by default that of the program. A list takes it over while it is shown; the terminal is restored
/// however that ends.
///
/// Only one list at a time. Signals that end the program, including crashes, restore it too.
@MainActor public final class Terminal {
  private let input: Int32
  private let output: Int32
  /// Whether to use colors; see <https://no-color.org>.
  let withColor: Bool
  private let understands: Bool
  private var reader: TerminalReader?
  /// Writes, so that a terminal that accepts nothing blocks nothing else.
  private let writer = DispatchQueue(label: "quire.terminal.writer")
  private let writes = DispatchGroup()

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read; by default standard input.
  ///   - output: The descriptor to write; by default standard output.
  ///   - environment: The environment for `NO_COLOR` and `TERM`; by default that of the program.
  public init(input: Int32 = 0, output: Int32 = 1, environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    self.input = input
    self.output = output
    withColor = (environment["NO_COLOR"] ?? "").isEmpty
    understands = environment["TERM"] != "dumb"
  }

  /// Whether both descriptors are terminals, and more than plain lines can be shown.
  public var isInteractive: Bool { understands && isatty(input) == 1 && isatty(output) == 1 }

  /// The current size.
  var size: ScreenSize {
    var (columns, rows): (Int32, Int32) = (0, 0)
    _ = terminal_size(output, &columns, &rows)
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// Takes the terminal over, and returns its events.
  func open() throws(TerminalError) -> AsyncStream<TerminalEvent> {
    guard isInteractive else { throw .notATerminal }
    let (reader, events) = try TerminalReader.make(input: input)
    let code = terminal_take(
      input, output, reader.wakeEnd, TerminalText.pointer(TerminalText.enter),
      TerminalText.pointer(TerminalText.leave))
    guard code == 0 else {
      reader.stop()
      throw code == EBUSY ? .isTaken : .refused(what: "raw mode", code: code)
    }
    self.reader = reader
    return events
  }

  /// Restores the terminal.
  func close() {
    guard let reader else { return }
    self.reader = nil
    // Pending writes come first, unless the terminal no longer accepts any.
    _ = writes.wait(timeout: .now() + 1)
    terminal_give_back()
    reader.stop()
  }

  /// Writes all bytes, as fast as the terminal accepts them. Write errors are ignored: the reader is gone.
  func write(_ bytes: [UInt8]) async {
    await withCheckedContinuation { done in
      writer.async(group: writes) { [output] in
        Self.write(bytes, to: output)
        done.resume()
      }
    }
  }

  private nonisolated static func write(_ bytes: [UInt8], to output: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty, terminal_is_shown() != 0 {
      let count = rest.withUnsafeBytes { writeBytes(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var place = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&place, 1, 1_000)
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// Texts that stay at their address while the program runs, because a signal may need them.
private enum TerminalText {
  /// Alternate screen, hidden cursor, no wrapping at the right edge, mouse wheel.
  static let enter: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[2J"
  static let leave: StaticString =
    "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// The reason that a terminal could not be used.
public enum TerminalError: Error, Hashable, Sendable {
  /// The input or output of the program is not a terminal, or one that only shows lines.
  case notATerminal
  /// Another list uses it.
  case isTaken
  /// The system refused, with an error number.
  case refused(what: String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// The problem and its solution.
  public var description: String {
    switch self {
    case .notATerminal:
      "can't show the list: standard input and output must be a terminal; run the program without"
        + " pipes, and not with TERM=dumb"
    case .isTaken: "another list uses the terminal: end that one first"
    case .refused(let what, let code):
      "can't set up the terminal: \(what): \(String(cString: strerror(code)))"
    }
  }
}

/// `write(2)`, which a method of ``Terminal`` hides.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
