// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

extension UnsafeRawBufferPointer: DataProtocol {}
extension [UInt8]: DataProtocol {}

public struct Data: Hashable, Sendable, Codable, DataProtocol, MutableCollection, RangeReplaceableCollection {
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Data
  public init() { fatalError() }
  public init(_ elements: some Sequence<UInt8>) { fatalError() }
  public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
  public init(capacity: Int) { fatalError() }
  public init(contentsOf url: URL) throws { fatalError() }
  public init?(base64Encoded: String) { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with bytes: C) where C.Element == UInt8 {
    fatalError()
  }
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    fatalError()
  }
  public func base64EncodedString() -> String { fatalError() }
  public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var atomic: WritingOptions { fatalError() }
  }
}

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public init?(string: String) { fatalError() }
  public init(filePath: String) { fatalError() }
  public var absoluteString: String { fatalError() }
  public var description: String { fatalError() }
  public var isFileURL: Bool { fatalError() }
  public var path: String { fatalError() }
  public var relativeString: String { fatalError() }
  public var scheme: String? { fatalError() }
  public func appending(path: String) -> URL { fatalError() }
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
}

public struct URLComponents: Hashable, Sendable {
  public init() { fatalError() }
  public init?(string: String) { fatalError() }
  public var scheme: String? {
    get { fatalError() }
    set { fatalError() }
  }
  public var host: String? {
    get { fatalError() }
    set { fatalError() }
  }
  public var encodedHost: String? {
    get { fatalError() }
    set { fatalError() }
  }
}

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var sortedKeys: OutputFormatting { fatalError() }
    public static var prettyPrinted: OutputFormatting { fatalError() }
    public static var withoutEscapingSlashes: OutputFormatting { fatalError() }
  }
  public enum DateEncodingStrategy: Sendable {
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    case iso8601
  }
  public init() { fatalError() }
  open var dateEncodingStrategy: DateEncodingStrategy {
    get { fatalError() }
    set { fatalError() }
  }
  open var outputFormatting: OutputFormatting {
    get { fatalError() }
    set { fatalError() }
  }
  open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}

open class JSONDecoder: @unchecked Sendable {
  public enum DateDecodingStrategy: Sendable {
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    case iso8601
    case formatted(DateFormatter)
    case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }
  public enum DataDecodingStrategy: Sendable {
    case deferredToData
    case base64
    case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public enum KeyDecodingStrategy: Sendable {
    case useDefaultKeys
    case convertFromSnakeCase
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }
  public init() { fatalError() }
  open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

open class DateFormatter: @unchecked Sendable {
  public init() { fatalError() }
  open func date(from text: String) -> Date? { fatalError() }
}

extension StringProtocol {
  public var capitalized: String { fatalError() }
}

open class FileManager: @unchecked Sendable {
  public class var `default`: FileManager { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open func contents(atPath path: String) -> Data? { fatalError() }
  open func createFile(atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil) -> Bool {
    fatalError()
  }
  open func fileExists(atPath path: String) -> Bool { fatalError() }
  open func removeItem(at url: URL) throws { fatalError() }
}

public struct FileAttributeKey: Hashable, Sendable {
  public static let posixPermissions = FileAttributeKey()
}

open class FileHandle: @unchecked Sendable {
  public convenience init(forWritingTo url: URL) throws { fatalError() }
  public init() { fatalError() }
  open func close() throws { fatalError() }
}

extension FileHandle {
  public func write<T: DataProtocol>(contentsOf data: T) throws { fatalError() }
}
