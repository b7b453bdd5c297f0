internal import Support

/// One link of a `Link` field (RFC 8288): that the page has a next one, and where.
///
/// ```swift
/// let next = try response.link("next")?.url(from: response.url)
/// ```
public struct WebLink: Hashable, Sendable {
  /// A target attribute: something the field says of the other end, such as its `type`.
  package struct Attribute: Hashable, Sendable {
    /// The name in small letters, without the asterisk of an encoded one.
    package let name: String
    /// The value without quotes and escapes; empty where there is none.
    package let value: String
    /// The language an encoded value is in, such as `de`, where it says one.
    package let language: String?
  }

  /// The address as written between `<` and `>`; ``url(from:)`` makes it whole.
  public let target: String
  /// What the target is to the page, in small letters: `next`, `https://example.com/rels/owner`.
  public let relations: [String]
  /// Whom the link is about when it is not the page, as written; see ``isAbout(_:)``.
  public let anchor: String?
  /// Every other parameter that counts, in order.
  ///
  /// Of `title`, `type` and `media` the first does. An encoded parameter that can be read, such as
  /// `title*=UTF-8''%C3%A4`, stands under its plain name, in place of plain ones.
  package let attributes: [Attribute]

  /// The value of the first attribute of that name, such as `title`.
  public subscript(name: String) -> String? {
    attributes.first { $0.name.equalsIgnoringCase(name) }?.value
  }

  /// The address the link leads to from a page found at `page`, which is the one that answered, not
  /// the one that was asked.
  ///
  /// It may have any origin. What can't be asked over HTTP throws.
  public func url(from page: WebURL) throws(RequestError) -> WebURL {
    try page.resolving(String(target[...].withoutBlanks))
  }

  /// Whether the link says something of the page at `page` itself: its anchor, if any, means the
  /// same address and no part of it.
  public func isAbout(_ page: WebURL) -> Bool {
    guard let anchor = anchor?[...].withoutBlanks, !anchor.isEmpty else { return true }
    guard URLReference(String(anchor)).fragment?.isEmpty != false else { return false }
    return (try? page.resolving(String(anchor))) == page
  }
}

extension HTTPHeaders {
  /// The links of all `Link` fields, in order.
  ///
  /// Reading passes over what is no link; an entry without `rel` is kept, without relations.
  public var links: [WebLink] { values("Link").flatMap(WebLink.links) }
}

extension HTTPResponse {
  /// The first link from this very page to one of that relation; case does not count.
  public func link(_ relation: String) -> WebLink? {
    headers.links.first { link in
      link.relations.contains { $0.equalsIgnoringCase(relation) } && link.isAbout(url)
    }
  }
}
