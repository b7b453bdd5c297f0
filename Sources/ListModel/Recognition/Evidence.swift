internal import ItemMapping
internal import ServerAPI

/// A fact with the place it stands at.
struct Fact<Value> {
  let path: JSONPath
  let value: Value
}

/// An answer, asked for what it says of its place in the list.
///
/// Facts stand beside the rows, in one of the objects around them, or in a member of those that is
/// known to hold facts, such as `meta.pagination`. What is nearer to the rows counts first.
struct Evidence {
  let answer: PageResponse
  let places: [Fact<JSONView>]
  /// The parameters of the call, wherever they stand.
  private let parameters: [(name: String, value: String)]

  init(_ answer: PageResponse) {
    self.answer = answer
    parameters = Self.parameters(of: answer.call)
    places = answer.envelope.map { Self.places(around: answer.itemsPath, in: $0) } ?? []
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

  /// The members of these names, the surest name first and the nearest place first.
  func members(_ names: [String]) -> some Sequence<Fact<JSONView>> {
    names.lazy.flatMap { name in
      places.lazy.compactMap { place in
        place.value[name].map { Fact(path: place.path.appending(.name(name)), value: $0) }
      }
    }
  }

  /// The first number that is not negative, under one of these names.
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

  /// The parameter of the call that has one of these names, with its value.
  func parameter(_ names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = parameters.first(where: { $0.name == name }) { return value }
    }
    return nil
  }

  /// Those of the call itself, of its address, where they are encoded already, and of its JSON.
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
  /// How many rows there are in all.
  var total: Fact<Int>? {
    let exact =
      number(FactNames.total)
      ?? members(FactNames.total).lazy.compactMap { fact in
        fact.value["value"]?.int.map {
          Fact(path: fact.path.appending(.name("value")), value: $0)
        }
      }.first { $0.value >= 0 }
    // A number below the rows that came counts something else, such as pages.
    if let exact, exact.value >= answer.count { return exact }
    // It may as well be the number of rows in this page, unless it is larger.
    return number(["count", "Count"]).flatMap { $0.value > answer.count ? $0 : nil }
  }

  /// Whether there is more, where the answer says so in a word.
  var hasMore: Fact<Bool>? {
    members(FactNames.hasMore).lazy.compactMap { fact in
      fact.value.yesOrNo.map { Fact(path: fact.path, value: $0) }
    }.first { _ in true }
  }

  /// Whether this is the last page, where the answer says so in a word.
  var isLast: Fact<Bool>? { flag(FactNames.isLast) }

  /// Whether this is the beginning of the list, as far as the call and the answer tell.
  var isAtStart: Bool {
    if hasPageBefore { return false }
    guard let place = parameter(ParameterNames.pages + ParameterNames.offsets) else {
      return parameter(ParameterNames.cursors) == nil
    }
    return place.value == "0" || place.value == "1"
  }

  /// Whether the answer speaks of a page before it.
  private var hasPageBefore: Bool {
    if number(FactNames.offset)?.value ?? 0 > 1 || number(FactNames.page)?.value ?? 0 > 1 {
      return true
    }
    let headers = answer.response.headers
    if answer.response.link("prev") != nil || Int(headers["X-Prev-Page"] ?? "") != nil {
      return true
    }
    return members(FactNames.previous).contains { fact in
      fact.value.bool ?? !(fact.value.isNull || fact.value.string == "")
    }
  }

  /// What says that there is more, as words; `nil` where nothing does.
  var more: String? {
    if let hasMore, hasMore.value { return "“\(hasMore.path.plainText)” is true" }
    if let isLast, !isLast.value { return "“\(isLast.path.plainText)” is false" }
    guard isAtStart else { return nil }
    if let total, total.value > answer.count {
      return "“\(total.path.plainText)” is \(total.value), and \(answer.count) rows came"
    }
    if let (name, total) = headerTotal, total > answer.count {
      return "the header \(name) is \(total), and \(answer.count) rows came"
    }
    return nil
  }

  /// What says that there is no more, as words; `nil` where nothing does.
  var complete: String? {
    if let hasMore, !hasMore.value { return "“\(hasMore.path.plainText)” is false" }
    if let isLast, isLast.value { return "“\(isLast.path.plainText)” is true" }
    if isAtStart, let total, total.value == answer.count {
      return "“\(total.path.plainText)” is \(total.value), and all rows came"
    }
    if isAtStart, let (name, total) = headerTotal, total == answer.count {
      return "the header \(name) is \(total), and all rows came"
    }
    return nil
  }

  /// The header that says how many rows there are in all.
  var headerTotal: (name: String, total: Int)? {
    for name in FactNames.totalHeaders {
      if let total = answer.response.headers[name].flatMap({ Int($0) }), total >= 0 {
        return (name, total)
      }
    }
    return nil
  }

  /// What stands under a name of facts and can't be one.
  var problems: [PagingError] {
    func wrong(_ names: [String], _ expected: String, _ isRight: (JSONView) -> Bool)
      -> [PagingError]
    {
      members(names).filter { !$0.value.isNull && !isRight($0.value) }.map {
        .wrongFact($0.path.plainText, expected: expected, found: JSONAny($0.value).excerpt)
      }
    }
    return wrong(FactNames.total, "how many rows there are") {
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
  /// Whether facts may be members of the value. Objects with very many members are tables of
  /// something, and a search in them takes long.
  fileprivate var isPlaceOfFacts: Bool { kind == .object && count <= 1000 }

  /// The text of a link: the value itself, or its `href` or `url`.
  var link: JSONView? {
    guard kind == .object else { return nil }
    return self["href"] ?? self["url"]
  }
}

extension EndRule {
  /// Where the fact stands, for a sentence.
  var place: String {
    switch self {
    case .total(let place), .pageCount(let place), .lastPage(let place), .hasNext(let place),
      .nextPage(let place):
      "\(place)"
    case .shortPage, .emptyPage, .page, .status: declared
    }
  }
}
