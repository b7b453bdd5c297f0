/// Which media types a successful answer may have.
public enum ContentPolicy: Hashable, Sendable {
  /// Whatever comes.
  case any
  /// `application/json` or any type with the suffix `+json`; a body that begins like HTML is
  /// reported as a captive portal.
  case json
  /// One of these, such as `text/csv` or `image/*`.
  case types([String])
}

/// How several values of one parameter stand in a query.
public enum ListStyle: Hashable, Sendable {
  /// `tag=a&tag=b`
  case repeated
  /// `tag[]=a&tag[]=b`
  case brackets
  /// `tag=a,b`
  case commas
}
