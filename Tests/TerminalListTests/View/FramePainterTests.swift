import QuireTesting
import Testing

@testable import TerminalList

/// When frames are drawn.
@MainActor struct FramePainterTests {
  /// The visible screen, and the sent frames.
  @MainActor private final class Canvas {
    let clock = ManualClock()
    var text = ""
    var isBusy = false
    var frames: [[UInt8]] = []
    /// Waits before the terminal accepts a frame.
    var taking: Task<Void, Never>?

    func painter() -> FramePainter {
      FramePainter(time: clock.timeSource, withColor: true) { [self] turn in
        var screen = Screen(ScreenSize(columns: 20, rows: 1))
        screen.put(isBusy ? "\(text) \(turn)" : text, row: 0)
        return (screen, isBusy)
      } write: { [self] in
        frames.append($0)
        await taking?.value
      }
    }

    /// Lets tasks of the main actor run until the given number of frames were sent.
    func frames(_ count: Int) async {
      while frames.count < count { await Task.yield() }
    }
  }

  @Test func `simultaneous changes are one frame, and the next one waits`() async {
    let canvas = Canvas()
    let painter = canvas.painter()
    for text in ["a", "b", "c"] {
      canvas.text = text
      painter.request()
    }
    await canvas.frames(1)
    canvas.text = "d"
    painter.request()
    await canvas.clock.sleepers(atLeast: 1)
    canvas.text = "e"
    painter.request()
    #expect(canvas.frames.count == 1 && canvas.clock.sleepers == 1)
    #expect(canvas.clock.advanceToNextSleeper() == .milliseconds(1_000) / 60)
    await canvas.frames(2)
    #expect(String(decoding: canvas.frames[1], as: UTF8.self).hasSuffix("e"))
    painter.stop()
  }

  @Test func `equal frames are not sent, and nothing runs while idle`() async {
    let canvas = Canvas()
    canvas.text = "a"
    let painter = canvas.painter()
    painter.request()
    await canvas.frames(1)
    #expect(canvas.clock.sleepers == 0)
    painter.request()
    await canvas.clock.sleepers(atLeast: 1)
    canvas.clock.advance(by: .seconds(1))
    painter.forget()
    await canvas.frames(2)
    // The frame in between sent nothing; after `forget()` the whole screen is sent.
    #expect(canvas.frames[1] == canvas.frames[0])
    painter.stop()
  }

  @Test func `a spinner turns while work is running`() async {
    let canvas = Canvas()
    canvas.isBusy = true
    let painter = canvas.painter()
    painter.request()
    for frame in 1...3 {
      await canvas.frames(frame)
      await canvas.clock.sleepers(atLeast: 1)
      canvas.clock.advance(by: .milliseconds(100))
    }
    await canvas.frames(4)
    canvas.isBusy = false
    painter.stop()
    #expect(canvas.frames.count == 4)
  }

  @Test func `a slow terminal gets only the latest pending frame`() async {
    let canvas = Canvas()
    let painter = canvas.painter()
    let (taken, isTaken) = AsyncStream.makeStream(of: Void.self)
    canvas.taking = Task { for await _ in taken {} }
    canvas.text = "a"
    painter.request()
    await canvas.frames(1)
    for text in ["b", "c", "d"] {
      canvas.clock.advance(by: .seconds(1))
      canvas.text = text
      painter.request()
      for _ in 0..<10 { await Task.yield() }
    }
    #expect(canvas.frames.count == 1 && canvas.clock.sleepers == 0)
    isTaken.finish()
    await canvas.frames(2)
    #expect(String(decoding: canvas.frames[1], as: UTF8.self).hasSuffix("d"))
    painter.stop()
  }
}
