package import ItemMapping
package import ServerAPI

/// Requests the pages of one list or walk, some of them ahead of time.
package struct PageSource<Item> {
  package var loader: PageLoader<Item>
  /// How pages are requested, as declared.
  let paging: Paging
  /// The number of pages that may be in flight at once.
  package var parallel = 1 {
    didSet { if parallel == 1 { dropAhead() } }
  }
  private var ahead: [PageKey: AheadRequest<Item>] = [:]

  package init(_ loader: PageLoader<Item>, _ paging: Paging) {
    self.loader = loader
    self.paging = paging
  }

  /// Returns the request for a page.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - call: The call for every page.
  ///   - traits: What earlier pages showed about the server.
  ///   - isFirst: Whether the page decides which origin is the home of the list.
  package func request(
    _ key: PageKey, of call: Call, _ traits: ServerTraits, isFirst: Bool
  ) -> PageLoader<Item>.Request {
    var request = PageLoader<Item>.Request(
      key: key, call: call, paging: traits.paging(for: key, declared: paging),
      itemsPath: traits.itemsPath)
    request.home = isFirst ? nil : traits.home
    // All facts of the first page are read, also where a list reads it again for rows that have moved.
    let isRead = isFirst || key == paging.strategy.first
    request.signs = isRead ? [] : traits.signs ?? []
    request.shape = isRead ? nil : traits.shape
    request.moreSigns = traits.moreSigns
    if paging == .automatic, !isFirst, key.place != .start {
      request.isRecognized = true
      request.hints = traits.hints
    }
    return request
  }

  /// Returns the pages after one in flight that are worth requesting now: their places can be
  /// worked out, and the total of rows or pages says that they exist.
  ///
  /// - Parameter overlap: Returns the overlap that is requested in place of a page, if any.
  package func keysAhead(
    of key: PageKey, total: Int?, pageCount: Int? = nil, _ traits: ServerTraits,
    overlap: (PageKey) -> PageOverlap? = { _ in nil }
  ) -> [PageKey] {
    guard parallel > 1 else { return [] }
    if case .url(let url) = key.place, let counter = traits.links?.counter {
      return keysAhead(of: url, counter, overlap: overlap)
    }
    let strategy = traits.paging(for: key, declared: paging).strategy
    let left =
      total.flatMap { strategy.pages(after: key, of: $0) }
      ?? pageCount.flatMap { strategy.pages(after: key, ofPages: $0) } ?? 0
    guard left > 0 else { return [] }
    var keys: [PageKey] = []
    var key = key
    for _ in 1...min(left, parallel - 1) {
      guard let next = strategy.key(1, after: key) else { break }
      let overlap = overlap(next)
      if overlap?.isAlone == true { break }
      key = overlap?.key ?? next
      if !hasAhead(key) { keys.append(key) }
    }
    return keys
  }

  private func keysAhead(
    of url: WebURL, _ counter: CountedLinks.Counter, overlap: (PageKey) -> PageOverlap?
  ) -> [PageKey] {
    var (url, keys) = (url, [PageKey]())
    for _ in 1..<parallel {
      guard let next = counter.address(after: url) else { break }
      let overlap = overlap(PageKey(.url(next)))
      if overlap?.isAlone == true { break }
      let key = overlap?.key ?? PageKey(.url(next))
      if !hasAhead(key) { keys.append(key) }
      // The link in an overlap of another size leads to a page of that size.
      if overlap?.ownSize != nil, case .url(let own) = key.place { url = own } else { url = next }
    }
    return keys
  }

  /// Requests a page ahead of time: at once, which takes the caller some microseconds, or soon.
  package mutating func loadAhead(_ request: PageLoader<Item>.Request, atOnce: Bool) {
    ahead[request.key] = AheadRequest(loader, request, atOnce: atOnce)
  }

  /// Whether a page was requested ahead.
  func hasAhead(_ key: PageKey) -> Bool { ahead[key] != nil }

  /// Removes and returns a page that was requested ahead.
  package mutating func takeAhead(_ key: PageKey) -> AheadRequest<Item>? { ahead.removeValue(forKey: key) }

  /// Removes and returns all pages that were requested ahead.
  mutating func takeAllAhead() -> [AheadRequest<Item>] {
    defer { ahead = [:] }
    return Array(ahead.values)
  }

  /// Cancels the pages that were requested ahead.
  package mutating func dropAhead() { ahead = [:] }

  /// Cancels the pages that were requested ahead, unless this is one of them.
  package mutating func dropAhead(unlessAt key: PageKey) {
    if !hasAhead(key) { dropAhead() }
  }
}

