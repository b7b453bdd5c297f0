internal import Support

extension HTTPHeaders {
  /// The fields without those that belong to one connection (RFC 9111, section 3.1).
  ///
  /// `Connection` may name others, but not the two that say how the answer may be used: leaving them out
  /// would make it good for more than its server wants.
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

  /// These fields after a newer answer about the same body came: what it says takes the place of what is
  /// here, the rest stays (RFC 9111, section 3.2).
  func refreshed(by new: HTTPHeaders) -> HTTPHeaders {
    let hasETag = self["ETag"] != nil
    let taken = new.withoutConnectionFields.fields.filter { field in
      !Self.describesBody(field.name) && !(hasETag && field.name.equalsIgnoringCase("ETag"))
    }
    var replaced = Set(taken.map(\.name.asciiLowercased))
    // An age that is not told again is over, or the answer would be as old as before.
    replaced.insert("age")
    return HTTPHeaders(fields.filter { !replaced.contains($0.name.asciiLowercased) } + taken)
  }

  /// The fields with a `Date`: the moment of receiving where the server told none (RFC 9110,
  /// section 6.6.1).
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

  /// What tells how the stored bytes are to be read stays with them.
  private static func describesBody(_ name: String) -> Bool {
    let names = ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"]
    return names.contains { name.equalsIgnoringCase($0) }
  }
}
