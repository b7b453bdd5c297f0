internal import ItemMapping

/// Names under which public services say how their lists go on, in the words of ``NameWords``.
///
/// In a usual place, one of these is enough for the end of a list. A member with any other name is only a sign, which
/// another one or a request has to confirm.
enum WellKnownNames {
  /// What a member with the name says.
  enum Role: Hashable, Sendable {
    /// The address, the cursor or the number of the next page; `null` or empty on the last one.
    case next
    /// A flag.
    case flag
    /// The total number of rows.
    case total
    /// The total number of pages, or of the last one.
    case pages
  }

  /// Whether a member has a well-known name in a usual place.
  static func contains(_ path: JSONPath, besides items: JSONPath, as role: Role) -> Bool {
    guard case .name(let name)? = path.segments.last else { return false }
    var words = NameWords(name)
    if let vendor = words.words.first, vendors.contains(vendor), words.words.count > 1 {
      words = NameWords(words: Array(words.words.dropFirst()))
    }
    return roles[words.text] == role && isUsualPlace(path.segments.dropLast(), besides: items)
  }

  /// Whether facts of a list are usually in such an object: one around the rows, or one with the name of a place.
  private static func isUsualPlace(
    _ place: ArraySlice<JSONPath.Segment>, besides items: JSONPath
  ) -> Bool {
    let common = zip(place, items.segments).prefix { $0 == $1 }.count
    return place.dropFirst(common).allSatisfy { segment in
      guard case .name(let name) = segment else { return true }
      return NameWords(name).words.allSatisfy(places.contains)
    }
  }

  private static let vendors: Set<String> = ["odata", "hydra", "opensearch", "x"]

  private static let places: Set<String> = FactNames.places.union([
    "additional", "body", "collection", "header", "hydra", "list", "message", "navigation",
    "output",
    "pager", "paginator", "payload", "resource", "view", "edges", "href", "urls",
  ])

  static let roles: [String: Role] = Dictionary(
    services.map { ($0.name, $0.role) }, uniquingKeysWith: { first, _ in first })

  /// Each name with a service or a framework that it is from.
  static let services: [(name: String, role: Role, service: String)] = [
    ("next", .next, "Django REST framework, Spotify, JSON:API"),
    ("next page", .next, "Zendesk, GitLab"),
    ("next page url", .next, "Laravel"),
    ("next page uri", .next, "Twilio"),
    ("next url", .next, "Instagram"),
    ("next uri", .next, "Coinbase"),
    ("next href", .next, "SoundCloud"),
    ("next link", .next, "OData, Azure"),
    ("next records url", .next, "Salesforce"),
    ("next cursor", .next, "Slack, Notion"),
    ("next page cursor", .next, "Bybit"),
    ("next cursor mark", .next, "Solr"),
    ("next cursormark", .next, "Solr"),
    ("next page token", .next, "Google"),
    ("next pagetoken", .next, "Google"),
    ("next token", .next, "AWS, X"),
    ("next continuation token", .next, "Amazon S3"),
    ("next marker", .next, "Amazon S3, Box"),
    ("next key", .next, "Cosmos SDK"),
    ("next offset", .next, "Chargebee"),
    ("next page offset", .next, "Qdrant"),
    ("next start", .next, "Pipedrive"),
    ("next page start", .next, "Bitbucket Server"),
    ("next page number", .next, "Django"),
    ("next batch", .next, "Matrix"),
    ("continuation token", .next, "Azure Storage, Nexus"),
    ("continuation", .next, "Feedly"),
    ("pagination token", .next, "Amazon Cognito"),
    ("last evaluated key", .next, "Amazon DynamoDB"),
    ("after", .next, "Reddit, HubSpot"),
    ("cursor", .next, "Square, Twitch, Bluesky"),
    ("marker", .next, "Amazon IAM, Box"),
    ("has more", .flag, "Stripe, Notion"),
    ("has more pages", .flag, "Laravel"),
    ("have more results", .flag, "Steam"),
    ("has next", .flag, "Spring, MongoDB"),
    ("has next page", .flag, "Relay, mongoose-paginate"),
    ("more", .flag, "PagerDuty, Withings"),
    ("more available", .flag, "Instagram"),
    ("more result", .flag, "Marketo"),
    ("more records", .flag, "Zoho CRM, Dynamics 365"),
    ("more results available", .flag, "Microsoft Search"),
    ("is truncated", .flag, "Amazon S3"),
    ("truncated", .flag, "GitHub"),
    ("is last", .flag, "Jira"),
    ("is last page", .flag, "Bitbucket Server, PageHelper"),
    ("last", .flag, "Spring"),
    ("last page", .flag, "ClickUp"),
    ("done", .flag, "Salesforce"),
    ("is end", .flag, "Zhihu"),
    ("end of records", .flag, "GBIF"),
    ("total", .total, "Elasticsearch, Jira, Laravel"),
    ("total count", .total, "GitHub, Django"),
    ("total results", .total, "SCIM, OpenSearch"),
    ("total items", .total, "API Platform, Google Books"),
    ("total elements", .total, "Spring"),
    ("total records", .total, "FOLIO"),
    ("total rows", .total, "CouchDB"),
    ("total size", .total, "Salesforce"),
    ("total docs", .total, "mongoose-paginate"),
    ("total hits", .total, "Pixabay"),
    ("total entries", .total, "will_paginate"),
    ("count", .total, "Django REST framework, OData"),
    ("num found", .total, "Solr"),
    ("num results", .total, "Internet Archive"),
    ("number matched", .total, "OGC API Features"),
    ("found", .total, "Typesense"),
    ("total pages", .pages, "Spring, TMDB"),
    ("pages", .pages, "PageHelper"),
    ("page count", .pages, "Strapi, Yii"),
    ("nb pages", .pages, "Algolia"),
    ("num pages", .pages, "Django"),
    ("last visible page", .pages, "Jikan"),
  ]
}
