internal import CAllocation

/// Two items with every property at its default, to learn from where the properties lie.
enum Prototypes {
  case objects(BaseItem, BaseItem)
  /// A struct's layout is known without.
  case none
}

/// An item at an address: an object itself, or a struct that lies there.
enum ItemMemory<Root> {
  /// What comes before an object's first property: its class and its reference count.
  static var header: Int { 2 * MemoryLayout<Int>.size }

  /// How much memory an object has been given.
  static func size(of object: BaseItem) -> Int { allocation_size(object.address) }

  /// Lends the item. For an object the reference is lent, and whatever is changed is changed in it.
  /// Of a class that is an ``ItemValue`` the address is that of a reference.
  static func withRoot<R>(at base: UnsafeMutableRawPointer, _ body: (inout Root) -> R) -> R {
    if Root.self is BaseItem.Type {
      let object = Unmanaged<AnyObject>.fromOpaque(base).takeUnretainedValue()
      var root = unsafeBitCast(object, to: Root.self)
      return body(&root)
    }
    return body(&base.assumingMemoryBound(to: Root.self).pointee)
  }
}
