#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI
  internal import Support

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// The head of a response, from what the session keeps of it.
  struct SessionHead: Sendable {
    let status: Int
    let headers: HTTPHeaders

    init(_ response: HTTPURLResponse) {
      let fields = response.allHeaderFields.compactMap { name, value in
        (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
      }
      self.init(status: response.statusCode, fields: fields)
    }

    /// Repeated fields were joined. That changes nothing, except for `Set-Cookie`, whose values have commas themselves.
    init(status: Int, fields: [(name: String, value: String)]) {
      self.status = status
      headers = HTTPHeaders(
        fields.flatMap { field in
          let values =
            field.name.equalsIgnoringCase("Set-Cookie") ? Self.cookies(in: field.value) : [field.value]
          return values.map { HTTPHeaders.Field(name: field.name, value: $0) }
        })
    }

    /// The size on the wire, about: how lines were written is not known.
    var bytes: Int { headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

    /// Splits joined cookies. A comma separates two of them if a name and `=` follow it, which the comma in a date is
    /// never followed by.
    static func cookies(in value: String) -> [String] {
      var cookies: [String] = []
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        let text = part.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let name = text.prefix { $0 != 0x3D }
        // A name has no blanks and no semicolons.
        let isCookie =
          !name.isEmpty && name.count < text.count
          && name.allSatisfy { $0 > 0x20 && $0 != 0x3B && $0 < 0x7F }
        if isCookie || cookies.isEmpty {
          cookies.append(String(Substring(text)))
        } else {
          cookies[cookies.count - 1] += "," + part
        }
      }
      return cookies
    }
  }
#endif
