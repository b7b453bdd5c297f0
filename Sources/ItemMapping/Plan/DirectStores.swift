internal import CAllocation
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Whether items are filled by writing to the proven places of their properties, or through key
/// paths, which takes many times as long and gives the same.
///
/// There should be no reason to turn it off. Should a compiler ever lay out objects in a way that the
/// proof does not foresee, this is the way out, also without building anew: with
/// `QUIRE_DIRECT_STORES=off` in its environment a process starts without.
public enum DirectStores {
  private static let flag = Atomic<Bool>(
    ProcessInfo.processInfo.environment["QUIRE_DIRECT_STORES"] != "off")

  /// Whether they are used. A change holds for every mapping that starts after it.
  public static var areUsed: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}

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
