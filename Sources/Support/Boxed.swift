/// A value behind one reference. What holds it stays small, and with it the frame of each asynchronous function that
/// passes it on. A copy shares the value until one of the two is changed.
package struct Boxed<Value: Sendable>: Sendable {
  /// `@unchecked Sendable` is safe because a value is only changed while nothing else has its box.
  @usableFromInline
  final class Box: @unchecked Sendable {
    @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable package init(_ value: Value) { box = Box(value) }

  @inlinable package var value: Value {
    // Lends the value, so that reading one part doesn't copy the others.
    _read { yield box.value }
    set {
      if isKnownUniquelyReferenced(&box) { box.value = newValue } else { box = Box(newValue) }
    }
  }
}

extension Boxed: Equatable where Value: Equatable {
  @inlinable package static func == (a: Boxed, b: Boxed) -> Bool {
    a.box === b.box || a.value == b.value
  }
}

extension Boxed: Hashable where Value: Hashable {
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
