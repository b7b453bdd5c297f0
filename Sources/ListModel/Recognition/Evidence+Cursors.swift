internal import ItemMapping
internal import ServerAPI

/// Conventions in which the answer has something that is sent back as it is.
extension Evidence {
  /// A Relay connection: `pageInfo` beside `edges` or `nodes`.
  var connection: Finding? {
    guard case .name(let name)? = answer.itemsPath.segments.last,
      ["edges", "nodes"].contains(name)
    else { return nil }
    let path = JSONPath(Array(answer.itemsPath.segments.dropLast()))
    guard let info = answer.envelope?[path]?["pageInfo"], info.kind == .object,
      info["endCursor"] != nil || info["hasNextPage"] != nil
    else { return nil }
    let place = path.appending("pageInfo")
    let reason = "the body has “\(place.plainText)” of a Relay connection"
    var into = goes(into: "after")
    if let query = answer.call.jsonBody?["query"]?.string {
      guard let after = query.variable(of: "after") else { return nil }
      if let first = query.variable(of: "first"), answer.count > 0 {
        let size = answer.call.jsonBody?["variables"]?[first]?.int ?? answer.count
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
    if let next = answer.envelope?["continue"], next.kind == .object, next.count > 0 {
      return Finding(paging, "the body has “continue”, an object of parameters")
    }
    guard answer.envelope?["batchcomplete"] != nil else { return nil }
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

  /// What shows that tokens are used, though this answer has none.
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
    if answer.envelope?["kind"]?.string?.contains("#") == true {
      return token(
        at: "nextPageToken", ["pageToken"], "the body has a “kind” of Google and no “nextPageToken”"
      )
    }
    if answer.envelope?["meta"]?["result_count"] != nil {
      return token(
        at: "meta.next_token", ["pagination_token"],
        "the body has “meta.result_count” and no “meta.next_token”")
    }
    if answer.response.headers.fields.contains(where: {
      $0.name.lowercased().hasPrefix("x-amzn-requestid")
    }) {
      return token(at: "NextToken", ["NextToken"], "AWS answered, and the body has no “NextToken”")
    }
    return nil
  }

  private func token(at path: JSONPath, _ names: [String], _ reason: String) -> Finding {
    var names = names
    // A parameter that the call has already is the one that is meant.
    if let own = parameter(ParameterNames.cursors)?.name { names = [own] }
    // Some send a cursor on the last page too, and only the flag tells.
    let ends = hasMore.map { [EndRule.hasNext(.body($0.path))] } ?? []
    return Finding(
      names.map { .cursor(at: .body(path), into: goes(into: $0)).ending(ends) }, reason)
  }

  /// `paging.cursors` of Facebook: both ends of the page, and no promise that there is another one.
  private func isFacebooks(_ place: Fact<JSONView>) -> Bool {
    place.path.segments.suffix(2) == ["paging", "cursors"] && place.value["before"] != nil
  }

  private func isToken(_ value: JSONView, _ name: String) -> Bool {
    switch value.kind {
    case .string:
      value.string != "" && (value.wholeNumber == nil || !FactNames.nextPage.contains(name))
    case .object, .array: value.count > 0 && value.link == nil
    // The number of the next page is no token.
    case .number: !FactNames.nextPage.contains(name)
    default: false
    }
  }

  /// The parameter of a convention that is known by more than the name of its token.
  private func known(_ name: String, in place: JSONPath) -> [String]? {
    let envelope = answer.envelope
    switch name {
    case "next_cursor" where place == "response_metadata": return ["cursor"]
    case "next_cursor" where envelope?["object"]?.string == "list": return ["start_cursor"]
    case "next_token" where place == "meta": return ["pagination_token"]
    case "after" where place == "data" && envelope?["kind"]?.string == "Listing": return ["after"]
    default: return nil
    }
  }

  /// Names of tokens with the parameters they may go to. One parameter is certain, several are tried.
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
    guard let hasMore, let last = answer.rows?[-1], last["id"]?.string != nil,
      answer.envelope?["object"]?.string == "list"
    else { return nil }
    return Finding(
      .keyset(["id"], into: [goes(into: "starting_after")], endsBy: .hasNext(.body(hasMore.path))),
      "the body has “\(hasMore.path.plainText)” in an object “list”, and rows have ids", .concluded)
  }
}

extension String {
  /// The variable that a GraphQL query hands to an argument: `id` for `after: $id`.
  fileprivate func variable(of argument: String) -> String? {
    for part in split(separator: "\(argument):").dropFirst() {
      let value = part.drop { $0.isWhitespace }
      guard value.first == "$" else { continue }
      return String(value.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return nil
  }
}
