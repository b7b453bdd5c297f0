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
  static func size(of object: BaseItem) -> Int { allocation_size(object.address) }

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
