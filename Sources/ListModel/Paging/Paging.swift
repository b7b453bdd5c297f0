/// How the pages of a list are asked for, and how its end is known.
public struct Paging: Hashable, Sendable {
  let strategy: any PageStrategy

  /// Equal when they are written the same and do the same.
  public static func == (a: Paging, b: Paging) -> Bool {
    AnyHashable(a.strategy) == AnyHashable(b.strategy)
  }

  /// Hashes the way of asking.
  public func hash(into hasher: inout Hasher) { strategy.hash(into: &hasher) }
}

extension Paging: CustomStringConvertible {
  /// The declaration as it would stand in a program.
  public var description: String { strategy.declaration }
}
