internal import ServerAPI

/// Draws changes: at most sixty times a second, no faster than the terminal accepts them, and nothing at all
/// while nothing changes.
@MainActor final class FramePainter {
  private static let pause = Duration.milliseconds(1_000) / 60
  /// The duration of one spinner frame.
  private static let spinnerInterval = Duration.milliseconds(100)

  private let time: TimeSource
  private let withColor: Bool
  private let screen: (Int) -> (screen: Screen, isBusy: Bool)?
  private let write: ([UInt8]) async -> Void
  private var shown: Screen?
  private var lastFrame: Duration?
  private var isDue = false
  private var painting: Task<Void, Never>?
  private var spinning: Task<Void, Never>?
  private var turns = 0

  /// - Parameters:
  ///   - screen: Returns the screen for a spinner frame, and whether a spinner is visible.
  ///   - write: Sends bytes to the terminal, and returns when it has accepted them.
  init(
    time: TimeSource, withColor: Bool, screen: @escaping (Int) -> (screen: Screen, isBusy: Bool)?,
    write: @escaping ([UInt8]) async -> Void
  ) {
    self.time = time
    self.withColor = withColor
    self.screen = screen
    self.write = write
  }

  /// Requests a frame.
  func request() {
    isDue = true
    guard painting == nil else { return }
    painting = Task { [weak self] in await self?.paintWhatIsDue() }
  }

  /// Draws everything again, because the terminal shows something else.
  func forget() {
    shown = nil
    request()
  }

  func stop() {
    painting?.cancel()
    spinning?.cancel()
  }

  private func paintWhatIsDue() async {
    while isDue {
      let wait = lastFrame.map { $0 + Self.pause - time.now() } ?? .zero
      if wait > .zero { try? await time.sleep(wait) }
      guard !Task.isCancelled else { return }
      isDue = false
      await paint()
    }
    painting = nil
  }

  private func paint() async {
    guard let (screen, isBusy) = screen(turns) else { return }
    lastFrame = time.now()
    let bytes = screen == shown ? [] : screen.bytes(after: shown, withColor: withColor)
    shown = screen
    if isBusy { spinSoon() }
    if !bytes.isEmpty { await write(bytes) }
  }

  private func spinSoon() {
    guard spinning == nil else { return }
    spinning = Task { [weak self, time] in
      try? await time.sleep(Self.spinnerInterval)
      guard !Task.isCancelled, let self else { return }
      spinning = nil
      turns += 1
      request()
    }
  }
}
