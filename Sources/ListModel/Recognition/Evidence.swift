internal import ItemMapping
internal import ServerAPI

/// A fact with its path.
struct Fact<Value> {
  let path: JSONPath
  let value: Value
}

/// The first response of a list, searched for facts about its place.
///
/// Facts are beside the rows, in one of the objects around them, or in a member of those that is
/// known to hold facts, such as `meta.pagination`. Facts closer to the rows are preferred.
struct Evidence {
  let page: PageResponse
  let places: [Fact<JSONView>]
  /// The parameters of the call, from its query, address and JSON.
  private let parameters: [(name: String, value: String)]

  init(_ page: PageResponse) {
    self.page = page
    parameters = Self.parameters(of: page.call)
    places = page.envelope.map { Self.places(around: page.itemsPath, in: $0) } ?? []
  }

  private static func places(around items: JSONPath, in envelope: JSONView) -> [Fact<JSONView>] {
    var places: [Fact<JSONView>] = []
    for length in stride(from: items.segments.count - 1, through: 0, by: -1) {
      let path = JSONPath(Array(items.segments.prefix(length)))
      guard let object = envelope[path], object.isPlaceOfFacts else { continue }
      places.append(Fact(path: path, value: object))
      for (name, inner) in FactNames.places {
        guard let member = object[name], member.isPlaceOfFacts else { continue }
        let memberPath = path.appending(.name(name))
        places.append(Fact(path: memberPath, value: member))
        for name in inner {
          guard let innermost = member[name], innermost.isPlaceOfFacts else { continue }
          places.append(Fact(path: memberPath.appending(.name(name)), value: innermost))
        }
      }
    }
    return places
  }

  /// The members with these names, ordered by name, then from the closest place outwards.
  func members(_ names: [String]) -> some Sequence<Fact<JSONView>> {
    names.lazy.flatMap { name in
      places.lazy.compactMap { place in
        place.value[name].map { Fact(path: place.path.appending(.name(name)), value: $0) }
      }
    }
  }

  /// The first non-negative number under one of these names.
  func number(_ names: [String]) -> Fact<Int>? {
    members(names).lazy.compactMap { fact in
      fact.value.wholeNumber.flatMap { $0 < 0 ? nil : Fact(path: fact.path, value: $0) }
    }.first { _ in true }
  }

  /// The first `true` or `false` under one of these names.
  func flag(_ names: [String]) -> Fact<Bool>? {
    members(names).lazy.compactMap { fact in
      fact.value.bool.map { Fact(path: fact.path, value: $0) }
    }.first { _ in true }
  }

  /// The parameter of the call with one of these names.
  func parameter(_ names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = parameters.first(where: { $0.name == name }) { return value }
    }
    return nil
  }

  /// Returns the parameters of the call, of its address, where they are already encoded, and of its JSON.
  private static func parameters(of call: Call) -> [(name: String, value: String)] {
    let address = call.address.prefix { $0 != "#" }
    let inAddress = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return call.params.items.map { ($0.name, $0.value.texts.first ?? "") }
      + inAddress.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          Self.decoded(parts.first ?? ""), Self.decoded(parts.dropFirst().first ?? "")
        )
      }
      + (call.jsonBody?.members.map { ($0.name, JSONAny($0.value).plainText) } ?? [])
  }

  private static func decoded(_ text: Substring) -> String {
    String(text).replacing("%5B", with: "[").replacing("%5D", with: "]").replacing("%24", with: "$")
  }
}

extension Evidence {
  /// The total number of rows.
  var total: Fact<Int>? {
    let exact =
      number(FactNames.total)
      ?? members(FactNames.total).lazy.compactMap { fact in
        fact.value["value"]?.int.map {
          Fact(path: fact.path.appending(.name("value")), value: $0)
        }
      }.first { $0.value >= 0 }
    // A number smaller than the page counts something else, such as pages.
    if let exact, exact.value >= page.count { return exact }
    // A `count` may be the number of rows in this page, unless it is larger.
    return number(["count", "Count"]).flatMap { $0.value > page.count ? $0 : nil }
  }

