// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

/// Apple's is in CoreFoundation, which Foundation shows.
public struct CGFloat: Hashable, Comparable, Sendable, SignedNumeric, Strideable, CustomStringConvertible,
  ExpressibleByFloatLiteral
{
  public typealias Magnitude = CGFloat
  public init() { fatalError() }
  public init(_ value: Int) { fatalError() }
  public init(_ value: Double) { fatalError() }
  public init?<T: BinaryInteger>(exactly source: T) { fatalError() }
  public init(integerLiteral value: Int) { fatalError() }
  public init(floatLiteral value: Double) { fatalError() }
  public static var greatestFiniteMagnitude: CGFloat { fatalError() }
  public static var leastNormalMagnitude: CGFloat { fatalError() }
  public static var infinity: CGFloat { fatalError() }
  public var magnitude: CGFloat { fatalError() }
  public var isFinite: Bool { fatalError() }
  public var description: String { fatalError() }
  public func rounded(_ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> CGFloat { fatalError() }
  public func distance(to other: CGFloat) -> CGFloat { fatalError() }
  public func advanced(by count: CGFloat) -> CGFloat { fatalError() }
  public static func < (a: CGFloat, b: CGFloat) -> Bool { fatalError() }
  public static func + (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func - (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func * (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func / (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func *= (a: inout CGFloat, b: CGFloat) { fatalError() }
}

extension Double {
  public init(_ value: CGFloat) { fatalError() }
  public init(_ value: Decimal) { fatalError() }
}

extension Int {
  public init(_ value: CGFloat) { fatalError() }
}

public struct CGPoint: Hashable, Sendable {
  public var x: CGFloat
  public var y: CGFloat
  public init() { fatalError() }
  public init(x: CGFloat, y: CGFloat) { fatalError() }
  public static var zero: CGPoint { fatalError() }
}

public struct CGSize: Hashable, Sendable {
  public var width: CGFloat
  public var height: CGFloat
  public init() { fatalError() }
  public init(width: CGFloat, height: CGFloat) { fatalError() }
  public static var zero: CGSize { fatalError() }
}

public struct CGRect: Hashable, Sendable {
  public var origin: CGPoint
  public var size: CGSize
  public init() { fatalError() }
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) { fatalError() }
  public init(origin: CGPoint, size: CGSize) { fatalError() }
  public static var zero: CGRect { fatalError() }
  public var minX: CGFloat { fatalError() }
  public var maxX: CGFloat { fatalError() }
  public var minY: CGFloat { fatalError() }
  public var maxY: CGFloat { fatalError() }
  public var midX: CGFloat { fatalError() }
  public var midY: CGFloat { fatalError() }
  public var width: CGFloat { fatalError() }
  public var height: CGFloat { fatalError() }
  public func contains(_ point: CGPoint) -> Bool { fatalError() }
}

public struct IndexPath: Hashable, Comparable, Sendable, Codable, ExpressibleByArrayLiteral {
  public init(arrayLiteral indexes: Int...) { fatalError() }
  public init(indexes: [Int]) { fatalError() }
  public var count: Int { fatalError() }
  public subscript(index: Int) -> Int {
    get { fatalError() }
    set { fatalError() }
  }
  public static func < (a: IndexPath, b: IndexPath) -> Bool { fatalError() }
}

public struct IndexSet: Hashable, Sendable, Codable, BidirectionalCollection, SetAlgebra {
  public struct Index: Comparable {
    public static func < (a: Index, b: Index) -> Bool { fatalError() }
  }
  public init() { fatalError() }
  public init(integer: Int) { fatalError() }
  public init(_ elements: some Sequence<Int>) { fatalError() }
  public var startIndex: Index { fatalError() }
  public var endIndex: Index { fatalError() }
  public var isEmpty: Bool { fatalError() }
  public subscript(index: Index) -> Int { fatalError() }
  public func index(after index: Index) -> Index { fatalError() }
  public func index(before index: Index) -> Index { fatalError() }
  public func contains(_ integer: Int) -> Bool { fatalError() }
  public func union(_ other: IndexSet) -> IndexSet { fatalError() }
  public func intersection(_ other: IndexSet) -> IndexSet { fatalError() }
  public func symmetricDifference(_ other: IndexSet) -> IndexSet { fatalError() }
  public mutating func formUnion(_ other: IndexSet) { fatalError() }
  public mutating func formIntersection(_ other: IndexSet) { fatalError() }
  public mutating func formSymmetricDifference(_ other: IndexSet) { fatalError() }
  public mutating func insert(_ integer: Int) -> (inserted: Bool, memberAfterInsert: Int) { fatalError() }
  public mutating func remove(_ integer: Int) -> Int? { fatalError() }
  public mutating func update(with integer: Int) -> Int? { fatalError() }
}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { fatalError() }
}
