internal import Support

extension RequestBuilder {
  /// Returns the address of a call, from base, address and parameters.
  static func url(
    for call: Call, base: WebURL, configuration: Server.Configuration, known: KnownTargets?
  ) throws(RequestError) -> WebURL {
    try WebURL.check(call.address, .url)
    guard !call.address.isEmpty || !call.requiresAddress else {
      throw WebURL.defect(
        .url, "of the endpoint is empty, expected a path such as “/books”, or a whole address")
    }
    let (place, addressQuery) = split(call.address)
    let target = try target(of: String(place), base: base, known)
    let query = QueryJoin(
      base: target.isAbsolute ? nil : base.query,
      address: addressQuery.map { PercentEncoding.query.repair(String($0)) },
      server: target.url.origin == base.origin && !call.isForeign ? configuration.params : [:],
      call: call.paramsIn == .query ? call.params : [:],
      style: configuration.arrayEncoding)
    return target.url.withQuery(query.joined)
  }

  /// Returns only the origin of a call; that of a relative address is the origin of the base.
  static func origin(
    of call: Call, base: WebURL, known: KnownTargets?
  ) throws(RequestError) -> WebURL.Origin {
    try target(of: String(split(call.address).place), base: base, known).url.origin
  }

  /// Splits an address into the place that it names and its query, without the fragment.
  private static func split(_ address: String) -> (place: Substring, query: Substring?) {
    let (end, queryEnd) = address.withBytes { bytes in
      let end = bytes.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.count
      return (end, bytes[end...].firstIndex(of: 0x23) ?? bytes.count)
    }
    func index(_ offset: Int) -> String.Index {
      address.utf8.index(address.startIndex, offsetBy: offset)
    }
    let place = address[..<index(end)]
    return (place, end < queryEnd ? address[index(end + 1)..<index(queryEnd)] : nil)
  }

  private static func target(
    of place: String, base: WebURL, _ known: KnownTargets?
  ) throws(RequestError) -> CallTarget {
    if let target = known?[place] { return target }
    let target = try CallTarget(place, base)
    known?[place] = target
    return target
  }
}

extension Server {
  /// Returns the origin of a call; `nil` if the base or the address is invalid.
  package func origin(of call: Call) -> WebURL.Origin? {
    guard case .success(let base) = base else { return nil }
    return try? RequestBuilder.origin(of: call, base: base, known: core.targets)
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
    if call.isEmpty {
      append((address ?? "").utf8, to: &result)
    } else {
      append(address, to: &result) { has(call, $0) }
    }
    for item in server.items
    where !addressNames.contains(Self.listName(item.name)) && !has(call, Self.listName(item.name)) {
      item.append(to: &result, style)
    }
    for item in call.items { item.append(to: &result, style) }
    if result.isEmpty { return (address ?? base) == "" ? "" : nil }
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends a query without its parts that are replaced. All other bytes stay as they are, also where a part is empty.
  private func append(
    _ query: String?, to result: inout [UInt8], unless isReplaced: (String) -> Bool
  ) {
    guard let query else { return }
    let parts = query.utf8.split(separator: 0x26, omittingEmptySubsequences: false)
    let kept = parts.filter { $0.isEmpty || !isReplaced(Self.name(of: $0)) }
    append(Array(kept.joined(separator: [0x26])), to: &result)
  }

  private func append(_ query: some Collection<UInt8>, to result: inout [UInt8]) {
    if !query.isEmpty, let last = result.last, last != 0x26 { result.append(0x26) }
    result += query
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
