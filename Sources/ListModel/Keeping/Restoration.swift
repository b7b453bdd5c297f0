internal import ItemMapping
internal import ListReading
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The pages that a restore shows: those around the row that was visible, or later all others around those.
struct Restoration<Item> {
  /// Pages before those that are already shown, in order.
  var before: [LoadedPage<Item>] = []
  /// Pages after them; all pages where none are shown.
  var after: [LoadedPage<Item>] = []
  /// The links beyond all of them.
  var facts: PageFacts
  /// What all pages that were read say about the number of rows.
  var account = RowAccount()
  /// By how much the total number of rows has grown since the last page came; `nil` if that is not known.
  var growth: Int?
  /// Whether no more pages follow.
  var isLast = true
  /// The order in which the pages were received, for all pages in the list by then.
  var arrivals: [PageArrival] = []
  /// The row that was visible: the index of its page among these, and of the row in it.
  var anchor: (page: Int, row: Int)?
}

/// The kept pages that were read, with everything needed to read the others.
struct KeptRun: Sendable {
  var archive: ListArchive
  var manifest: ListManifest
  /// The call before a page key is applied.
  var call: Call
  var paging: Paging
  /// What the pages read so far show about the server.
  var traits = ServerTraits()
  /// The places that were read.
  var places: ClosedRange<Int>
  /// The order in which the pages that were read were received, by place.
  var arrivals: [Int: PageArrival] = [:]
  /// The facts of the first and the last page that were read.
  var ends: (first: PageFacts?, last: PageFacts?)
  /// When the first of the pages that were read was received, in seconds since 1970.
  var storedAt = Double.infinity
  /// The keys and facts of the pages that were read, by place.
  var pages: [Int: (key: PageKey, facts: PageFacts)] = [:]

  /// Whether every page was read.
  var isWhole: Bool { places == manifest.places }
}

extension PageLoader {
  /// Opens the archive of a list.
  @concurrent
  func openArchive(
    _ keeping: ListKeeping, _ call: Call, _ paging: Paging
  ) async -> OpenedArchive? {
    // The program may have added credentials to the call.
    keeping.reportRefusal(of: call, on: server)
    return ListArchive(keeping, for: call, paging: paging, loader: self).map {
      OpenedArchive(archive: $0, manifest: $0.manifest())
    }
  }

  /// Reads the kept pages around the row that was visible: all of a short list, and enough of a long one
  /// to fill a screen at once. Returns `nil` where nothing usable is kept, and removes it.
  @concurrent
  func openKept(
    _ keeping: ListKeeping, _ call: Call, _ paging: Paging
  ) async -> sending (Restoration<Item>, KeptRun)? {
    guard let archive = ListArchive(keeping, for: call, paging: paging, loader: self) else { return nil }
    guard let manifest = archive.manifest() else {
      archive.removeManifest()
      return nil
    }
    guard manifest.signature == archive.signature,
      let kept = firstPages(of: manifest, archive, call, paging)
    else {
      archive.remove(manifest)
      return nil
    }
    return kept
  }

  /// Reads the kept pages around those of a run, on each side up to the first page that can't be read.
  @concurrent
  func readRest(around run: KeptRun) async -> sending (Restoration<Item>, KeptRun) {
    var reading = KeptReading(loader: self, run: run)
    var (before, after): ([LoadedPage<Item>], [LoadedPage<Item>]) = ([], [])
    var place = run.places.lowerBound - 1
    while place >= run.manifest.places.lowerBound, !Task.isCancelled,
      let page = reading.page(place)
    {
      before.append(page)
      place -= 1
    }
    place = run.places.upperBound + 1
    while place <= run.manifest.places.upperBound, !Task.isCancelled,
      let page = reading.page(place)
    {
      after.append(page)
      place += 1
    }
    before.reverse()
    reading.run.places = run.places.lowerBound - before.count...run.places.upperBound + after.count
    return (reading.run.restoration(before, after), reading.run)
  }

  private func firstPages(
    of manifest: ListManifest, _ archive: ListArchive, _ call: Call, _ paging: Paging
  ) -> sending (Restoration<Item>, KeptRun)? {
    let places = manifest.places
    var reading = KeptReading(
      loader: self,
      run: KeptRun(
        archive: archive, manifest: manifest, call: call, paging: paging, places: places))
    // The page of the unchanged call shows how to read the others.
    if paging == .automatic, !places.contains(0) || !reading.recognize() {
      return nil
    }
    var start = manifest.anchor?.place ?? min(max(0, places.lowerBound), places.upperBound)
    var first = reading.page(start)
    if first == nil {
      start = places.lowerBound
      while first == nil, start <= places.upperBound {
        first = reading.page(start)
        if first == nil { start += 1 }
      }
    }
    guard let first else { return nil }
    var (before, after) = ([LoadedPage<Item>](), [first])
    var rows = first.rows.items.count
    var (low, high) = (start - 1, start + 1)
    var (mayGoBack, mayGoOn) = (true, true)
    while rows < Self.rowsAtOnce, mayGoBack || mayGoOn {
      mayGoOn = mayGoOn && high <= places.upperBound
      if mayGoOn, let page = reading.page(high) {
        rows += page.rows.items.count
        after.append(page)
        high += 1
      } else {
        mayGoOn = false
      }
      mayGoBack = mayGoBack && low >= places.lowerBound
      if mayGoBack, let page = reading.page(low) {
        rows += page.rows.items.count
        before.append(page)
        low -= 1
      } else {
        mayGoBack = false
      }
    }
    before.reverse()
    reading.run.places = low + 1...high - 1
    var restoration = reading.run.restoration([], before + after)
    restoration.isLast = reading.run.isWhole
    restoration.anchor = manifest.anchor.flatMap { anchor in
      reading.run.places.contains(anchor.place)
        ? (page: anchor.place - reading.run.places.lowerBound, row: anchor.row) : nil
    }
    return (restoration, reading.run)
  }

