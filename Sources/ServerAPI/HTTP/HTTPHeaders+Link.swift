internal import Support

extension HTTPHeaders {
  /// A link of a `Link` header (RFC 8288), such as the address of the next page.
  package struct Link: Hashable, Sendable {
    /// A target attribute: a property of the link's target, such as its `type`.
    package struct Attribute: Hashable, Sendable {
      /// The name in lower case, without the asterisk of an encoded attribute.
      package let name: String
      /// The value without quotes and escapes; empty if missing.
      package let value: String
      /// The language of an encoded value, such as `de`, if given.
      package let language: String?
    }

    /// The text between `<` and `>`; ``url(from:)`` resolves it.
    package let target: String
    /// The relations of the target to the page, in lower case: `next`, `https://example.com/rels/owner`.
    package let relations: [String]
    /// The context of the link if it is not the page itself, unresolved.
    package let anchor: String?
    /// Every other parameter, in order.
    ///
    /// Only the first `title`, `type` and `media` are kept. A valid encoded parameter such as
    /// `title*=UTF-8''%C3%A4` has its plain name and replaces the plain ones.
    package let attributes: [Attribute]

    /// The value of the first attribute with this name, such as `title`.
    package subscript(name: String) -> String? {
      attributes.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// Returns the address of the target. `page` is the address of the response, after redirects.
    ///
    /// The address may have any origin. Throws if it is not a valid HTTP address.
    package func url(from page: WebURL) throws(RequestError) -> WebURL {
      try page.resolving(String(target[...].withoutBlanks))
    }

    /// Whether the context of the link is the page itself: it has no anchor, or one with the same address and
    /// without a fragment.
    package func isAbout(_ page: WebURL) -> Bool {
      guard let anchor = anchor?[...].withoutBlanks, !anchor.isEmpty else { return true }
      guard URLReference(String(anchor)).fragment?.isEmpty != false else { return false }
      return (try? page.resolving(String(anchor))) == page
    }
  }
}

extension HTTPHeaders {
  /// The links of all `Link` headers, in order.
  ///
  /// Invalid entries are skipped. An entry without `rel` has no relations.
  package var links: [HTTPHeaders.Link] { values("Link").flatMap(HTTPHeaders.Link.links) }
}

extension HTTPHeaders {
  /// Whether a part of a `Link` header can't be read as a link with a relation.
  package var hasUnreadableLinks: Bool {
    values("Link").contains(where: HTTPHeaders.Link.isUnreadable)
  }
}

extension HTTPResponse {
  /// Returns the address of the first link of this page with a relation, from its `Link` headers (RFC 8288).
  ///
  /// ```swift
  /// let next = try response.linkedURL("next")
  /// ```
  ///
  /// The relation is case-insensitive. A relative address is resolved against the address of the response. The result
  /// may have any origin.
  ///
  /// - Throws: An error if the address isn't a valid HTTP address.
  public func linkedURL(_ relation: String) throws(RequestError) -> WebURL? {
    try link(relation)?.url(from: url)
  }

  /// Returns the first link of this page with the relation, which is case-insensitive.
  package func link(_ relation: String) -> HTTPHeaders.Link? {
    headers.links.first { link in
      link.relations.contains { $0.equalsIgnoringCase(relation) } && link.isAbout(url)
    }
  }
}
