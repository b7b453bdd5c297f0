/// Makes items of the bytes of a page. ``JSONPageDecoder`` does it for JSON; another format needs no
/// more than this one method.
///
/// ```swift
/// struct NameDecoder: PageDecoder {
///   func decode(_ bytes: PageBytes) throws -> sending DecodedPage<String> {
///     let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
///     return DecodedPage(items: text.split(separator: "\n").map(String.init))
///   }
/// }
/// ```
public protocol PageDecoder<Item>: Sendable {
  /// What a page consists of.
  associatedtype Item

  /// The items of a page, and what else it says.
  ///
  /// It is called off the main actor. What it throws loses the page; an item that can't be read should
  /// rather be left out and reported.
  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item>
}

extension PageDecoder {
  /// Decodes a page away from the caller's actor, and hands the items over.
  @concurrent
  public func page(_ bytes: PageBytes) async throws -> sending DecodedPage<Item> {
    try decode(bytes)
  }
}

/// A page as far as its format matters: the items, and what stands around them.
public struct DecodedPage<Item> {
  /// The items, in the order of the page.
  public var items: [Item]
  /// What was wrong.
  public var report: MappingReport
  /// The whole page, for whoever looks for the next cursor or the total in it. A format other than
  /// JSON may put such facts into a small document of its own.
  public var envelope: JSONView?

  /// A page.
  public init(items: [Item], report: MappingReport = MappingReport(), envelope: JSONView? = nil) {
    self.items = items
    self.report = report
    self.envelope = envelope
  }
}

extension DecodedPage: Sendable where Item: Sendable {}
