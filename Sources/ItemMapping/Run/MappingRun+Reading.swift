extension MappingRun {
  /// Returns a view of the value at a place.
  public func view(_ place: MappingRun.Place) -> JSONView {
    JSONView(document: document, index: index(of: place))
  }

  /// The mapper's ``ItemMapper/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { mapper.userInfo }

  /// Records why the value at a place can't be read, and returns `nil`.
  ///
  /// - Parameters:
  ///   - place: The place of the value.
  ///   - kind: The kind of mismatch.
  ///   - expected: The expected value, such as `a color such as #FF8800`.
  ///   - hint: Further help.
  public mutating func refuse<Value>(
    _ place: MappingRun.Place, _ kind: MappingIssue.Kind = .unreadable, expected: String,
    hint: String? = nil
  ) -> Value? {
    refusal = Refusal(
      kind: kind, index: index(of: place), expected: expected, hint: hint, site: site)
    return nil
  }

  /// The rules for reading a scalar of the current field.
  var rules: CoercionRules {
    CoercionRules(
      isStrict: field?.options.isStrict ?? mapper.isStrict,
      takesBools: field?.options.takesBools ?? false)
  }

  /// Returns the scalar, and notes an issue if it was converted.
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

  /// Clears the refusal of an empty value, which an optional reads as `nil`, and returns whether it
  /// did.
  mutating func forgivesEmptiness(_ place: MappingRun.Place) -> Bool {
    guard let refusal, refusal.kind == .empty, refusal.index == index(of: place),
      refusal.isAllowed || !rules.isStrict
    else { return false }
    self.refusal = nil
    return true
  }

  /// Returns whether an empty string or array is in place of a missing object, as some servers
  /// write it.
  func isEmptyInsteadOfObject(_ place: MappingRun.Place) -> Bool {
    guard field?.options.takesEmpty ?? mapper.emptyAsAbsent else { return false }
    return switch tag(place) {
    case JSONTape.Tag.string: tape.utf8(index(of: place)).isEmpty
    case JSONTape.Tag.array: tape.end(of: index(of: place)) == tape.first(in: index(of: place))
    default: false
    }
  }
}

/// Why a read returned `nil`.
struct Refusal {
  let kind: MappingIssue.Kind
  let index: Int
  let expected: String
  /// The path of the missing value, relative to the place.
  var missing: JSONPath?
  let hint: String?
  let site: MappingSite
  /// Whether it was already reported at a deeper level.
  var isReported = false
  /// Whether the field accepts it as a missing value. It is then only reported if it causes a loss.
  var isAllowed = false
}

/// The document being read, with the item and the field it is read for.
struct MappingSite {
  let document: JSONDocument
  let surroundings: [JSONView]
  let plan: ItemPlan?
  let field: PlanField?
  let isHidden: Bool
}
