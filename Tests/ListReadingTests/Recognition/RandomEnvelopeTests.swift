import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListReading

/// Recognition over responses that no server would send.
struct RandomEnvelopeTests {
  private func page(_ envelope: JSONAny, _ call: Call, _ headers: HTTPHeaders = [:]) throws
    -> PageResponse
  {
    let root = try JSONDocument(envelope.text()).root
    var items = JSONPath.root
    if case .found(let path, _) = ListFinder.find(in: root) { items = path }
    return PageResponse(
      key: PageKey(.start), call: call,
      response: HTTPResponse(headers: headers, url: try WebURL("https://api.test/books")),
      envelope: root, itemsPath: items, count: root[items]?.count ?? 0)
  }

  @Test func `any response is recognized or refused with few trials`() throws {
    for random in try SeededGenerator.runs(Thoroughness.runs(400)) {
      var envelopes = RandomEnvelope(generator: random)
      let envelope = envelopes.envelope(depth: 4)
      let body = envelopes.envelope(depth: 2)
      let calls = [
        Call("/books"), Call("/books?page=1&limit=2&cursor=*"),
        Call("/books", method: .post, body: .bytes(body.utf8(), contentType: "application/json")),
      ]
      for call in calls {
        let first = try page(envelope, call, ["X-Next-Page": "2", "X-Total": "x", "Link": "<"])
        let found = Recognizer.recognize(first)
        guard case .page(let key) = found.facts.next else { continue }
        guard case .trial(var trial) = key.place else {
          #expect(found.recognized != nil, "\(random): \(key)")
          continue
        }
        // The same response again is never the next page, unless only its cursor counts.
        if first.count > 0, case .accepted = trial.judge(first) {
          Issue.record("\(random): \(envelope)")
        }
        var requests = 0
        while true {
          requests += 1
          var asked = call
          try? trial.candidate.paging.strategy.apply(trial.candidate.key, to: &asked)
          let response = try page(envelopes.envelope(depth: 4), asked)
          guard case .next(let others) = trial.judge(response) else { break }
          trial = others
        }
        #expect(requests <= PageKey.Trial.most, "\(random)")
      }
    }
  }

  @Test func `a response with very many objects is searched to a limit`() throws {
    var wide = JSONAny.Object()
    for index in 0..<900 { wide["page\(index) meta"] = ["meta": ["page": ["next": .int(index)]]] }
    var deep = JSONAny.object(["next": 1])
    for _ in 0..<900 { deep = ["meta": deep] }
    let envelope: JSONAny = ["items": [["id": 1]], "meta": .object(wide), "paging": deep]
    let evidence = Evidence(try page(envelope, Call("/books")))
    #expect(evidence.places.count <= 100)
    #expect(evidence.members.count <= 4000)
  }
}

/// Random envelopes of the names and values that recognition searches for.
struct RandomEnvelope {
  var generator: SeededGenerator

  private mutating func next(_ count: Int) -> Int { .random(in: 0..<count, using: &generator) }

  private static let names = [
    "next", "nextPage", "next_page", "nextCursor", "next-token", "nextLink", "page", "pages",
    "meta", "links", "total",
    "paging", "pagination", "count", "offset", "start", "cursor", "after", "token", "position",
    "items", "data",
    "results", "rows", "id", "has_more", "last", "href", "rel", "url", "continue",
    "LastEvaluatedKey", "kind", "hits",
    "object", "pageInfo", "edges", "size", "", "日本", "a b", "__next", "@odata.nextLink", "end",
    "total_pages",
  ]

  mutating func envelope(depth: Int) -> JSONAny {
    var object = JSONAny.Object()
    for _ in 0..<(1 + next(6)) {
      object[Self.names[next(Self.names.count)]] = value(depth: depth)
    }
    return .object(object)
  }

  private mutating func value(depth: Int) -> JSONAny {
    switch next(depth > 0 ? 10 : 7) {
    case 0: .null
    case 1: .bool(next(2) == 0)
    case 2: .int(next(7) - 1)
    case 3: .int([.max, .min, 1 << 53][next(3)])
    case 4: .string(["", "abc", "/books?page=2", "?", "http://[", "12", "page-2.json"][next(7)])
    case 5: .double(0.5)
    case 6: .array((0..<next(4)).map { ["id": .int($0), "rel": "next", "href": "/c"] })
    default: envelope(depth: depth - 1)
    }
  }
}