  /// Whether there is more, where the response has a flag for it.
  var hasMore: Fact<Bool>? {
    members(FactNames.hasMore).lazy.compactMap { fact in
      fact.value.yesOrNo.map { Fact(path: fact.path, value: $0) }
    }.first { _ in true }
  }

  /// Whether this is the last page, where the response has a flag for it.
  var isLast: Fact<Bool>? { flag(FactNames.isLast) }

  /// Whether this is the start of the list, as far as the call and the response show.
  var isAtStart: Bool {
    if hasPageBefore { return false }
    guard let place = parameter(ParameterNames.pages + ParameterNames.offsets) else {
      return parameter(ParameterNames.cursors) == nil
    }
    return place.value == "0" || place.value == "1"
  }

  /// Whether the response refers to a previous page.
  private var hasPageBefore: Bool {
    if number(FactNames.offset)?.value ?? 0 > 1 || number(FactNames.page)?.value ?? 0 > 1 {
      return true
    }
    let headers = page.response.headers
    if page.response.link("prev") != nil || Int(headers["X-Prev-Page"] ?? "") != nil {
      return true
    }
    return members(FactNames.previous).contains { fact in
      fact.value.bool ?? !(fact.value.isNull || fact.value.string == "")
    }
  }

  /// The sign that there is more, in words; `nil` where there is none.
  var more: String? {
    if let hasMore, hasMore.value { return "“\(hasMore.path.plainText)” is true" }
    if let isLast, !isLast.value { return "“\(isLast.path.plainText)” is false" }
    guard isAtStart else { return nil }
    if let total, total.value > page.count {
      return "“\(total.path.plainText)” is \(total.value) and the response has \(rowCount)"
    }
    if let (name, total) = headerTotal, total > page.count {
      return "the header \(name) is \(total) and the response has \(rowCount)"
    }
    return nil
  }

  /// Whether the response shows that there is no more.
  var isComplete: Bool {
    if let hasMore, !hasMore.value { return true }
    if let isLast, isLast.value { return true }
    guard isAtStart else { return false }
    return total?.value == page.count || headerTotal?.total == page.count
  }

  /// The number of rows in the response, in words.
  var rowCount: String { page.count == 1 ? "1 row" : "\(page.count) rows" }

  /// The header with the total number of rows.
  var headerTotal: (name: String, total: Int)? {
    for name in FactNames.totalHeaders {
      if let total = page.response.headers[name].flatMap({ Int($0) }), total >= 0 {
        return (name, total)
      }
    }
    return nil
  }

  /// The members named like facts whose values can't be one.
  var problems: [PagingError] {
    func wrong(_ names: [String], _ expected: String, _ isRight: (JSONView) -> Bool)
      -> [PagingError]
    {
      members(names).filter { !$0.value.isNull && !isRight($0.value) }.map {
        .wrongFact($0.path.plainText, expected: expected, found: JSONAny($0.value).excerpt)
      }
    }
    return wrong(FactNames.total, "the total number of rows") {
      $0.wholeNumber.map { $0 >= 0 } ?? ($0.kind == .object || $0.kind == .array)
    }
      + wrong(FactNames.hasMore, "true or false") {
        $0.yesOrNo != nil || $0.kind == .number || $0.kind == .object
      }
      + wrong(["next", "next_page_url", "nextPageUrl"], "an address or a token") {
        $0.string != nil || $0.wholeNumber != nil || $0.link != nil
      }
  }
}

extension JSONView {
  /// Whether the value may have facts as members. Objects with very many members are tables of
  /// something else, and searching them is slow.
  fileprivate var isPlaceOfFacts: Bool { kind == .object && count <= 1000 }

  /// The text of a link: the value itself, or its `href` or `url`.
  var link: JSONView? {
    guard kind == .object else { return nil }
    return self["href"] ?? self["url"]
  }
}

extension EndRule {
  /// The location of the fact, for a sentence.
  var place: String {
    switch self {
    case .total(let place), .pageCount(let place), .lastPage(let place), .hasNext(let place),
      .nextPage(let place):
      "\(place)"
    case .shortPage, .emptyPage, .page, .status: declared
    }
  }
}
