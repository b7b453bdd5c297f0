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
