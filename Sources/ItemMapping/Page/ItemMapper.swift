#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Makes items of JSON.
///
/// ```swift
/// let mapped = try ItemMapper().items(Book.self, in: document, at: "data.list")
/// if !mapped.report.isClean { print(mapped.report) }
/// ```
///
/// What is wrong with the JSON never loses more than what is wrong itself: a value that can't be read
/// leaves the property as it was, an element that can't be used is left out, and the report tells of
/// both. Only what leaves nothing to return is thrown.
public struct ItemMapper: Sendable {
  /// Whether only values of the very JSON type are taken. Otherwise they are converted where they
  /// stand for the same: `"42"` for 42.
  public var isStrict = false
  /// Whether the first value that is lost ends it all with an error.
  public var failsFast = false
  /// Whether an empty string or an empty array stands for an object that is not there.
  public var emptyAsAbsent = false
  /// How many issues of one kind the report describes; it counts them all.
  public var samples = 3
  /// Taken along for the code of items and values.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether values are written to the proven places of their properties. Otherwise they go through key paths,
  /// which takes many times as long and gives the same items.
  ///
  /// There should be no reason to turn it off: it is the way out if a compiler lays out objects in a way that
  /// the proof does not foresee. With `QUIRE_DIRECT_STORES=off` in its environment, a process starts with
  /// `false`, and items are also written and compared through key paths.
  public var storesDirectly = storesDirectlyByDefault

  /// Makes a mapper with the default rules.
  public init() {}

  static let storesDirectlyByDefault =
    ProcessInfo.processInfo.environment["QUIRE_DIRECT_STORES"] != "off"
}

extension ItemMapper {
  /// What a mapping made, and what was wrong with the JSON.
  public struct Output<Value> {
    /// What was made.
    public var value: Value
    /// What was wrong.
    public var report: MappingReport
  }
}

extension ItemMapper.Output: Sendable where Value: Sendable {}

extension ItemMapper {
  /// The values of a list, without the elements that can't be read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - document: The document.
  ///   - path: Where in it the list is.
  public func items<Item: JSONValue>(
    _ type: Item.Type, in document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> sending ItemMapper.Output<[Item]> {
    let shape = ValueShape.proven(of: Item.self)
    if case .item(let declared) = shape.kind, !shape.takesNull {
      // A subclass may be given where the list is declared to be of its superclass.
      let (items, report) = try objects(
        (type as Any.Type) as? BaseItem.Type ?? declared, in: document, at: path)
      return ItemMapper.Output(value: items.ofClass(Item.self), report: report)
    }
    var run = MappingRun(document, self)
    let place = try find(path, in: document, expected: .array)
    let items = withExtendedLifetime(document) { [Item].read(place, in: &run) }
    return ItemMapper.Output(
      value: try run.finished(items), report: MappingReport(run, list: place, kept: items?.count))
  }

  /// Without type parameters, which cost more than a short list does.
  private func objects(
    _ type: BaseItem.Type, in document: JSONDocument, at path: JSONPath
  ) throws(MappingError) -> sending ([BaseItem], MappingReport) {
    var run = MappingRun(document, self)
    let place = try find(path, in: document, expected: .array)
    let items = withExtendedLifetime(document) {
      run.items(type, in: ElementWalk(array: run.index(of: place), run.tape))
    }
    return (try run.finished(items), MappingReport(run, list: place, kept: items?.count))
  }

  /// The values of a list, mapped away from the caller's actor and handed over.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The text.
  ///   - path: Where in it the list is.
  @concurrent
  public func items<Item: JSONValue>(
    _ type: Item.Type, from bytes: PageBytes, at path: JSONPath = .root
  ) async throws(MappingError) -> sending ItemMapper.Output<[Item]> {
    try items(type, in: bytes.document(), at: path)
  }

  /// One value.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - document: The document.
  ///   - path: Where in it the value is.
  public func item<Item: JSONValue>(
    _ type: Item.Type, in document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> sending ItemMapper.Output<Item> {
    var run = MappingRun(document, self)
    let place = try find(path, in: document, expected: nil)
    let item = withExtendedLifetime(document) { type.read(place, in: &run) }
    return ItemMapper.Output(value: try run.finished(item), report: MappingReport(run))
  }

  /// Reads an object into an item that is there: what the JSON mentions is set, `null` clears, and
  /// everything else stays. `null` on the way to a value counts as `null` in its place: `{"a":null}`
  /// clears what comes from `a.b`.
  ///
  /// - Throws: A ``MappingError``. The item may then have been changed in part.
  public func update<Item: BaseItem>(
    _ item: Item, from document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> MappingReport {
    var run = MappingRun(document, self, isUpdate: true)
    let place = try find(path, in: document, expected: .object)
    var updated = withExtendedLifetime(document) {
      Item.updated(item, from: place, in: &run)
    }
    if let other = updated, other !== item {
      updated = run.refuse(
        place, .unknownVariant, expected: "\(Swift.type(of: item))",
        hint: "an item can't become a \(Swift.type(of: other))")
    }
    _ = try run.finished(updated)
    return MappingReport(run)
  }

  /// Reads an object into a value that is there, by the same rules.
  ///
  /// - Throws: A ``MappingError``. The value is then as it was, but for objects within it, which may
  ///   have been changed in part.
  public func update<Item: ItemValue>(
    _ value: inout Item, from document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> MappingReport {
    var run = MappingRun(document, self, isUpdate: true)
    let place = try find(path, in: document, expected: .object)
    let updated = withExtendedLifetime(document) {
      Item.updated(value, from: place, in: &run)
    }
    value = try run.finished(updated)
    return MappingReport(run)
  }

  func find(
    _ path: JSONPath, in document: JSONDocument, expected: JSONView.Kind?
  ) throws(MappingError) -> MappingRun.Place {
    let place = withExtendedLifetime(document) {
      document.tape.find(path.steps, from: JSONTape.root)
    }
    guard let place else {
      throw .notFound(
        path, found: "\(document.root.stop(on: path))", hint: document.root.nearNames(for: path))
    }
    let view = JSONView(document: document, index: place)
    if let expected, view.kind != expected {
      throw .wrongRoot(path, expected: expected, found: Excerpt.text(of: view))
    }
    return MappingRun.Place(place, in: document.number)
  }
}

extension MappingRun {
  /// The result, or what kept it from being made.
  fileprivate mutating func finished<Value>(_ value: Value?) throws(MappingError) -> Value {
    let refusal = value == nil ? settle(lossEffect) : nil
    if let value, !isStopped { return value }
    if let refusal, !mapper.failsFast { throw .unusable(refusal.issue(lossEffect)) }
    guard let issue = ledger.entries.lazy.flatMap(\.samples).first(where: { $0.effect != .used })
    else { throw .unusable(nil) }
    throw .unusable(issue)
  }
}
