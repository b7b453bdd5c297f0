internal import CTerminal
internal import Dispatch
internal import Foundation

/// The terminal of the program, or another one: taken over while a list is in it, and given back however
/// that ends.
///
/// One list at a time. Signals that end the program, crashes among them, give it back too.
@MainActor public final class Terminal {
  private let input: Int32
  private let output: Int32
  /// Whether colours are wanted; see <https://no-color.org>.
  let withColor: Bool
  private let understands: Bool
  private var reader: TerminalReader?
  /// Writes, so that a terminal that takes nothing keeps nobody else waiting.
  private let writer = DispatchQueue(label: "quire.terminal.writer")
  private let writes = DispatchGroup()

  /// The terminal that is read and written by these descriptors, by default those of the program.
  ///
  /// - Parameter environment: Where `NO_COLOR` and `TERM` are looked for; by default that of the program.
  public init(input: Int32 = 0, output: Int32 = 1, environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    self.input = input
    self.output = output
    withColor = (environment["NO_COLOR"] ?? "").isEmpty
    understands = environment["TERM"] != "dumb"
  }

  /// Whether there is somebody to read and to type, and more than lines can be shown.
  public var isInteractive: Bool { understands && isatty(input) == 1 && isatty(output) == 1 }

  /// How large it is now.
  var size: ScreenSize {
    var (columns, rows): (Int32, Int32) = (0, 0)
    _ = terminal_size(output, &columns, &rows)
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// Takes the terminal over, and returns what happens in it.
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

  /// Gives it back.
  func close() {
    guard let reader else { return }
    self.reader = nil
    // What is being written comes before that, unless the terminal takes nothing any more.
    _ = writes.wait(timeout: .now() + 1)
    terminal_give_back()
    reader.stop()
  }

  /// Writes all of it, in the time the terminal takes. What can't be written is not: whoever could read
  /// it is gone.
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
      let count = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
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

/// Texts that stay where they are for as long as the program runs, since a signal may want them.
private enum TerminalText {
  /// Another screen, no cursor, no new line at the right edge, the wheel of the mouse.
  static let enter: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[2J"
  static let leave: StaticString =
    "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// Why a terminal could not be used.
public enum TerminalError: Error, Hashable, Sendable {
  /// What the program reads from or writes to is no terminal, or one that shows nothing but lines.
  case notATerminal
  /// Another list has it.
  case isTaken
  /// The system refused, with an error number.
  case refused(what: String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// What went wrong, and what to do.
  public var description: String {
    switch self {
    case .notATerminal:
      "input and output are to be a terminal; run it in one, without a pipe, where TERM is not dumb"
    case .isTaken: "another list is in the terminal; let it end first"
    case .refused(let what, let code): "\(what) was refused with error \(code)"
    }
  }
}
