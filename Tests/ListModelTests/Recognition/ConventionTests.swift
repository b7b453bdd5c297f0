import ItemMapping
import ServerAPI
import Testing

@testable import ListModel

/// A convention with its expected recognition.
struct Convention: Sendable, CustomTestStringConvertible {
  var fixture: PagingFixture
  /// The printed declaration.
  var declaration: String
  /// The expected reason.
  var reason: String
  /// The requests for the second and the third page: an address with its query, or a body.
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
    let first = try fixture.response(.first, to: fixture.call, key: PageKey(.start))
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
      try recognized.paging.strategy.apply(key, to: &call)
      #expect(Self.text(of: call) == ask)
      let pageResponse = try fixture.response(page, to: call, key: key)
      facts = recognized.paging.strategy.facts(in: pageResponse)
      #expect(facts.problems == [])
    }
    #expect(facts.next == .end)
  }

  @Test(arguments: Convention.all)
  func `a list that starts on the last page ends there`(_ convention: Convention) throws {
    let fixture = convention.fixture
    var call = fixture.call
    if call.body == nil {
      call = Call(convention.asks[1])
    } else {
      call.body = .bytes(convention.asks[1].utf8, contentType: "application/json")
    }
    let pageResponse = try fixture.response(.last, to: call, key: PageKey(.start))
    let next = Recognizer.recognize(pageResponse).facts.next
    switch (fixture.folder, next) {
    // Without a token there may never have been one, so a trial follows.
    case ("aws", .page(let key)):
      guard case .trial = key.place else {
        Issue.record("\(next)")
        return
      }
    // The range has the number of rows, and after the last row the server responds with 416.
    case ("postgrest", .page(let key)): #expect(key.place == .offset(8))
    default: #expect(next == .end)
    }
  }

  @Test func `a cursor of an unknown convention is tried, not guessed`() throws {
    let fixture = PagingFixture(
      "generic-cursor", Call("https://api.example.com/invoices"), items: "invoices")
    let pageResponse = try fixture.response(.first, to: fixture.call, key: PageKey(.start))
    let recognition = Recognizer.recognize(pageResponse)
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
        == "the body has “pagination.nextCursor”, but doesn't say which parameter it goes to")
    let last = try fixture.response(.last, to: fixture.call, key: PageKey(.start))
    #expect(Recognizer.recognize(last).facts.next == .end)
  }

  /// A call as text: its body, or its address and parameters.
  static func text(of call: Call) -> String {
    if let json = call.jsonBody { return JSONAny(json).text() }
    if let range = call.headers["Range"] { return range }
    return PagingFixture.url(of: call)
  }
}
