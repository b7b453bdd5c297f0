extension ItemMapper.Run {
  /// Returns the object as an item of a class, or of one of its variants.
  mutating func item(of type: BaseItem.Type, at place: ItemMapper.Run.Place) -> BaseItem? {
    if isTrial {
      return tape.tag(place.index(in: number)) == JSONTape.Tag.object ? type.init() : nil
    }
    guard let plan = itemPlan(type, at: place),
      let made = plan._withUnsafeGuaranteedRef({ $0.type?.init() })
    else { return nil }
    return update(made, by: plan, isNew: true, at: place) ? made : nil
  }

  /// Returns the plan for the object at a place, where an item of this class is expected.
  mutating func itemPlan(_ type: BaseItem.Type, at place: ItemMapper.Run.Place) -> Unmanaged<
    ItemPlan
  >? {
    guard isObject(place, for: type) else { return nil }
    let plan = plan(of: type) { ItemPlan.of(type, storesDirectly: $0) }
    let isPlain =
      plan._withUnsafeGuaranteedRef { $0.variants == nil }
      && fieldReference?._withUnsafeGuaranteedRef { $0.options.variants == nil } ?? true
    return isPlain ? plan : choose(plan, for: type, at: place)
  }

  /// Returns the plan for updating an item from the object at a place: that of the item's own
  /// class, unless the JSON names another.
  mutating func itemPlan(
    _ type: BaseItem.Type, updating item: BaseItem, at place: ItemMapper.Run.Place
  ) -> Unmanaged<ItemPlan>? {
    guard isObject(place, for: type) else { return nil }
    let declared = plan(of: type) { ItemPlan.of(type, storesDirectly: $0) }
    let variants = field?.options.variants ?? declared.takeUnretainedValue().variants
    if let variants, let index = tape.step(variants.key, from: index(of: place)),
      tape.tag(index) != JSONTape.Tag.null
    {
      return choose(declared, for: type, at: place)
    }
    let own = Swift.type(of: item)
    return own == type ? declared : plan(of: own) { ItemPlan.of(own, storesDirectly: $0) }
  }

  /// Reads an object into an item.
  mutating func update(
    _ item: BaseItem, by plan: Unmanaged<ItemPlan>, isNew: Bool = false,
    at place: ItemMapper.Run.Place
  ) -> Bool {
    defer { withExtendedLifetime(item) {} }
    return fill(item.address, by: plan, isNew: isNew, from: place.index(in: number))
      && finish(item, by: plan, at: place)
  }

  /// Calls the item's own code after all properties were read.
  private mutating func finish(
    _ item: BaseItem, by plan: Unmanaged<ItemPlan>, at place: ItemMapper.Run.Place
  ) -> Bool {
    do {
      try Unmanaged.passUnretained(document)._withUnsafeGuaranteedRef {
        try item.didMap(JSONView(document: $0, index: index(of: place)))
      }
      return true
    } catch {
      return rejected(error, plan, at: place)
    }
  }

  /// Reads an object into a struct.
  mutating func update<Value: ItemValue>(
    _ value: inout Value, isNew: Bool, at place: ItemMapper.Run.Place
  ) -> Bool {
    if isTrial { return true }
    let plan = plan(of: Value.self) { ItemPlan.of(Value.self, storesDirectly: $0) }
    return fill(struct: &value, by: plan, isNew: isNew, from: place.index(in: number))
      && finish(&value, by: plan, at: place)
  }

  @inline(__always)
  private mutating func fill<Value: ItemValue>(
    struct value: UnsafeMutablePointer<Value>, by plan: Unmanaged<ItemPlan>, isNew: Bool,
    from index: Int
  ) -> Bool {
    fill(UnsafeMutableRawPointer(value), by: plan, isNew: isNew, from: index)
  }

  private mutating func finish<Value: ItemValue>(
    _ value: inout Value, by plan: Unmanaged<ItemPlan>, at place: ItemMapper.Run.Place
  ) -> Bool {
    do {
      try Unmanaged.passUnretained(document)._withUnsafeGuaranteedRef {
        try value.didMap(JSONView(document: $0, index: index(of: place)))
      }
      return true
    } catch {
      return rejected(error, plan, at: place)
    }
  }

  /// Returns the elements as items, without those that can't be read.
  mutating func items(_ type: BaseItem.Type, in elements: ElementWalk) -> [BaseItem]? {
    var walk = elements
    var isComplete = true
    let items = [BaseItem](unsafeUninitializedCapacity: walk.count(tape)) { buffer, count in
      while let value = walk.next(tape) {
        let place = ItemMapper.Run.Place(value, in: number)
        if let item = item(of: type, at: place) {
          buffer.initializeElement(at: count, to: item)
          count += 1
        } else if !dropUnreadable(place) {
          isComplete = false
          break
        }
      }
    }
    return isComplete ? items : nil
  }

  /// Returns whether the value is an object, and records a refusal if not.
  mutating func isObject(_ place: ItemMapper.Run.Place, for type: any Any.Type) -> Bool {
    if tag(place) == JSONTape.Tag.object {
      if depth < Self.maximumDepth { return true }
      refusal = Refusal(
        kind: .tooDeep, index: index(of: place),
        expected: "at most \(Self.maximumDepth) nested items",
        hint: nil, site: site)
      return false
    }
    let isEmpty = isEmptyInsteadOfObject(place)
    refusal = Refusal(
      kind: isEmpty ? .empty : .wrongType, index: index(of: place), expected: TypeName.text(type),
      hint: nil,
      site: site, isAllowed: isEmpty)
    return false
  }

  /// Returns the elements of an array, or the value itself if the field accepts it as an array of
  /// one.
  mutating func elements(at place: ItemMapper.Run.Place, of type: any Any.Type) -> ElementWalk? {
    if tag(place) == JSONTape.Tag.array { return ElementWalk(array: index(of: place), tape) }
    if field?.options.takesSingle == true { return ElementWalk(single: index(of: place)) }
    return refuse(place, .wrongType, expected: TypeName.text(type))
  }

  private mutating func choose(
    _ declared: Unmanaged<ItemPlan>, for type: BaseItem.Type, at place: ItemMapper.Run.Place
  ) -> Unmanaged<ItemPlan>? {
    let ownVariants = declared.takeUnretainedValue().variants
    guard let variants = field?.options.variants ?? ownVariants else { return declared }
    var text: String?
    if let index = tape.step(variants.key, from: index(of: place)) {
      let value = JSONView(document: document, index: index)
      text = value.string ?? value.numberText ?? value.bool.map { $0 ? "true" : "false" }
    }
    if let chosen = text.flatMap({ variants.types[$0] }) ?? variants.fallback {
      if chosen == type { return declared }
      let plan = plan(of: chosen) { ItemPlan.of(chosen, storesDirectly: $0) }
      if plan.takeUnretainedValue().ancestry.contains(ObjectIdentifier(type)) { return plan }
    }
    return refuse(
      place, .unknownVariant, expected: "a variant of \(type)",
      hint: "'\(variants.name)' is " + (text.map { "\"\(Excerpt.cut($0))\"" } ?? "missing"))
  }

  private mutating func rejected(
    _ error: any Error, _ plan: Unmanaged<ItemPlan>, at place: ItemMapper.Run.Place
  ) -> Bool {
    refusal = Refusal(
      kind: .rejected, index: index(of: place), expected: plan.takeUnretainedValue().name,
      hint: "\(error)", site: site)
    return false
  }
}

/// A walk over the elements of an array.
struct ElementWalk {
  private var next: Int
  private let end: Int
  private let array: Int?

  init(array: Int, _ tape: JSONTape) {
    self.array = array
    next = tape.first(in: array)
    end = tape.end(of: array)
  }

  /// Creates a walk over one value that is not an array.
  init(single value: Int) {
    array = nil
    next = value
    end = value + 1
  }

  func count(_ tape: JSONTape) -> Int { array.map(tape.count(of:)) ?? 1 }

  @inline(__always)
  mutating func next(_ tape: JSONTape) -> Int? {
    guard next < end else { return nil }
    let value = next
    next = tape.after(next)
    return value
  }
}
