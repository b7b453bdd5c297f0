internal import Support

extension RequestBuilder {
  /// Returns the address of a call, from base, address and parameters.
  static func url(
    for call: Call, base: WebURL, configuration: Server.Configuration
  ) throws(RequestError) -> WebURL {
    try WebURL.check(call.address, .url)
    let address = call.address.utf8
    guard !address.isEmpty || !call.requiresAddress else {
      throw WebURL.defect(
        .url, "of the endpoint is empty, expected a path such as “/books”, or a whole address")
    }
    var target = base
    var addressQuery: String?
    var baseQuery = base.query
    if !address.isEmpty {
      let reference = URLReference(call.address)
      if reference.scheme != nil || reference.authority != nil {
        target = try absolute(reference, base)
        addressQuery = target.query
        baseQuery = nil
      } else {
        addressQuery = reference.query.map(PercentEncoding.query.repair)
        target = base.appending(path: reference.path)
      }
    }
    let query = QueryJoin(
      base: baseQuery, address: addressQuery,
      server: target.origin == base.origin && !call.isForeign ? configuration.params : [:],
      call: call.paramsIn == .query ? call.params : [:],
      style: configuration.arrayEncoding)
    return WebURL(
      scheme: target.scheme, host: target.host, port: target.port, path: target.path,
      query: query.joined)
  }

  /// Returns only the origin of a call; that of a relative address is the origin of the base.
  static func origin(of call: Call, base: WebURL) throws(RequestError) -> WebURL.Origin {
    let reference = URLReference(call.address)
    guard reference.scheme != nil || reference.authority != nil else { return base.origin }
    return try absolute(reference, base).origin
  }

  private static func absolute(
    _ reference: URLReference, _ base: WebURL
  ) throws(RequestError) -> WebURL {
    var reference = reference
    guard let scheme = reference.scheme else {
      reference.scheme = base.scheme
      return try WebURL(reference, .url)
    }
    if scheme.equalsIgnoringCase("http") || scheme.equalsIgnoringCase("https") {
      return try WebURL(reference, .url)
    }
    throw WebURL.defect(
      .url,
      "has the scheme “\(scheme.prefix(32))”, expected http or https; write a path that starts with"
        + " a word and a colon as “./word:…”")
  }
}

extension Server {
  /// Returns the origin of a call; `nil` if the base or the address is invalid.
  package func origin(of call: Call) -> WebURL.Origin? {
    guard case .success(let base) = base else { return nil }
    return try? RequestBuilder.origin(of: call, base: base)
  }
}

extension WebURL {
  /// Returns the address below this one, with exactly one slash between both paths and without dot segments.
  fileprivate func appending(path addition: String) -> WebURL {
    guard !addition.isEmpty else { return self }
    var joined = path
    while joined.utf8.last == 0x2F { joined.removeLast() }
    let rest = addition.utf8.drop { $0 == 0x2F }
    joined += "/"
    joined += Substring(rest)
    return WebURL(
      scheme: scheme, host: host, port: port,
      path: PercentEncoding.path.repair(URLReference.removingDotSegments(joined)), query: nil)
  }
}

/// The parameters of one request, from their four sources.
private struct QueryJoin {
  /// The encoded queries of base and address; their parts stay unchanged.
  var base: String?
  var address: String?
  var server: Params
  var call: Params
  var style: Params.ArrayEncoding

  /// The query, or `nil` without parameters.
  var joined: String? {
    if server.isEmpty, call.isEmpty {
      if base == nil { return address }
      if address == nil { return base }
    }
    var result: [UInt8] = []
    result.reserveCapacity(128)
    let addressNames = names(address)
    append(base, to: &result) { name in
      addressNames.contains(name) || has(server, name) || has(call, name)
    }
    append(address, to: &result) { has(call, $0) }
    for item in server.items
    where !addressNames.contains(Self.listName(item.name)) && !has(call, Self.listName(item.name)) {
      item.append(to: &result, style)
    }
    for item in call.items { item.append(to: &result, style) }
    return result.isEmpty ? nil : String(decoding: result, as: UTF8.self)
  }

  private func append(
    _ query: String?, to result: inout [UInt8], unless isReplaced: (String) -> Bool
  ) {
    guard let query else { return }
    for part in query.utf8.split(separator: 0x26) where !isReplaced(Self.name(of: part)) {
      if !result.isEmpty { result.append(0x26) }
      result += part
    }
  }

  private func names(_ query: String?) -> [String] {
    query?.utf8.split(separator: 0x26).map(Self.name) ?? []
  }

  private func has(_ params: Params, _ name: String) -> Bool {
    params.items.contains { Self.listName($0.name) == name }
  }

  private static func name(of part: Substring.UTF8View) -> String {
    listName(PercentEncoding.decodeComponent(Substring(part.prefix { $0 != 0x3D })))
  }

  /// Returns the name without `[]`: `tag[]` and `tag` are the same parameter.
  private static func listName(_ name: String) -> String {
    guard name.utf8.suffix(2).elementsEqual("[]".utf8) else { return name }
    return String(Substring(name.utf8.dropLast(2)))
  }
}
