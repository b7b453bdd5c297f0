import ItemMapping
import ServerAPI
import Testing

@testable import ListModel

/// What a convention is expected to be recognized as.
struct Convention: Sendable, CustomTestStringConvertible {
  var fixture: PagingFixture
  /// The printed declaration.
  var declaration: String
  /// Why.
  var reason: String
  /// What asks for the second and the third page: an address with its query, or a body.
  var asks: [String]

  var testDescription: String { fixture.folder }

  init(
    _ folder: String, _ call: Call, items: JSONPath = .root, _ declaration: String,
    because reason: String, asks: [String]
  ) {
    fixture = PagingFixture(folder, call, items: items)
    self.declaration = declaration
    self.reason = reason
    self.asks = asks
  }
}

extension Convention {
  static let all = links + cursors + numbers
}

struct ConventionTests {
  @Test(arguments: Convention.all)
  func `a public convention is recognized and followed to its end`(_ convention: Convention) throws
  {
    let fixture = convention.fixture
    let first = try fixture.answer(.first, to: fixture.call, key: PageKey(.start))
    let envelope = try #require(first.envelope)
    guard case .found(let items, _) = ListFinder.find(in: envelope) else {
      Issue.record("no list found")
      return
    }
    #expect(items == fixture.items)

    let recognition = Recognizer.recognize(first)
    let recognized = try #require(recognition.recognized, "\(recognition.facts)")
    #expect("\(recognized)" == convention.declaration)
    #expect(recognized.reason == convention.reason)
    #expect(recognition.facts.problems == [])

    var facts = recognition.facts
    for (page, ask) in zip([PagingFixture.Page.middle, .last], convention.asks) {
      guard case .page(let key) = facts.next else {
        Issue.record("ends before the \(page) page: \(facts.next)")
        return
      }
      var call = fixture.call
      try recognized.paging.strategy.ask(for: key, in: &call)
      #expect(Self.text(of: call) == ask)
      let answer = try fixture.answer(page, to: call, key: key)
      facts = recognized.paging.strategy.facts(in: answer)
      #expect(facts.problems == [])
    }
    #expect(facts.next == .end)
  }

  @Test(arguments: Convention.all)
  func `a list that begins on the last page ends there`(_ convention: Convention) throws {
    let fixture = convention.fixture
    var call = fixture.call
    if call.body == nil {
      call = Call(convention.asks[1])
    } else {
      call.body = .bytes(convention.asks[1].utf8, contentType: "application/json")
    }
    let answer = try fixture.answer(.last, to: call, key: PageKey(.start))
    let next = Recognizer.recognize(answer).facts.next
    switch (fixture.folder, next) {
    // No token may mean that there never was one, so that is tried.
    case ("aws", .page(let key)):
      guard case .trial = key.place else {
        Issue.record("\(next)")
        return
      }
    // The number of rows stands in a range, and behind the last row the server says 416.
    case ("postgrest", .page(let key)): #expect(key.place == .offset(8))
    default: #expect(next == .end)
    }
  }

  @Test func `a cursor of no known convention is tried and not guessed`() throws {
    let fixture = PagingFixture(
      "generic-cursor", Call("https://api.example.com/invoices"), items: "invoices")
    let answer = try fixture.answer(.first, to: fixture.call, key: PageKey(.start))
    let recognition = Recognizer.recognize(answer)
    guard case .page(let key) = recognition.facts.next, case .trial(let trial) = key.place else {
      Issue.record("\(recognition.facts.next)")
      return
    }
    #expect(recognition.recognized == nil)
    #expect(
      trial.candidates.map(\.text)
        == ["cursor=c0", "nextCursor=c0", "after=c0", "startCursor=c0", "pageToken=c0"])
    #expect(
      trial.reason
        == "the body has “pagination.nextCursor”, but not which parameter it goes to")
    let last = try fixture.answer(.last, to: fixture.call, key: PageKey(.start))
    #expect(Recognizer.recognize(last).facts.next == .end)
  }

  /// What a call asks, in words: its body, or its address and parameters.
  static func text(of call: Call) -> String {
    if let json = call.jsonBody { return JSONAny(json).text() }
    if let range = call.headers["Range"] { return range }
    return PagingFixture.url(of: call)
  }
}
