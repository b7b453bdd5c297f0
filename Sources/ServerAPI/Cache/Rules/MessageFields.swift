internal import Support

/// The fields of a response that a cache needs, collected in one pass.
struct ResponseFields: Sendable {
  var control = CacheControl()
  /// The first line of each name, unparsed.
  var date: String?
  var age: String?
  var expires: String?
  var lastModified: String?
  var etag: String?
  /// Several lines make the value invalid.
  var hasSeveralExpires = false

  init(_ headers: HTTPHeaders) {
    for field in headers.fields {
      // The length of the name rules out most fields.
      switch field.name.utf8.count {
      case 3 where field.name.equalsIgnoringCase("Age"): age = age ?? field.value
      case 4 where field.name.equalsIgnoringCase("Date"): date = date ?? field.value
      case 4 where field.name.equalsIgnoringCase("ETag"): etag = etag ?? field.value
      case 7 where field.name.equalsIgnoringCase("Expires"):
        hasSeveralExpires = expires != nil
        expires = expires ?? field.value
      case 13 where field.name.equalsIgnoringCase("Cache-Control"): control.read(field.value)
      case 13 where field.name.equalsIgnoringCase("Last-Modified"):
        lastModified = lastModified ?? field.value
      default: break
      }
    }
  }
}

extension HTTPHeaders {
  /// Whether `Cache-Control` has `no-store`.
  package var forbidStoring: Bool { ResponseFields(self).control.flags.contains(.noStore) }
}

/// The fields of a request that a cache needs, collected in one pass.
struct RequestFields {
  var control = CacheControl()
  /// The lines of `If-None-Match`.
  var ifNoneMatch: [String] = []
  var ifModifiedSince: String?
  var ifRange: String?
  var range: String?
  /// Whether the request has a condition that only the server can evaluate: `If-Match` or
  /// `If-Unmodified-Since`.
  var hasServerCondition = false

  init(_ headers: HTTPHeaders) {
    var isPragmaNoCache = false
    for field in headers.fields {
      switch field.name.utf8.count {
      case 5 where field.name.equalsIgnoringCase("Range"):
        // Joining two lines gives an invalid range.
        range = range.map { $0 + "," + field.value } ?? field.value
      case 6 where field.name.equalsIgnoringCase("Pragma"):
        field.value.withBytes { value in
          value.forEachMember { isPragmaNoCache = isPragmaNoCache || $0.spells("no-cache") }
        }
      case 8 where field.name.equalsIgnoringCase("If-Match"): hasServerCondition = true
      case 8 where field.name.equalsIgnoringCase("If-Range"): ifRange = ifRange ?? field.value
      case 13 where field.name.equalsIgnoringCase("Cache-Control"): control.read(field.value)
      case 13 where field.name.equalsIgnoringCase("If-None-Match"):
        ifNoneMatch.append(field.value)
      case 17 where field.name.equalsIgnoringCase("If-Modified-Since"):
        ifModifiedSince = ifModifiedSince ?? field.value
      case 19 where field.name.equalsIgnoringCase("If-Unmodified-Since"): hasServerCondition = true
      default: break
      }
    }
    if isPragmaNoCache, !control.isPresent { control.flags.insert(.noCache) }
  }

  /// Whether the request has a condition for `304`.
  var allowsNotModified: Bool { !ifNoneMatch.isEmpty || ifModifiedSince != nil }

  /// Whether the caller set any condition.
  var isConditional: Bool { allowsNotModified || ifRange != nil || hasServerCondition }
}
