internal import ItemMapping
internal import ServerAPI

/// A convention that an answer follows.
struct Finding {
  /// The paging, or several where the answer leaves open which parameter it goes to, likeliest first.
  var pagings: [Paging]
  /// What was seen, in one sentence.
  var reason: String
  /// Where the answer's own page is, as these pagings count.
  var place = PageKey.Place.start
  var grounds = RecognisedPaging.Grounds.said

  init(
    _ paging: Paging, _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognisedPaging.Grounds = .said
  ) {
    self.init([paging], reason, at: place, grounds)
  }

  init(
    _ pagings: [Paging], _ reason: String, at place: PageKey.Place = .start,
    _ grounds: RecognisedPaging.Grounds = .said
  ) {
    self.pagings = pagings
    self.reason = reason
    self.place = place
    self.grounds = grounds
  }
}

extension Paging {
  /// What the paging makes of an answer that was found at a place of its own counting.
  func facts(in answer: PageAnswer, at place: PageKey.Place) -> PageFacts {
    var answer = answer
    answer.key = PageKey(place, size: answer.key.size)
    return strategy.facts(in: answer)
  }

  /// Whether another paging asks for a page with the same parameters.
  func asks(like other: Paging, for key: PageKey) -> Bool {
    text(for: key) == other.text(for: key)
  }

  /// What asks for a page, as `page=2`.
  func text(for key: PageKey) -> String {
    var call = Call()
    do throws(PagingError) {
      try strategy.ask(for: key, in: &call)
    } catch {
      return "\(self)"
    }
    let params = call.params.items.map { "\($0.name)=\($0.value.texts.joined(separator: ","))" }
    let body = call.body.map { body in
      body.pieces.map { piece in
        if case .bytes(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { "" }
      }.joined()
    }
    return (params + [body].compactMap(\.self)).joined(separator: "&")
  }
}

extension PageTrial.Candidate {
  /// What is asked, as `page=2`.
  var text: String { paging.text(for: key) }
}
