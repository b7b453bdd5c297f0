internal import Support

/// Maps JSON to items.
///
/// ```swift
/// let mapped = try ItemMapper().items(Book.self, in: document, at: "data.list")
/// if !mapped.report.isClean { print(mapped.report) }
/// ```
///
/// A mismatch in the JSON loses only the value concerned: a value that can't be read leaves the
/// property unchanged, an element that can't be used is dropped, and the report lists both. The
/// mapper throws only when there is nothing to return.
public struct ItemMapper: Sendable {
  /// Whether only values of the property's own JSON type are accepted. Otherwise equivalent values
  /// are converted, such as `"42"` to 42.
  public var isStrict = false
  /// Whether the mapping ends with an error at the first value that is lost.
  public var failsFast = false
  /// Whether an empty string or an empty array in place of an object counts as missing.
  public var emptyAsAbsent = false
  /// The formats of dates in fields and tables without formats of their own, for reading. Such dates are written as RFC 3339.
  public var dates: [DateFormat] = [.rfc3339, .day]
  /// What happens to the outermost array or dictionary when one of its elements can't be read.
  package var elements = FieldTable.ElementPolicy.drop
  /// The number of issues of one kind that the report describes. It counts all of them.
  public var samples = 3
  /// Values for the code of items and properties, available as ``ItemMapper/Run/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether values are stored directly in memory where the property's offset is proven. Otherwise
  /// they are set through key paths, which takes many times as long and gives the same items.
  ///
  /// There should be no reason to turn it off: it is the fallback for a compiler that lays out
  /// objects in a way the proof does not foresee. With `QUIRE_DIRECT_STORES=off` in its
  /// environment, a process starts with `false`, and items are also written and compared through
  /// key paths.
  public var storesDirectly = storesDirectlyByDefault

  /// Creates a mapper with the default rules.
  public init() {}

  static let storesDirectlyByDefault =
    getenv("QUIRE_DIRECT_STORES").map { String(cString: $0) } != "off"
}

extension ItemMapper {
  /// Maps the elements of a list, and drops those that can't be read.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - document: The document.
  ///   - path: The path of the list.
  @_specialize(where Item == JSONView)
  public func items<Item: JSONValue>(
    _ type: Item.Type, in document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> sending (value: [Item], report: MappingReport) {
    if let type = (type as Any.Type) as? BaseItem.Type {
      let (items, report) = try objects(type, in: document, at: path)
      return (value: items.ofClass(Item.self), report: report)
    }
    var run = ItemMapper.Run(document, self)
    let place = try find(path, in: document, expected: .array)
    let items = withExtendedLifetime(document) { [Item].read(place, in: &run) }
    return (
      value: try run.finished(items), report: MappingReport(run, list: place, kept: items?.count)
    )
  }

  /// Not generic, because generics cost more than a short list does.
  private func objects(
    _ type: BaseItem.Type, in document: JSONDocument, at path: JSONPath
  ) throws(MappingError) -> sending ([BaseItem], MappingReport) {
    var run = ItemMapper.Run(document, self)
    let place = try find(path, in: document, expected: .array)
    let items = withExtendedLifetime(document) {
      run.items(type, in: ElementWalk(array: run.index(of: place), run.tape))
    }
    return (try run.finished(items), MappingReport(run, list: place, kept: items?.count))
  }

  /// Maps the elements of a list off the caller's actor, and transfers them to the caller.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The JSON text.
  ///   - path: The path of the list.
  @concurrent
  public func items<Item: JSONValue>(
    _ type: Item.Type, from bytes: PageBytes, at path: JSONPath = .root
  ) async throws(MappingError) -> sending (value: [Item], report: MappingReport) {
    try items(type, in: bytes.document(), at: path)
  }

  /// Maps one value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - document: The document.
  ///   - path: The path of the value.
  public func item<Item: JSONValue>(
    _ type: Item.Type, in document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> sending (value: Item, report: MappingReport) {
    var run = ItemMapper.Run(document, self)
    let place = try find(path, in: document, expected: nil)
    let item = withExtendedLifetime(document) { type.read(place, in: &run) }
    let value = try run.finished(item)
    // Arrays only: the cast is slow, compared with the mapping of a small object.
    guard run.tag(place) == JSONTape.Tag.array, let count = elementCount(of: value) else {
      return (value: value, report: MappingReport(run))
    }
    return (value: value, report: MappingReport(run, list: place, kept: count))
  }

  /// Updates an existing item from an object: properties the JSON mentions are set, `null` clears,
  /// and all others keep their values. `null` on the path to a value counts as `null` for the
  /// value: `{"a":null}` clears the property with the path `a.b`.
  ///
  /// - Throws: A ``MappingError``. The item may then be partially updated.
  public func update<Item: BaseItem>(
    _ item: Item, from document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> MappingReport {
    var run = ItemMapper.Run(document, self, isUpdate: true)
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

  /// Updates an existing value from an object, by the rules of ``update(_:from:at:)``.
  ///
  /// - Throws: A ``MappingError``. The value is then unchanged, except for objects within it, which
  ///   may be partially updated.
  public func update<Item: ItemValue>(
    _ value: inout Item, from document: JSONDocument, at path: JSONPath = .root
  ) throws(MappingError) -> MappingReport {
    var run = ItemMapper.Run(document, self, isUpdate: true)
    let place = try find(path, in: document, expected: .object)
    let updated = withExtendedLifetime(document) {
      Item.updated(value, from: place, in: &run)
    }
    value = try run.finished(updated)
    return MappingReport(run)
  }

  func find(
    _ path: JSONPath, in document: JSONDocument, expected: JSONView.Kind?
  ) throws(MappingError) -> ItemMapper.Run.Place {
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
    return ItemMapper.Run.Place(place, in: document.number)
  }
}

extension ItemMapper.Run {
  /// Returns the result, or throws the issue that prevented it.
  fileprivate mutating func finished<Value>(_ value: Value?) throws(MappingError) -> Value {
    let refusal = value == nil ? settle(lossEffect) : nil
    if let value, !isStopped { return value }
    if let refusal, !mapper.failsFast { throw .unusable(refusal.issue(lossEffect)) }
    guard let issue = ledger.entries.lazy.flatMap(\.samples).first(where: { $0.effect != .used })
    else { throw .unusable(nil) }
    throw .unusable(issue)
  }
}

/// Arrays of any type, whose dropped elements a report counts.
private protocol MappedList {
  var count: Int { get }
}

extension Array: MappedList {}

private func elementCount<Value>(of value: Value) -> Int? { (value as? any MappedList)?.count }
