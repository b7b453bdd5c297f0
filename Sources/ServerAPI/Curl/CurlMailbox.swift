internal import Support

/// Hands pieces of a body and progress from the loop to the one task that waits for them, and says
/// when the loop should pause.
final class CurlMailbox: Sendable {
  /// What the waiting task is given.
  enum Mail: Sendable {
    case piece(ResponseBody)
    case progress(HTTPRequest.Progress)
    case finished(Result<HTTPResponse, RequestError>)
  }

  /// Collected bytes from which the transfer pauses until the receiver has caught up.
  static let highWatermark = 1 << 20

  private struct State {
    var pieces: [ResponseBody] = []
    var collected = 0
    var progress: HTTPRequest.Progress?
    var result: Result<HTTPResponse, RequestError>?
    var isPaused = false
    var waiter: UnsafeContinuation<Mail, Never>?

    /// What comes next. A cancelled exchange delivers nothing more.
    mutating func next() -> Mail? {
      if case .failure(let error) = result, case .cancelled = error.kind {
        return .finished(.failure(error))
      }
      if !pieces.isEmpty {
        let piece = pieces.removeFirst()
        collected -= piece.count
        return .piece(piece)
      }
      if let progress {
        self.progress = nil
        return .progress(progress)
      }
      return result.map { .finished($0) }
    }
  }

  /// Guards what is under way between the two sides; the waiter is resumed outside of it.
  private let state = Lock(State())

  /// Waits for the next thing. `resume` is called when a paused transfer may go on.
  func next(resume: () -> Void) async -> Mail {
    let (mail, wasPaused) = state.withLock { state -> (Mail?, Bool) in
      let mail = state.next()
      let goesOn = state.isPaused && state.collected < Self.highWatermark / 2
      if goesOn { state.isPaused = false }
      return (mail, goesOn)
    }
    if wasPaused { resume() }
    if let mail { return mail }
    defer { HandOver.ended(self) }
    return await withUnsafeContinuation { continuation in
      let mail = state.withLock { state -> Mail? in
        if let mail = state.next() { return mail }
        state.waiter = continuation
        return nil
      }
      if let mail { continuation.resume(returning: mail) }
    }
  }

  /// Whether the transfer has to pause before it hands in more.
  func isFull() -> Bool {
    state.withLock { state in
      state.isPaused = state.collected >= Self.highWatermark
      return state.isPaused
    }
  }

  func put(_ piece: ResponseBody) {
    deliver { state in
      state.collected += piece.count
      state.pieces.append(piece)
    }
  }

  func put(_ progress: HTTPRequest.Progress) { deliver { $0.progress = progress } }

  func finish(_ result: Result<HTTPResponse, RequestError>) { deliver { $0.result = result } }

  private func deliver(_ change: (inout State) -> Void) {
    let (waiter, mail) = state.withLock { state -> (UnsafeContinuation<Mail, Never>?, Mail?) in
      change(&state)
      guard let waiter = state.waiter, let mail = state.next() else { return (nil, nil) }
      state.waiter = nil
      return (waiter, mail)
    }
    if let waiter, let mail {
      HandOver.begins(self)
      waiter.resume(returning: mail)
    }
  }
}
