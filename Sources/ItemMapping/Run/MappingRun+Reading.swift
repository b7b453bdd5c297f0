extension MappingRun {
  /// The value at a place, to look into it.
  public func view(_ place: MappingRun.Place) -> JSONView {
    JSONView(document: document, index: index(of: place))
  }

  /// What the mapper was given to take along.
  public var userInfo: [CodingUserInfoKey: any Sendable] { mapper.userInfo }

  /// Says why there is no value at a place, and answers `nil`.
  ///
  /// - Parameters:
  ///   - place: The value that is refused.
  ///   - kind: What is wrong with it.
  ///   - expected: What should be there, such as `a color such as #FF8800`.
  ///   - hint: More that helps.
  public mutating func refuse<Value>(
    _ place: MappingRun.Place, _ kind: MappingIssue.Kind = .unreadable, expected: String,
    hint: String? = nil
  ) -> Value? {
    refusal = Refusal(
      kind: kind, index: index(of: place), expected: expected, hint: hint, site: site)
    return nil
  }

  /// The rules for the scalar that is being read.
  var rules: CoercionRules {
    CoercionRules(
      isStrict: field?.options.isStrict ?? mapper.isStrict,
      takesBools: field?.options.takesBools ?? false)
  }

  /// A scalar, after a note where it was converted.
  mutating func take<Value>(
    _ coerced: Coerced<Value>, at place: MappingRun.Place, expected: @autoclosure () -> String
  ) -> Value? {
    switch coerced {
    case .exact(let value): return value
    case .converted(let value, let kind):
      note(kind, .used, at: index(of: place), expected: expected())
      return value
    case .failed(let kind): return refuse(place, kind, expected: expected())
    }
  }

  /// Whether the value itself was refused for being empty, which an optional takes for `nil`.
  mutating func forgivesEmptiness(_ place: MappingRun.Place) -> Bool {
    guard let refusal, refusal.kind == .empty, refusal.index == index(of: place),
      refusal.isAllowed || !rules.isStrict
    else { return false }
    self.refusal = nil
    return true
  }

  /// Whether a string or an array stands for nothing at all, as some servers write an absent object.
  func isEmptyInsteadOfObject(_ place: MappingRun.Place) -> Bool {
    guard field?.options.takesEmpty ?? mapper.emptyAsAbsent else { return false }
    return switch tag(place) {
    case JSONTape.Tag.string: tape.utf8(index(of: place)).isEmpty
    case JSONTape.Tag.array: tape.end(of: index(of: place)) == tape.first(in: index(of: place))
    default: false
    }
  }
}

/// Why a read answered `nil`.
struct Refusal {
  let kind: MappingIssue.Kind
  let index: Int
  let expected: String
  /// What is not there, seen from the place.
  var missing: JSONPath?
  let hint: String?
  let site: MappingSite
  /// Somebody further down has told already.
  var isTold = false
  /// The field takes it for a value that is not there: nothing to tell unless something is lost.
  var isAllowed = false
}

/// Which document was being read, and for what.
struct MappingSite {
  let document: JSONDocument
  let surroundings: [JSONView]
  let plan: ItemPlan?
  let field: PlanField?
  let isHidden: Bool
}
