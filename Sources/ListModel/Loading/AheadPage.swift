internal import ServerAPI

/// A page that is asked for before the list wants it, kept until it does.
@MainActor final class AheadPage<Item> {
  private var result: Result<LoadedPage<Item>, LoadError>?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var request: Task<Void, Never>?

  init(_ loader: PageLoader<Item>, _ wish: PageLoader<Item>.Wish) {
    request = Task { [weak self] in
      do throws(LoadError) {
        let page = try await loader.load(wish)
        self?.finish(.success(page))
      } catch {
        self?.finish(.failure(error))
      }
    }
  }

  deinit { request?.cancel() }

  /// The page, as soon as it is there. Cancelling the task that waits gives the request up.
  func page() async throws(LoadError) -> LoadedPage<Item> {
    await withTaskCancellationHandler {
      while result == nil { await withCheckedContinuation { waiters.append($0) } }
    } onCancel: {
      Task { @MainActor in request?.cancel() }
    }
    guard let result else { throw .request(RequestError(.cancelled(.byCaller))) }
    return try result.get()
  }

  private func finish(_ result: Result<LoadedPage<Item>, LoadError>) {
    self.result = result
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
