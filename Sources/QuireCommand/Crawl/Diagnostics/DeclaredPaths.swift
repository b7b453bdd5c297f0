internal import Quire

/// The places in responses and rows that options name, as long as a crawl has not seen them.
struct DeclaredPaths {
  /// A place that no response or row had so far.
  private struct Place {
    var option: String
    var location: ResponseLocation
    /// A similar name that was there instead.
    var hint: String?
  }

  /// Places in responses.
  private var places: [Place] = []
  /// Members of rows.
  private var members: [Place] = []
  private var pagesWithRows = 0

  /// Nothing is looked for without options, as in a crawl that resumes: earlier runs may have seen it.
  init(_ options: CrawlOptions?) {
    guard let options else { return }
    places = CrawlDiagnostics.locations(options)
      // The only page of a list can leave them out, and the walk says so if there is more.
      .filter { !["cursor", "next"].contains($0.option) }
      .map { Place(option: $0.option, location: $0.location) }
    members = (options.selection?.fields ?? []).map {
      Place(option: "select", location: .body($0.path))
    }
  }

  /// Whether a response can still show a place.
  var isOpen: Bool { !places.isEmpty || !members.isEmpty }

  /// Whether nothing is missing.
  var isSeen: Bool { error == nil && doubt == nil }

  /// Looks at a page and its response.
  ///
  /// - Parameter isEnveloped: Whether the document of the rows is the response.
  mutating func look(at rows: [JSONView], of response: HTTPResponse?, isEnveloped: Bool) {
    if !rows.isEmpty { pagesWithRows += 1 }
    guard isOpen else { return }
    if !places.isEmpty {
      let root = isEnveloped ? rows.first?.document.root : nil
      look(in: response, root)
    }
    guard let first = rows.first else { return }
    for index in members.indices.reversed() {
      guard case .body(let path) = members[index].location else { continue }
      if rows.contains(where: { $0[path] != nil }) {
        members.remove(at: index)
      } else if members[index].hint == nil {
        members[index].hint = CrawlDiagnostics.hint(for: path, in: first)
      }
    }
  }

  /// Looks at a response, whose body is parsed unless its root is known.
  mutating func look(in response: HTTPResponse?, _ root: JSONView? = nil) {
    guard !places.isEmpty else { return }
    let root =
      root
      ?? response.flatMap { response in
        response.body.withUnsafeBytes { try? JSONDocument(Array($0)) }
      }?.root
    for index in places.indices.reversed() {
      guard let missing = CrawlDiagnostics.missing(places[index].location, in: root, response),
        missing.isAbsent
      else {
        places.remove(at: index)
        continue
      }
      places[index].hint = places[index].hint ?? missing.hint
    }
  }

  /// What no response of the crawl had, once it has read the list; `nil` if nothing is missing.
  var error: String? {
    guard isOpen, pagesWithRows > 0 else { return nil }
    // The only page of a list can leave out the number of the next one.
    let places = places.filter { $0.option != "next-page" || pagesWithRows > 1 }
    let lines =
      places.map { place in
        "--\(place.option): no response has \(OptionSyntax.text(place.location)); "
          + (place.hint ?? "check the path, or leave the option out")
      }
      + members.map { place in
        "--\(place.option): no row has \(OptionSyntax.text(place.location)); "
          + (place.hint ?? "check the path")
      }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Why a list without rows may not be the list; `nil` if it is.
  var doubt: String? {
    guard pagesWithRows == 0, let place = places.first else { return nil }
    return
      "--\(place.option): no response has \(OptionSyntax.text(place.location)), so nothing proves that the"
      + " list has no rows; \(place.hint ?? "check the address and the path")"
  }
}
