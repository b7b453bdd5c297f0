internal import ItemMapping
internal import ServerAPI

/// Facts in headers, and in those whose value is JSON: `X-Pagination: {"TotalCount": 250, "HasNext": true}`.
extension Evidence {
  /// A member of the JSON of a header.
  struct HeaderMember {
    let place: ResponseLocation
    let words: NameWords
    let value: JSONView
  }

  /// The members of the JSON of all headers whose names say that they are about pages.
  var headerMembers: [HeaderMember] {
    page.response.headers.fields.filter { field in
      field.value.utf8.first == UInt8(ascii: "{") && NameWords(field.name).hasAny(of: FactNames.headers)
    }.flatMap { field in
      let members = (try? JSONDocument(field.value).root.members).map { Array($0.prefix(100)) } ?? []
      return members.map { member in
        HeaderMember(
          place: .headerJSON(field.name, at: JSONPath([.name(member.name)])),
          words: NameWords(member.name), value: member.value)
      }
    }
  }

  /// The header with the total number of rows.
  var headerTotal: (place: ResponseLocation, total: Int)? {
    for field in page.response.headers.fields {
      let words = NameWords(field.name)
      guard words.has("total") || words.words == ["x", "count"],
        !words.hasAny(of: FactNames.otherCounts), let total = field.value.wholeNumber, total >= 0
      else { continue }
      return (.header(field.name), total)
    }
    for member in headerMembers where member.words.has("total") && countsRows(member.words) {
      guard let total = member.value.wholeNumber, total >= page.count else { continue }
      return (member.place, total)
    }
    return nil
  }

  /// The number of rows in a header that may be that of the page, where it is larger.
  var headerCount: (name: String, count: Int)? {
    for field in page.response.headers.fields {
      let words = NameWords(field.name)
      guard words.words.last == "count" || words.words.last == "hits",
        FactNames.countHeaders.contains(words.text), let count = field.value.wholeNumber, count > page.count
      else { continue }
      return (field.name, count)
    }
    return nil
  }

  /// The number of this page in a header.
  var headerNumber: Int? {
    header(["X-Page", "X-Pagination-Current-Page", "X-Current-Page"], ["current page", "page number", "page"])
  }

  /// The number of the last page in a header.
  var headerLast: Int? {
    header(
      ["X-Total-Pages", "X-WP-TotalPages", "X-Pagination-Page-Count", "X-Page-Count"],
      FactNames.pageCount)
  }

  private func header(_ names: [String], _ members: [String]) -> Int? {
    let headers = page.response.headers
    return names.lazy.compactMap { headers[$0].flatMap { Int($0) } }.first { _ in true }
      ?? headerMembers.lazy.filter { $0.words.ideas.contains(where: members.contains) }
      .compactMap(\.value.wholeNumber).first { _ in true }
  }

  /// The flags in the JSON of headers.
  var headerFlags: [MoreSign] {
    headerMembers.compactMap { member in
      guard member.value.yesOrNo != nil, member.value.kind != .number else { return nil }
      let ideas = member.words.ideas
      if ideas.contains(where: FactNames.hasMore.contains) {
        return MoreSign(kind: .hasMore, place: member.place)
      }
      return ideas.contains(where: FactNames.isLast.contains)
        ? MoreSign(kind: .isLast, place: member.place) : nil
    }
  }
}
