internal import ItemMapping
internal import ServerAPI

/// Conventions in which the response has a token to send back unchanged.
extension Evidence {
  /// A Relay connection: `pageInfo` beside `edges` or `nodes`.
  var connection: Finding? {
    guard case .name(let name)? = page.itemsPath.segments.last,
      ["edges", "nodes"].contains(name)
    else { return nil }
    let path = JSONPath(Array(page.itemsPath.segments.dropLast()))
    guard let info = page.envelope?[path]?["pageInfo"], info.kind == .object,
      info["endCursor"] != nil || info["hasNextPage"] != nil
    else { return nil }
    let place = path.appending("pageInfo")
    let reason = "the body has “\(place.plainText)” of a Relay connection"
    var into = goes(into: "after")
    if let query = page.call.jsonBody?["query"]?.string {
      guard let after = query.variable(of: "after") else { return nil }
      if let first = query.variable(of: "first"), page.count > 0 {
        let size = page.call.jsonBody?["variables"]?[first]?.int ?? page.count
        return Finding(
          .relay(connection: path, size: max(size, 1), after: after, first: first), reason)
      }
      into = .body(["variables", .name(after)])
    }
    let paging = Paging.cursor(
      at: .body(place.appending("endCursor")), into: into,
      endsBy: .hasNext(.body(place.appending("hasNextPage"))))
    return Finding(paging, reason)
  }

  /// The object `continue` of MediaWiki, whose members are parameters.
  var continuation: Finding? {
    let paging = Paging.cursor(at: "continue", into: .members)
    if let next = page.envelope?["continue"], next.kind == .object, next.count > 0 {
      return Finding(paging, "the body has “continue”, an object of parameters")
    }
    guard page.envelope?["batchcomplete"] != nil else { return nil }
    return Finding(paging, "the body has “batchcomplete” and no “continue”")
  }

  /// A cursor or token under a known name.
  var token: Finding? {
    for (name, parameters) in Self.tokens {
      for place in places {
        guard let value = place.value[name] else { continue }
        let path = place.path.appending(.name(name))
        let names = known(name, in: place.path) ?? parameters
        guard isToken(value, name), !isFacebooks(place) else { continue }
        return token(at: path, names, "the body has “\(path.plainText)”")
      }
    }
    return endedToken
  }

  /// Signs that tokens are used, though this response has none.
  private var endedToken: Finding? {
    for (name, parameters) in Self.tokens where name != "cursor" && name != "next" {
      for place in places {
        guard let value = place.value[name], value.isNull || value.string == "" else { continue }
        let path = place.path.appending(.name(name))
        let state = value.isNull ? "null" : "empty"
        return token(
          at: path, known(name, in: place.path) ?? parameters,
          "the body has “\(path.plainText)”, which is \(state)")
      }
    }
    if page.envelope?["kind"]?.string?.contains("#") == true {
      return token(
        at: "nextPageToken", ["pageToken"], "the body has a “kind” of Google and no “nextPageToken”"
      )
    }
    if page.envelope?["meta"]?["result_count"] != nil {
      return token(
        at: "meta.next_token", ["pagination_token"],
        "the body has “meta.result_count” and no “meta.next_token”")
    }
    if page.response.headers.fields.contains(where: {
      $0.name.lowercased().hasPrefix("x-amzn-requestid")
    }) {
      return token(
        at: "NextToken", ["NextToken"], "the response is from AWS and has no “NextToken”")
    }
    return nil
  }

  private func token(at path: JSONPath, _ names: [String], _ reason: String) -> Finding {
    var names = names
    // A cursor parameter in the call is the one that the token goes to.
    if let own = parameter(ParameterNames.cursors)?.name { names = [own] }
    // Some servers send a cursor on the last page too, so the flag decides.
    let ends = hasMore.map { [EndRule.hasNext(.body($0.path))] } ?? []
    return Finding(
      names.map { .cursor(at: .body(path), into: goes(into: $0)).ending(ends) }, reason)
  }

  /// `paging.cursors` of Facebook: both ends of the page, also where there is no other page.
  private func isFacebooks(_ place: Fact<JSONView>) -> Bool {
    place.path.segments.suffix(2) == ["paging", "cursors"] && place.value["before"] != nil
  }

  private func isToken(_ value: JSONView, _ name: String) -> Bool {
    switch value.kind {
    case .string:
      value.string != "" && (value.wholeNumber == nil || !FactNames.nextPage.contains(name))
    case .object, .array: value.count > 0 && value.link == nil
    // The number of the next page isn't a token.
    case .number: !FactNames.nextPage.contains(name)
    default: false
    }
  }

  /// The parameter of a convention that is recognized by more than the name of its token.
  private func known(_ name: String, in place: JSONPath) -> [String]? {
    let envelope = page.envelope
    switch name {
    case "next_cursor" where place == "response_metadata": return ["cursor"]
    case "next_cursor" where envelope?["object"]?.string == "list": return ["start_cursor"]
    case "next_token" where place == "meta": return ["pagination_token"]
    case "after" where place == "data" && envelope?["kind"]?.string == "Listing": return ["after"]
    default: return nil
    }
  }

  /// Names of tokens with the parameters they may go to. A single parameter is certain, several are tried.
  private static let tokens: [(String, [String])] = [
    ("nextPageToken", ["pageToken"]), ("next_page_token", ["page_token"]),
    ("NextToken", ["NextToken"]), ("nextToken", ["nextToken"]), ("NextMarker", ["Marker"]),
    ("nextMarker", ["marker"]), ("LastEvaluatedKey", ["ExclusiveStartKey"]),
    ("continuationToken", ["continuationToken"]),
    ("next_cursor", ["cursor", "next_cursor", "after", "start_cursor", "page_token"]),
    ("nextCursor", ["cursor", "nextCursor", "after", "startCursor", "pageToken"]),
    ("next_token", ["next_token", "pagination_token", "page_token", "cursor"]),
    ("endCursor", ["after", "cursor", "endCursor"]),
    ("end_cursor", ["after", "cursor", "end_cursor"]),
    ("next_page", ["page_token", "page", "cursor"]), ("nextPage", ["pageToken", "page", "cursor"]),
    ("next_key", ["start_key", "key", "cursor"]), ("nextKey", ["startKey", "key", "cursor"]),
    ("after", ["after", "cursor"]), ("next", ["cursor", "next", "after", "page_token"]),
    ("cursor", ["cursor", "after"]),
  ]

  /// `has_more` beside rows whose last id goes to `starting_after`: Stripe.
  var lastRow: Finding? {
    guard let hasMore, let last = page.rows?[-1], last["id"]?.string != nil,
      page.envelope?["object"]?.string == "list"
    else { return nil }
    return Finding(
      .keyset(["id"], into: [goes(into: "starting_after")], endsBy: .hasNext(.body(hasMore.path))),
      "the body has “\(hasMore.path.plainText)” in an object “list”, and rows have ids", .inferred)
  }
}

extension String {
  /// The variable that a GraphQL query passes to an argument: `id` for `after: $id`.
  fileprivate func variable(of argument: String) -> String? {
    for part in split(separator: "\(argument):").dropFirst() {
      let value = part.drop { $0.isWhitespace }
      guard value.first == "$" else { continue }
      return String(value.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return nil
  }
}
