extension JSONFilter {
  /// A member of a value without which a filter can't match.
  package struct Test: Sendable, Hashable {
    /// The path of the member in the value.
    package var path: JSONPath
    /// The kind of the literal that the member is compared with, if that is a number, a text or a boolean.
    package var kind: JSONView.Kind?
  }

  /// The members that the filter tests. Those that it may match without, as with `!` and `!=`, are left out.
  package var tests: [Test] {
    var tests: [Test] = []
    for test in condition.tests where !tests.contains(test) { tests.append(test) }
    return tests
  }
}

extension JSONQuery.Condition {
  fileprivate var tests: [JSONFilter.Test] {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.flatMap(\.tests)
    case .exists(let query): [query.test(nil)].compactMap(\.self)
    case .compare(_, .notEqual, _), .not: []
    case .compare(let left, _, let right):
      [left.test(right.literalKind), right.test(left.literalKind)].compactMap(\.self)
    case .matches(let text, _, _, _): [text.test(.string)].compactMap(\.self)
    }
  }
}

extension JSONQuery.Operand {
  /// The kind of a literal.
  fileprivate var literalKind: JSONView.Kind? {
    guard case .literal(let value) = self else { return nil }
    switch value {
    case .bool: return .bool
    case .integer, .double: return .number
    case .string: return .string
    case .nothing, .null, .container: return nil
    }
  }

  fileprivate func test(_ kind: JSONView.Kind?) -> JSONFilter.Test? {
    switch self {
    case .query(let query), .value(let query): query.test(kind)
    case .length(let operand): operand.test(nil)
    // Nothing has a count, too.
    case .literal, .count: nil
    }
  }
}

extension JSONQuery.Inner {
  /// Returns the test of the value, or of the last single one on the way to several; `nil` for the tested value itself.
  fileprivate func test(_ kind: JSONView.Kind?) -> JSONFilter.Test? {
    guard isRelative else { return nil }
    var path: [JSONPath.Segment] = []
    steps: for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { break }
      switch segment.selectors[0] {
      case .name(let key): path.append(.name(String(decoding: key.utf8, as: UTF8.self)))
      case .index(let index): path.append(.index(index))
      case .wildcard, .slice, .filter: break steps
      }
    }
    guard !path.isEmpty else { return nil }
    return JSONFilter.Test(path: JSONPath(path), kind: isSingular ? kind : nil)
  }
}