/// What the first pages of a list showed about its server. A new list starts without it.
package struct ServerTraits: Hashable, Sendable {
  /// The path of the rows in a response.
  package var itemsPath: JSONPath?
  /// The origin of the first page.
  var home: WebURL.Origin?
  /// The recognized paging, where none was declared.
  package var recognized: RecognizedPaging?
  /// The facts that all pages had; `nil` before the first one.
  var signs: PageSigns?
  /// The names and kinds of the facts of the first page.
  var shape: Int?
  /// Where it says whether there is more, besides what the paging reads.
  var moreSigns: [MoreSign] = []
  /// How the links count, if they do.
  var links: CountedLinks?
  /// What the first page says for the pages after it; the second page confirms or refutes the paging.
  var hints = PagingHints()

  package init(itemsPath: JSONPath? = nil, home: WebURL.Origin? = nil) {
    (self.itemsPath, self.home) = (itemsPath, home)
  }

  package mutating func learn<Item>(from page: LoadedPage<Item>) {
    itemsPath = page.itemsPath ?? itemsPath
    home = page.home ?? home
    recognized = page.recognized ?? recognized
    takeHints(of: page)
    links = CountedLinks(page) ?? links
    if page.hasResponse {
      signs = signs.map { $0.intersection(page.signs) } ?? page.signs
      if shape == nil { (shape, moreSigns) = (page.shape, page.moreSigns) }
    }
  }

  /// Keeps what the first page says for others. A page after it has confirmed the paging, or else another one would have
  /// been tried.
  mutating func takeHints<Item>(of page: LoadedPage<Item>) {
    if let new = page.hints { hints = new } else { hints.first = nil }
  }

  /// Returns the paging that requests a page: the declared one, or after the first page the recognized one.
  package func paging(for key: PageKey, declared: Paging) -> Paging {
    switch key.place {
    case .start, .trial: declared
    default: recognized?.paging ?? declared
    }
  }
}

/// The request of a page ahead of time. The page is returned once.
package final class AheadRequest<Item>: Sendable {
  /// Sendable because only one task reads it: the one that the page is returned to, after the request.
  private struct Arrived: @unchecked Sendable {
    let result: Result<LoadedPage<Item>, LoadError>
  }

  private let request: Task<Arrived, Never>
  /// What is known of its response.
  package let reading: ResponseReading

  init(_ loader: PageLoader<Item>, _ request: PageLoader<Item>.Request, atOnce: Bool) {
    reading = request.reading
    let load = { @Sendable () async -> Arrived in
      do throws(LoadError) {
        return Arrived(result: .success(try await loader.load(request)))
      } catch {
        return Arrived(result: .failure(error))
      }
    }
    // Another thread would have to be woken up to send it.
    #if !OLD_SYSTEM
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), atOnce {
        self.request = .immediate(operation: load)
        return
      }
    #endif
    self.request = Task(operation: load)
  }

  deinit { request.cancel() }

  /// Cancels the request, and waits until it has ended.
  func stop() async {
    request.cancel()
    _ = await request.value
  }

  /// Returns the page once it is loaded. Cancelling the waiting task cancels the request.
  package func page() async throws(LoadError) -> LoadedPage<Item> {
    let arrived = await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }
    return try arrived.result.get()
  }
}