  /// The number of rows that are mapped in a millisecond or two.
  private static var rowsAtOnce: Int { 250 }
}

extension KeptRun {
  /// Returns the pages that were read, for the list to show.
  fileprivate mutating func restoration<Item>(
    _ before: [LoadedPage<Item>], _ after: [LoadedPage<Item>]
  ) -> Restoration<Item> {
    if let first = before.first ?? (ends.first == nil ? after.first : nil) {
      ends.first = first.page.facts
    }
    ends.last = after.last?.page.facts ?? ends.last
    var restoration = Restoration(before: before, after: after, facts: facts)
    restoration.account = account
    restoration.growth = growth
    restoration.arrivals = places.compactMap { arrivals[$0] }
    return restoration
  }

  /// What the pages that were read say about the number of rows. A page that shows a fall and was loaded before
  /// was loaded again because of it, so nothing is lost there.
  private var account: RowAccount {
    var account = RowAccount()
    var seen: Set<PageKey> = []
    for place in places {
      guard let (key, facts) = pages[place] else { continue }
      // It came after those below it.
      if arrivals[place]?.splice != nil { continue }
      let isNew = seen.insert(key).inserted
      if isNew, let fall = account.fall(at: facts, key) { account.lose(fall) }
      account.add(facts, at: key, isNew: true)
    }
    for place in places.reversed() where arrivals[place]?.splice != nil {
      if let facts = pages[place]?.facts { account.rejoinStart(facts) }
    }
    return account
  }

  /// By how much the total number of rows has grown from the last page to the newest one at the start.
  private var growth: Int? {
    guard let newest = places.first(where: { arrivals[$0]?.splice != nil }),
      let last = pages[places.upperBound]?.facts, let first = pages[newest]?.facts
    else { return nil }
    var account = RowAccount()
    account.addTotals(of: last)
    return account.growth(to: first)
  }

  /// The links beyond the pages that were read. Where pages before them are lost, the first row is not the
  /// start of the list, whatever the response of its page says about previous pages.
  private var facts: PageFacts {
    var facts = ends.last ?? PageFacts(next: .end)
    facts.previous = ends.first?.previous ?? .end
    if places.lowerBound > manifest.places.lowerBound, facts.previous == .end {
      facts.previous = .stopped(.notKept)
    }
    return facts
  }
}

/// Reads kept pages one after the other.
struct KeptReading<Item> {
  let loader: PageLoader<Item>
  var run: KeptRun
  /// The page that showed how to read the others.
  private var start: LoadedPage<Item>?

  init(loader: PageLoader<Item>, run: KeptRun) {
    self.loader = loader
    self.run = run
  }

  /// Recognizes the paging of the server. Returns whether the first page could be read.
  mutating func recognize() -> Bool {
    start = page(0)
    return start != nil
  }

  /// Reads a page; `nil` where it is missing or can't be read.
  mutating func page(_ place: Int) -> LoadedPage<Item>? {
    if place == 0, let start {
      self.start = nil
      return start
    }
    guard let kept = run.archive.page(place, of: run.manifest) else { return nil }
    let (key, stored) = (kept.key, kept.stored)
    let request = PageSource(loader, run.paging)
      .request(key, of: run.call, run.traits, isFirst: false)
    // Without the page that shows how the server pages, this page can't be read.
    if request.paging == .automatic, key.place != .start { return nil }
    var response = HTTPResponse(
      status: stored.status, headers: stored.headers, body: stored.body, url: stored.url)
    response.source = .cache(asOf: Date(timeIntervalSince1970: stored.receivedAt), isFresh: false)
    do throws(LoadError) {
      var page = try loader.page(of: response, to: loader.call(for: request), request)
      page.stored = nil
      run.arrivals[place] = kept.arrival
      run.pages[place] = (key, page.page.facts)
      run.storedAt = min(run.storedAt, stored.receivedAt)
      run.traits.learn(from: page)
      return page
    } catch {
      return nil
    }
  }
}
