internal import ItemMapping
internal import ServerAPI

/// Finds out where the cursor of the next page may go, from its name and from the call.
struct CursorNames {
  let evidence: Evidence
  /// The words of the member or header with the cursor.
  let words: NameWords
  /// Its name as the server spells it.
  let name: String

  /// The parameter of the call that the cursor belongs to, if there is one.
  var own: CallParameters.Parameter? {
    let rest = words.without("next")
    let parameters = evidence.parameters
    let size = evidence.sizeParameter?.place
    func isFree(_ parameter: CallParameters.Parameter) -> Bool { parameter.place != size }
    return [words, rest].lazy.compactMap { words in
      parameters.all.first { $0.words == words && isFree($0) }
    }.first { _ in true } ?? parameters.first(with: ParameterNames.cursorWords)
      ?? parameters.all.first { parameter in
        parameter.isBlank && isFree(parameter) && parameter.words.hasAny(of: Self.cursorWords)
      }
  }

  /// The names to try: those that the name itself leads to, then the usual ones.
  var candidates: (derived: [String], usual: [String]) {
    let derived =
      ideas.flatMap { spelled($0) }
      + ideas.flatMap { idea in
        others.map { $0.spell(idea) }
      }.prefix(4)
    let isSnake = [nil, .snake].contains(evidence.parameters.style ?? NameStyle(of: name))
    let usual =
      isSnake
      ? [
        "cursor", "after", "page_token", "next_token", "starting_after", "start_cursor", "marker",
        "from",
      ]
      : [
        "cursor", "after", "pageToken", "nextToken", "startingAfter", "startCursor", "marker",
        "from",
      ]
    let first = derived.unique
    return (first, usual.filter { !first.contains($0) })
  }

  /// What the parameter may be called, in words.
  private var ideas: [NameWords] {
    let words = words.words
    let rest = words.filter { $0 != "next" }
    var ideas: [[String]] = []
    switch (words.last, rest) {
    case (_, []): ideas = [["cursor"], ["next"], ["from"], ["offset"]]
    case ("end", _): ideas = [["from"], ["since"], ["after"]]
    case ("token", ["token"]):
      ideas = [["next", "token"], ["page", "token"], ["token"], ["pagination", "token"]]
    case ("token", let rest) where words.contains("next") && rest != ["page", "token"]:
      ideas = [["next", "token"], rest, words]
    case (_, _) where words.starts(with: ["last", "evaluated"]):
      ideas = [["exclusive", "start"] + words.dropFirst(2)]
    case (_, _) where words.first == "last": ideas = [words, ["after"], ["since"], ["from"]]
    case (_, ["page"]): ideas = [words, ["page", "token"], ["cursor"], ["page"]]
    default: ideas = [rest, words]
    }
    // A name of its own for the place that a page starts from.
    if words.contains("next"), Set(rest).isDisjoint(with: Self.cursorWords) {
      ideas += [["since"], ["from"]]
    }
    if let last = rest.last, rest.count > 1, Self.cursorWords.contains(last) {
      ideas.append([last])
    }
    if rest.contains("after") { ideas.append(["after"]) }
    return ideas.map { NameWords(words: $0) }
  }

  /// The spellings of an idea that fit the call and the member.
  private func spelled(_ idea: NameWords) -> [String] {
    var names: [String] = []
    // `page[size]` goes with `page[after]`.
    if let outer = bracket {
      names += idea.words.filter { $0 != outer }.map { "\(outer)[\($0)]" } + ["\(outer)[cursor]"]
    }
    let own = NameStyle(of: name)
    if own == .pascal { names.append(NameStyle.pascal.spell(idea)) }
    if idea.words.count == 1 { return names + [idea.text] }
    // A member in snake case says less of the parameters than other parameters do.
    let style = evidence.parameters.style
    return names + [own ?? style ?? .camel, style ?? own ?? .camel].map { $0.spell(idea) }
  }

  private var others: [NameStyle] { [.camel, .snake, .flat, .kebab] }

  private var bracket: String? {
    evidence.parameters.all.lazy.compactMap { parameter in
      guard parameter.name.hasSuffix("]"), let open = parameter.name.firstIndex(of: "[") else {
        return nil
      }
      return String(parameter.name[..<open])
    }.first { _ in true }
  }

  static let cursorWords: Set<String> = [
    "cursor", "token", "marker", "continuation", "continue", "position", "after", "offset", "since",
    "from",
  ]
}
