internal import ItemMapping
internal import ServerAPI

/// The parameters of a call: of its query, its address and its JSON, also of objects inside.
struct CallParameters {
  struct Parameter {
    let name: String
    let value: String
    let words: NameWords
    /// Where it is sent.
    let place: RequestLocation

    var number: Int? { Int(value) }
    /// Whether it stands for the start of a list.
    var isBlank: Bool { ["", "*", "0", "null"].contains(value) }
  }

  let all: [Parameter]
  /// Whether the call sends JSON.
  let isJSON: Bool

  private static let deepest = 3
  private static let most = 500

  init(of call: Call) {
    let inAddress = URLReference(call.address).query ?? ""
    var all = call.params.items.map { Self.parameter($0.name, $0.value.texts.first ?? "") }
    all += inAddress.utf8.split(separator: 0x26).map { pair in
      let name = pair.prefix { $0 != 0x3D }
      return Self.parameter(
        Self.decoded(Substring(name)), Self.decoded(Substring(pair.dropFirst(name.count + 1))))
    }
    let body = call.jsonBody
    isJSON = body != nil
    if let body { Self.collect(body, at: .root, depth: 0, into: &all) }
    self.all = all
  }

  private static func parameter(_ name: String, _ value: String) -> Parameter {
    Parameter(name: name, value: value, words: NameWords(name), place: .query(name))
  }

  private static func collect(
    _ object: JSONView, at path: JSONPath, depth: Int, into all: inout [Parameter]
  ) {
    for member in object.members where all.count < most {
      let path = path.appending(.name(member.name))
      if member.value.kind == .object, depth < deepest {
        collect(member.value, at: path, depth: depth + 1, into: &all)
      } else {
        all.append(
          Parameter(
            name: member.name, value: JSONAny(member.value).plainText,
            words: NameWords(member.name), place: .body(path)))
      }
    }
  }

  private static func decoded(_ text: Substring) -> String {
    String(text).replacing("%5B", with: "[").replacing("%5D", with: "]").replacing("%24", with: "$")
      .replacing("%2A", with: "*")
  }

  /// The first parameter with such a name.
  func first(with names: Set<NameWords>) -> Parameter? { all.first { names.contains($0.words) } }

  func first(_ words: NameWords) -> Parameter? { all.first { $0.words == words } }

  /// The style of the names in the call, where they show one.
  var style: NameStyle? { all.lazy.compactMap { NameStyle(of: $0.name) }.first { _ in true } }
}

extension Evidence {
  /// The parameter of the call that sets the number of rows per page: one with a usual name, or one whose number is
  /// that of the rows.
  var sizeParameter: (name: String, value: Int, place: RequestLocation)? {
    func size(_ parameter: CallParameters.Parameter) -> (String, Int, RequestLocation)? {
      parameter.number.flatMap { $0 > 0 ? (parameter.name, $0, parameter.place) : nil }
    }
    return parameters.all.lazy.filter { ParameterNames.sizeWords.contains($0.words) }
      .compactMap(size).first { _ in true }
      ?? parameters.all.lazy.filter { parameter in
        parameter.number == page.count && page.count > 1
          && parameter.words.hasAny(of: TwinNames.sizeWords)
      }.compactMap(size).first { _ in true }
  }

  /// The parameter of the call that has the number of the page.
  var pageParameter: CallParameters.Parameter? {
    parameters.first(with: ParameterNames.pageWords).flatMap { $0.number == nil ? nil : $0 }
  }

  /// The parameter of the call that has the number of rows before the page.
  var offsetParameter: CallParameters.Parameter? {
    let size = sizeParameter
    return parameters.all.first { parameter in
      guard parameter.number != nil, parameter.place != size?.place else { return false }
      if ParameterNames.offsetWords.contains(parameter.words) { return true }
      return size.map { TwinNames.offsets(for: $0.name).contains(parameter.name) } ?? false
    }
  }

  /// Returns the location of a parameter: where the call has it, beside its page size, in the JSON that it sends, or in
  /// the query.
  func goes(into name: String) -> RequestLocation {
    if let own = parameters.all.first(where: { $0.name == name }) { return own.place }
    if case .body(let path)? = sizeParameter?.place {
      return .body(JSONPath(Array(path.segments.dropLast()) + [.name(name)]))
    }
    return parameters.isJSON ? .body(JSONPath([.name(name)])) : .query(name)
  }
}
