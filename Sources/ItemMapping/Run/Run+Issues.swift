extension ItemMapper.Run {
  /// Counts an issue, and adds a description for the first few of its kind.
  mutating func note(
    _ kind: MappingReport.Issue.Kind, _ effect: MappingReport.Issue.Effect, at index: Int,
    expected: @autoclosure () -> String
  ) {
    let key = IssueLedger.Key(plan: plan, field: field, kind: kind, effect: effect)
    guard count(key) else { return }
    let refusal = Refusal(kind: kind, index: index, expected: expected(), hint: nil, site: site)
    ledger.add(refusal.issue(effect), to: key)
  }

  /// Records what happened to a value that could not be read, and returns why it could not be read.
  @discardableResult
  mutating func settle(_ effect: MappingReport.Issue.Effect, isLoss: Bool = true) -> Refusal? {
    guard let refusal = refusal.take() else { return nil }
    if !refusal.isReported, isLoss || !refusal.isAllowed { report(refusal, effect) }
    return refusal
  }

  /// Provides a reason where a custom type returned `nil` without one. An earlier refusal that the
  /// type recovered from doesn't count: its index is lower.
  mutating func explain(_ place: ItemMapper.Run.Place) {
    if let refusal, refusal.site.document !== document || refusal.index >= index(of: place) {
      return
    }
    refusal = Refusal(
      kind: .unreadable, index: index(of: place), expected: field?.row.typeName ?? "another value",
      hint: nil, site: site)
  }

  /// Marks the current item as unusable because of a refused value.
  mutating func markUnusable(_ refusal: Refusal?) {
    if !isUnusable { loss = refusal }
    isUnusable = true
  }

  /// The effect of an unusable item: an update leaves it unchanged.
  var lossEffect: MappingReport.Issue.Effect { isUpdate ? .kept : .dropped }

  mutating func report(_ refusal: Refusal, _ effect: MappingReport.Issue.Effect) {
    let key = IssueLedger.Key(
      plan: refusal.site.plan, field: refusal.site.field, kind: refusal.kind, effect: effect)
    if count(key) { ledger.add(refusal.issue(effect), to: key) }
  }

  private mutating func count(_ key: IssueLedger.Key) -> Bool {
    if mapper.failsFast, key.effect != .used { isStopped = true }
    return ledger.count(key)
  }

  /// Drops an element that could not be read and returns true, unless the policy of the field or of
  /// the mapper forbids it.
  mutating func dropUnreadable(_ element: ItemMapper.Run.Place) -> Bool {
    explain(element)
    guard (field?.options.elements ?? mapper.elements) == .drop else { return false }
    settle(.dropped)
    return !isStopped
  }

  /// The current document, item and field.
  var site: MappingSite {
    MappingSite(
      document: document, surroundings: surroundings, plan: plan, field: field,
      isHidden: sensitiveDepth > 0)
  }
}

extension Refusal {
  /// Returns the issue to report. A hint may repeat the value, so it is hidden together with it.
  func issue(_ effect: MappingReport.Issue.Effect) -> MappingReport.Issue {
    let view = JSONView(document: site.document, index: index)
    var path = site.surroundings.reduce([]) { $0 + $1.path.segments } + view.path.segments
    if let missing { path += missing.segments }
    let found = site.isHidden ? "hidden" : Excerpt.text(of: view)
    return MappingReport.Issue(
      kind: kind, path: JSONPath(path), target: site.target, expected: expected,
      found: missing == nil ? found : "nothing", effect: effect,
      hint: site.isHidden ? nil : hint ?? missing.flatMap(view.hint))
  }
}

extension MappingSite {
  var target: String {
    switch (plan, field) {
    case (let plan?, let field?): "\(plan.name).\(field.name)"
    case (let plan?, nil): plan.name
    default: ""
    }
  }
}

/// Short descriptions of values.
enum Excerpt {
  private static let limit = 64

  static func text(of view: JSONView) -> String {
    switch view.kind {
    case .null: "null"
    case .object: "an object"
    case .array: view.count == 0 ? "an empty array" : "an array"
    case .bool: view.bool == true ? "true" : "false"
    case .number: "number " + cut(view.numberText ?? "")
    case .string: "string \"" + cut(view.string ?? "") + "\""
    }
  }

  static func cut(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(limit)
    var line = ""
    for scalar in start {
      line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    return start.endIndex == text.endIndex ? line : line + "…"
  }
}

extension IssueLedger.Key {
  fileprivate init(
    plan: ItemPlan?, field: PlanField?, kind: MappingReport.Issue.Kind,
    effect: MappingReport.Issue.Effect
  ) {
    self.init(
      plan: plan.map(ObjectIdentifier.init), field: field.map(ObjectIdentifier.init), kind: kind,
      effect: effect)
  }
}
