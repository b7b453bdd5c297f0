internal import ItemMapping
internal import ServerAPI

/// Requests the pages of one list or walk, some of them before they are wanted.
struct PageSource<Item> {
  var loader: PageLoader<Item>
  /// How pages are asked for, as it was declared.
  let paging: Paging
  /// How many pages may be under way at once.
  var parallel = 1 {
    didSet { if parallel == 1 { dropAhead() } }
  }
  private var ahead: [PageKey: AheadRequest<Item>] = [:]

  init(_ loader: PageLoader<Item>, _ paging: Paging) {
    self.loader = loader
    self.paging = paging
  }

  /// Returns what a page is requested with.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - call: What every page is asked with.
  ///   - traits: What earlier pages showed of the server.
  ///   - isFirst: Whether the page decides which origin is the home of the list.
  func request(
    _ key: PageKey, of call: Call, _ traits: ServerTraits, isFirst: Bool
  ) -> PageLoader<Item>.Request {
    var request = PageLoader<Item>.Request(
      key: key, call: call, paging: traits.paging(for: key, declared: paging),
      itemsPath: traits.itemsPath)
    request.home = isFirst ? nil : traits.home
    return request
  }

  /// Returns the pages behind one that is under way which are worth requesting now: their places can be
  /// worked out, and the total says that they are there.
  func keysAhead(of key: PageKey, total: Int?, _ traits: ServerTraits) -> [PageKey] {
    guard parallel > 1, let total else { return [] }
    let strategy = traits.paging(for: key, declared: paging).strategy
    guard let left = strategy.pages(behind: key, of: total), left > 0 else { return [] }
    var keys: [PageKey] = []
    for step in 1...min(left, parallel - 1) {
      guard let key = strategy.key(step, after: key) else { break }
      if ahead[key] == nil { keys.append(key) }
    }
    return keys
  }

  /// Requests a page before it is wanted.
  mutating func loadAhead(_ request: PageLoader<Item>.Request) {
    ahead[request.key] = AheadRequest(loader, request)
  }

  /// Hands out a page that was requested ahead.
  mutating func takeAhead(_ key: PageKey) -> AheadRequest<Item>? { ahead.removeValue(forKey: key) }

  /// Abandons the pages that were requested ahead.
  mutating func dropAhead() { ahead = [:] }

  /// Abandons them where the list does not lead there.
  mutating func dropAhead(unlessAt link: PageFacts.Link) {
    if case .page(let key) = link, ahead[key] != nil { return }
    dropAhead()
  }
}

/// What the first pages of a list showed of its server. A new list forgets it.
struct ServerTraits: Hashable, Sendable {
  /// Where in a response the rows are.
  var itemsPath: JSONPath?
  /// Where the first page came from.
  var home: WebURL.Origin?
  /// How the server pages, where that was not declared.
  var recognized: RecognizedPaging?

  mutating func learn<Item>(from page: LoadedPage<Item>) {
    itemsPath = page.itemsPath ?? itemsPath
    home = page.home ?? home
    recognized = page.recognized ?? recognized
  }

  /// Returns what a page is asked by: what was declared, or behind the first page what was recognized.
  func paging(for key: PageKey, declared: Paging) -> Paging {
    switch key.place {
    case .start, .trial: declared
    default: recognized?.paging ?? declared
    }
  }
}

/// The request of a page before it is wanted. The page is handed out once.
final class AheadRequest<Item>: Sendable {
  /// Sendable because one task alone reads it: the one that the page was handed out to, after the request.
  private struct Arrived: @unchecked Sendable {
    let result: Result<LoadedPage<Item>, LoadError>
  }

  private let request: Task<Arrived, Never>

  init(_ loader: PageLoader<Item>, _ request: PageLoader<Item>.Request) {
    self.request = Task {
      do throws(LoadError) {
        return Arrived(result: .success(try await loader.load(request)))
      } catch {
        return Arrived(result: .failure(error))
      }
    }
  }

  deinit { request.cancel() }

  /// Returns the page when it has come. Cancelling the task that waits abandons the request.
  func page() async throws(LoadError) -> LoadedPage<Item> {
    let arrived = await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }
    return try arrived.result.get()
  }
}
