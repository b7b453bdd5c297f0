internal import Support

/// What a cache reads in the fields of an answer, found in one pass.
struct ResponseFields {
  var control = CacheControl()
  /// The first of each name, as it stands.
  var date: String?
  var age: String?
  var expires: String?
  var lastModified: String?
  var etag: String?
  /// More than one line is as bad as none that can be read.
  var hasSeveralExpires = false

  init(_ headers: HTTPHeaders) {
    for field in headers.fields {
      // Most fields are none of these, which the length of the name tells.
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

/// What a cache reads in the fields of a request, found in one pass.
struct RequestFields {
  var control = CacheControl()
  /// The lines of `If-None-Match`.
  var ifNoneMatch: [String] = []
  var ifModifiedSince: String?
  var ifRange: String?
  var range: String?
  /// Whether there is a condition that only the server can judge: `If-Match`, `If-Unmodified-Since`.
  var isForServer = false

  init(_ request: HTTPRequest) {
    var isPragmaNoCache = false
    for field in request.headers.fields {
      switch field.name.utf8.count {
      case 5 where field.name.equalsIgnoringCase("Range"):
        // Two lines make a value that no range has.
        range = range.map { $0 + "," + field.value } ?? field.value
      case 6 where field.name.equalsIgnoringCase("Pragma"):
        field.value.withBytes { value in
          value.forEachMember { isPragmaNoCache = isPragmaNoCache || $0.spells("no-cache") }
        }
      case 8 where field.name.equalsIgnoringCase("If-Match"): isForServer = true
      case 8 where field.name.equalsIgnoringCase("If-Range"): ifRange = ifRange ?? field.value
      case 13 where field.name.equalsIgnoringCase("Cache-Control"): control.read(field.value)
      case 13 where field.name.equalsIgnoringCase("If-None-Match"):
        ifNoneMatch.append(field.value)
      case 17 where field.name.equalsIgnoringCase("If-Modified-Since"):
        ifModifiedSince = ifModifiedSince ?? field.value
      case 19 where field.name.equalsIgnoringCase("If-Unmodified-Since"): isForServer = true
      default: break
      }
    }
    if isPragmaNoCache, !control.isPresent { control.flags.insert(.noCache) }
  }

  /// Whether `304` may be the answer to it.
  var mayBeUnchanged: Bool { !ifNoneMatch.isEmpty || ifModifiedSince != nil }

  /// Whether the caller set conditions of any kind.
  var isConditional: Bool { mayBeUnchanged || ifRange != nil || isForServer }
}
