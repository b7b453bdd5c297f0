internal import ItemMapping
internal import ServerAPI

/// What the first page says for the pages after it, beside the paging.
struct PagingHints: Hashable, Sendable {
  /// The first response, whose other ways are tried if the second page refutes the recognized one.
  var first: FirstResponse?
  /// A flag that says whether there is more, beside links that may lead on after the last page.
  var flag: EndRule?
}

/// What to declare where nothing was recognized.
enum Declarations {
  static func unknown(moreIsCertain: Bool) -> String {
    "how pages are requested, such as paging: .pageNumber(), .offset(limit: 20) or .cursor(at: …)"
      + (moreIsCertain ? "" : ", or paging: .single if this is the whole list")
  }
}

/// A convention that a response follows.
struct Finding {
  /// The paging, or several where the response doesn't say which parameter to use, the likeliest first.
  var pagings: [Paging]
  /// What the response has, in one sentence.
  var reason: String
  /// The place of the response's own page, as these pagings count.
  var place = PageKey.Place.start
  var grounds = RecognizedPaging.Grounds.stated
  /// How many of the pagings are so likely that an empty response to them is the end of the list.
  var certain = 0
  /// Whether a member without a next page is enough for the end: it has a well-known name, or none.
  var isEnough = true
  /// Whether a member says that there is a next page.
  var namesNext = false
  /// Whether it is a standard, and rests on no guess about a name.
  var isStandard = false

  init(
    _ paging: Paging, _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .stated
  ) {
    self.init([paging], reason, at: place, grounds)
  }

  init(
    _ pagings: [Paging], _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognizedPaging.Grounds = .stated
  ) {
    self.pagings = pagings
    self.reason = reason
    self.place = place
    self.grounds = grounds
  }
}

extension Paging {
  /// Returns what the paging reads from a response at a place in its own counting.
  func facts(in page: PageResponse, at place: PageKey.Place) -> PageFacts {
    var page = page
    page.key = PageKey(place, size: page.key.size)
    return strategy.facts(in: page)
  }

  /// Whether another paging requests a page with the same parameters.
  func asks(like other: Paging, for key: PageKey) -> Bool {
    text(for: key) == other.text(for: key)
  }

  /// Returns the parameters that request a page, such as `page=2`.
  func text(for key: PageKey) -> String {
    var call = Call()
    do throws(PagingError) {
      try strategy.apply(key, to: &call)
    } catch {
      return "\(self)"
    }
    let params = call.params.items.map { "\($0.name)=\($0.value.texts.joined(separator: ","))" }
    let body = call.body.map { _ in String(decoding: call.bodyBytes ?? [], as: UTF8.self) }
    return (params + [body].compactMap(\.self)).joined(separator: "&")
  }
}

extension PageKey.Trial.Candidate {
  /// The parameters to request, such as `page=2`.
  var text: String { paging.text(for: key) }
}
