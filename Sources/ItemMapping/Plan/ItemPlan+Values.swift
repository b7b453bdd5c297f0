/// Writing, copying, comparing and describing items by the same table.
extension ItemPlan {
  /// Returns the mapped properties as an object, each at the first of its paths.
  func write(_ base: UnsafeMutableRawPointer, for purpose: JSONAny.Style.Purpose) -> JSONObject {
    var result = JSONAny.object(JSONObject())
    for field in fields {
      let isHidden = purpose == .describing && field.options.isSensitive
      guard
        let value = isHidden
          ? "hidden" : field.row.write(base, at: field.offset, for: purpose),
        let path = field.paths.first
      else { continue }
      result.place(value, at: path.segments[...])
    }
    return result.object ?? JSONObject()
  }

  /// Copies the mapped values.
  func copyFields(from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    for field in fields { field.row.copy(from: source, to: target, at: field.offset) }
  }

  /// Sets a property to its value in a new item.
  func reset(_ field: PlanField, in base: UnsafeMutableRawPointer) {
    withDefaults { field.row.copy(from: $0, to: base, at: field.offset) }
  }

  /// Returns whether the mapped values are equivalent.
  func areEqual(_ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer) -> Bool {
    fields.allSatisfy { $0.row.areSame(a, b, at: $0.offset) }
  }

  /// Returns the type's name and the mapped values on one line.
  func description(of base: UnsafeMutableRawPointer) -> String {
    let values = fields.map { field in
      if field.options.isSensitive { return "\(field.name): hidden" }
      let text = field.row.write(base, at: field.offset, for: .describing)?.text() ?? "nil"
      return "\(field.name): \(Excerpt.cut(text))"
    }
    return "\(name)(\(values.joined(separator: ", ")))"
  }
}

extension JSONAny {
  /// Sets a value at a path, and creates the objects and arrays along the path.
  fileprivate mutating func place(_ value: JSONAny, at path: ArraySlice<JSONPath.Segment>) {
    switch path.first {
    case nil:
      // The item's members are merged into the object around it.
      if case .object(var object) = self, case .object(let members) = value {
        for member in members { object[member.name] = member.value }
        self = .object(object)
      } else {
        self = value
      }
    case .name(let name):
      var object = object ?? JSONObject()
      // Released first, because a second reference would force a copy.
      self = .null
      var child = object[name] ?? .null
      child.place(value, at: path.dropFirst())
      object[name] = child
      self = .object(object)
    case .index(let position), .token(let position):
      var array = array ?? []
      self = .null
      let place = position < 0 ? max(0, array.count + position) : position
      while array.count <= place { array.append(.null) }
      array[place].place(value, at: path.dropFirst())
      self = .array(array)
    }
  }
}
