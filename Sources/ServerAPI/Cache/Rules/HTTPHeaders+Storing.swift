internal import Support

extension HTTPHeaders {
  /// The fields without the connection-specific ones (RFC 9111, section 3.1).
  ///
  /// `Connection` may name others, but not `Cache-Control` and `Vary`: without them, the response could be used
  /// more widely than its server allows.
  var withoutConnectionFields: HTTPHeaders {
    var named: Set<String> = []
    for value in values("Connection") {
      value.withBytes { bytes in
        bytes.forEachMember { named.insert(String(decoding: $0, as: UTF8.self).asciiLowercased) }
      }
    }
    named.subtract(["cache-control", "vary"])
    return HTTPHeaders(
      fields.filter { field in
        !Self.belongsToConnection(field.name)
          && (named.isEmpty || !named.contains(field.name.asciiLowercased))
      })
  }

  /// Returns these fields, updated with those of a newer response about the same body (RFC 9111, section 3.2).
  func updated(by new: HTTPHeaders) -> HTTPHeaders {
    let hasETag = self["ETag"] != nil
    let replacements = new.withoutConnectionFields.fields.filter { field in
      !Self.describesBody(field.name) && !(hasETag && field.name.equalsIgnoringCase("ETag"))
    }
    var replaced = Set(replacements.map(\.name.asciiLowercased))
    // A missing `Age` resets the age; otherwise the response would stay as old as before.
    replaced.insert("age")
    return HTTPHeaders(fields.filter { !replaced.contains($0.name.asciiLowercased) } + replacements)
  }

  /// Returns the fields with a `Date`: the time of receipt if the server sent none (RFC 9110, section 6.6.1).
  func dated(_ receivedAt: Double) -> HTTPHeaders {
    guard self["Date"] == nil else { return self }
    var headers = self
    headers.add("Date", HTTPDate.text(receivedAt))
    return headers
  }

  private static func belongsToConnection(_ name: String) -> Bool {
    let names = ["Connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade", "Trailer"]
    return names.contains { name.equalsIgnoringCase($0) }
      || name.utf8.count > 6 && name.prefix(6).equalsIgnoringCase("Proxy-")
  }

  /// Whether a field describes the stored bytes, and therefore stays with them.
  private static func describesBody(_ name: String) -> Bool {
    let names = ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"]
    return names.contains { name.equalsIgnoringCase($0) }
  }
}
