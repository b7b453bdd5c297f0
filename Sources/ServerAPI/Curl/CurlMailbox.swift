#if LIBCURL
  internal import Support

  /// Passes pieces of a body and progress from the loop to the waiting task, and signals the loop when
  /// to pause.
  final class CurlMailbox: Sendable {
    /// A message to the waiting task.
    enum Mail: Sendable {
      case piece(ResponseBody)
      case progress(HTTPRequest.Progress)
      case finished(Result<HTTPResponse, RequestError>)
    }

    /// The number of collected bytes at which the transfer pauses until the receiver has caught up.
    static let highWatermark = 1 << 20

    private struct State {
      var pieces: [ResponseBody] = []
      var collected = 0
      var progress: HTTPRequest.Progress?
      var result: Result<HTTPResponse, RequestError>?
      var isPaused = false
      var waiter: UnsafeContinuation<Mail, Never>?

      /// Returns the next message, if any. A cancelled exchange delivers no more pieces.
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

    /// Guards the pending messages; the waiter is resumed outside of the lock.
    private let state = Lock(State())

    /// Waits for the next message. `resume` is called when a paused transfer may continue.
    func next(resume: () -> Void) async -> Mail {
      let (mail, wasPaused) = state.withLock { state -> (Mail?, Bool) in
        let mail = state.next()
        let resumes = state.isPaused && state.collected < Self.highWatermark / 2
        if resumes { state.isPaused = false }
        return (mail, resumes)
      }
      if wasPaused { resume() }
      if let mail { return mail }
      defer { HandOver.didResume(self) }
      return await withUnsafeContinuation { continuation in
        let mail = state.withLock { state -> Mail? in
          if let mail = state.next() { return mail }
          state.waiter = continuation
          return nil
        }
        if let mail { continuation.resume(returning: mail) }
      }
    }

    /// Whether the transfer must pause before it delivers more.
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
        HandOver.willResume(self)
        waiter.resume(returning: mail)
      }
    }
  }
#endif
