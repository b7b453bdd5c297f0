internal import ServerAPI

/// Draws what has changed: at most sixty times a second, and nothing at all while nothing changes.
@MainActor final class FramePainter {
  private static let pause = Duration.milliseconds(1_000) / 60
  /// How long what turns stays as it is.
  private static let turning = Duration.milliseconds(100)

  private let time: TimeSource
  private let withColor: Bool
  private let screen: (Int) -> (screen: Screen, isBusy: Bool)?
  private let write: ([UInt8]) -> Void
  private var shown: Screen?
  private var lastFrame: Duration?
  private var next: Task<Void, Never>?
  private var turn: Task<Void, Never>?
  private var turns = 0

  /// - Parameters:
  ///   - screen: What is to be seen after so many turns, and whether anything turns.
  ///   - write: Sends bytes to the terminal.
  init(
    time: TimeSource, withColor: Bool, screen: @escaping (Int) -> (screen: Screen, isBusy: Bool)?,
    write: @escaping ([UInt8]) -> Void
  ) {
    self.time = time
    self.withColor = withColor
    self.screen = screen
    self.write = write
  }

  /// Something has changed.
  func request() {
    guard next == nil else { return }
    let wait = lastFrame.map { $0 + Self.pause - time.now() } ?? .zero
    next = Task { [weak self, time] in
      if wait > .zero { try? await time.sleep(wait) }
      guard !Task.isCancelled else { return }
      self?.paint()
    }
  }

  /// The terminal shows something else now, so that all is to be drawn again.
  func forget() {
    shown = nil
    request()
  }

  func stop() {
    next?.cancel()
    turn?.cancel()
  }

  private func paint() {
    next = nil
    guard let (screen, isBusy) = screen(turns) else { return }
    lastFrame = time.now()
    if screen != shown { write(screen.bytes(after: shown, withColor: withColor)) }
    shown = screen
    guard isBusy, turn == nil else { return }
    turn = Task { [weak self, time] in
      try? await time.sleep(Self.turning)
      guard !Task.isCancelled, let self else { return }
      turn = nil
      turns += 1
      request()
    }
  }
}
