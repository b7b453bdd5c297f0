internal import ServerAPI

/// Draws what has changed: at most sixty times a second, no faster than the terminal takes it, and nothing
/// at all while nothing changes.
@MainActor final class FramePainter {
  private static let pause = Duration.milliseconds(1_000) / 60
  /// How long what turns stays as it is.
  private static let turning = Duration.milliseconds(100)

  private let time: TimeSource
  private let withColor: Bool
  private let screen: (Int) -> (screen: Screen, isBusy: Bool)?
  private let write: ([UInt8]) async -> Void
  private var shown: Screen?
  private var lastFrame: Duration?
  private var isDue = false
  private var painting: Task<Void, Never>?
  private var turn: Task<Void, Never>?
  private var turns = 0

  /// - Parameters:
  ///   - screen: What is to be seen after so many turns, and whether anything turns.
  ///   - write: Sends bytes to the terminal, and returns when it has taken them.
  init(
    time: TimeSource, withColor: Bool, screen: @escaping (Int) -> (screen: Screen, isBusy: Bool)?,
    write: @escaping ([UInt8]) async -> Void
  ) {
    self.time = time
    self.withColor = withColor
    self.screen = screen
    self.write = write
  }

  /// Something has changed.
  func request() {
    isDue = true
    guard painting == nil else { return }
    painting = Task { [weak self] in await self?.paintWhatIsDue() }
  }

  /// The terminal shows something else now, so that all is to be drawn again.
  func forget() {
    shown = nil
    request()
  }

  func stop() {
    painting?.cancel()
    turn?.cancel()
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
    if isBusy { turnSoon() }
    if !bytes.isEmpty { await write(bytes) }
  }

  private func turnSoon() {
    guard turn == nil else { return }
    turn = Task { [weak self, time] in
      try? await time.sleep(Self.turning)
      guard !Task.isCancelled, let self else { return }
      turn = nil
      turns += 1
      request()
    }
  }
}
