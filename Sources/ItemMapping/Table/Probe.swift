/// Values to probe a property with.
enum Probe {
  /// Documents, at least one of which nearly every type can read.
  private static let texts = [
    "1", "2", "true", "false", "\"probe\"", "\"2001-02-03T04:05:06Z\"", "\"http://probe.example/\"", "\"cHJvYmU=\"",
    "{}", "[{}]", "[\"probe\"]", "[1]", "[[1]]", "{\"probe\":1}", "{\"probe\":\"probe\"}",
  ]
  private static let documents = texts.compactMap { try? JSONDocument($0) }

  static func value<Value: JSONValue>(otherThan old: Value) -> Value? {
    let known = StoredProperties.fingerprint(old)
    for document in documents {
      var run = ItemMapper.Run(document, ItemMapper(), isTrial: true)
      if let value = Value.read(run.place(JSONTape.root), in: &run),
        StoredProperties.fingerprint(value) != known
      {
        return value
      }
    }
    return values(of: Value.self).lazy.compactMap { $0 as? Value }
      .first { StoredProperties.fingerprint($0) != known }
  }

  /// Returns values that no document of ``documents`` gives.
  private static func values(of type: any Any.Type) -> [Any] {
    if let type = type as? any CaseIterable.Type { return cases(of: type) }
    if let type = type as? any ItemValue.Type { return [changed(type)] }
    return (type as? any ProbedOptional.Type).map { values(of: $0.wrapped) } ?? []
  }

  private static func cases<Value: CaseIterable>(of type: Value.Type) -> [Any] { Array(type.allCases) }

  /// Returns a value whose properties differ from their defaults.
  private static func changed<Value: ItemValue>(_ type: Value.Type) -> Any {
    var value = Value()
    let table = type.fields
    // The rows of another type would write to memory with another layout, and a forced `nil` traps.
    guard table.owner.map({ $0 == type }) ?? true else { return value }
    withUnsafeMutablePointer(to: &value) { base in
      for row in table.rows where !row.keyPathText.contains("!") { row.withProbe(in: base) {} }
    }
    return value
  }
}

private protocol ProbedOptional {
  static var wrapped: any Any.Type { get }
}

extension Optional: ProbedOptional {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
}
