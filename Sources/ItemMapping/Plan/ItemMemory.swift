internal import CAllocation

/// Two items with every property at its default, for finding the properties' offsets.
enum Prototypes {
  case objects(BaseItem, BaseItem)
  /// Not needed: the layout of a struct is known.
  case none
}

/// Access to an item at an address: an object, or a struct in memory.
enum ItemMemory<Root> {
  /// The size of an object's header: its class and its reference count.
  static var header: Int { 2 * MemoryLayout<Int>.size }

  /// Returns the size of an object's allocation.
  static func size(of object: AnyObject) -> Int {
    allocation_size(Unmanaged.passUnretained(object).toOpaque())
  }

  /// Calls `body` with the item. For an object this is the reference, and changes are made to the
  /// object. For a class that is an ``ItemValue`` the address is that of a reference.
  static func withRoot<R>(at base: UnsafeMutableRawPointer, _ body: (inout Root) -> R) -> R {
    if Root.self is BaseItem.Type {
      let object = Unmanaged<AnyObject>.fromOpaque(base).takeUnretainedValue()
      var root = unsafeBitCast(object, to: Root.self)
      return body(&root)
    }
    return body(&base.assumingMemoryBound(to: Root.self).pointee)
  }
}

/// The layout of a type's values in memory. It is known when a plan is made, so that values of the most
/// frequent types are stored without calling their code.
struct ValueShape: Sendable {
  enum Kind: Sendable {
    /// Only the type's own code can read it.
    case other
    case int
    case double
    case bool
    case string
    case strings
    case item(BaseItem.Type)
    case items(BaseItem.Type)

    /// Integers are stored as eight bytes. On a system with words of four, that would write beyond an `Int`.
    static func integer(_ type: (some FixedWidthInteger).Type) -> Kind { type.bitWidth == 64 ? .int : .other }
  }

  let kind: Kind
  /// Whether the type has a value for `null`.
  let acceptsNull: Bool

  init<Value: JSONValue>(of type: Value.Type) {
    kind = (type as? any DirectValue.Type)?.directKind ?? .other
    acceptsNull = type.acceptsNull
  }
}

/// A type whose values can be stored without calling its code.
private protocol DirectValue {
  static var directKind: ValueShape.Kind { get }
}

extension Int: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .integer(Self.self) }
}

extension Int64: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .integer(Self.self) }
}

extension Double: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .double }
}

extension Bool: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .bool }
}

extension String: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .string }
}

extension BaseItem: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .item(Self.self) }
}

extension Array: DirectValue where Element: JSONValue {
  fileprivate static var directKind: ValueShape.Kind {
    switch ValueShape(of: Element.self).kind {
    case .string where Element.self == String.self: .strings
    case .item(let type) where !Element.acceptsNull: .items(type)
    default: .other
    }
  }
}

extension Optional: DirectValue where Wrapped: JSONValue {
  fileprivate static var directKind: ValueShape.Kind {
    Wrapped.acceptsNull ? .other : ValueShape(of: Wrapped.self).kind
  }
}
