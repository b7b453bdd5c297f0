/// A value behind one reference. What holds it stays small, and with it the frame of each asynchronous function that
/// passes it on. A copy shares the value until one of the two is changed.
struct Boxed<Value: Sendable>: Sendable {
  /// `@unchecked Sendable` is safe because a value is only changed while nothing else has its box.
  private final class Box: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    // Both lend the value, so that a part of it is used without a copy of the others.
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension Boxed: Equatable where Value: Equatable {
  static func == (a: Boxed, b: Boxed) -> Bool { a.box === b.box || a.value == b.value }
}

extension Boxed: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
