internal import Quire

/// What `quire browse` was asked for.
struct BrowseOptions {
  static let usage =
    "usage: quire browse URL [--items PATH] [--title PATH] [--header 'NAME: VALUE']…"

  var url = ""
  /// Where the rows of a page are; found out where it is not said.
  var items: JSONPath?
  /// Where in a row its title is.
  var title: JSONPath?
  var headers: [(name: String, value: String)] = []

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--items": items = try JSONPath(parsing: try Self.value(of: argument, &rest))
      case "--title": title = try JSONPath(parsing: try Self.value(of: argument, &rest))
      case "--header": headers.append(try Self.header(try Self.value(of: argument, &rest)))
      default:
        guard !argument.hasPrefix("-"), url.isEmpty else {
          throw CommandError("“\(argument)” is not expected here\n\(Self.usage)")
        }
        url = argument
      }
    }
    if url.isEmpty { throw CommandError("the address of a list is missing\n\(Self.usage)") }
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else {
      throw CommandError("\(name) lacks its value\n\(usage)")
    }
    return value
  }

  private static func header(_ text: String) throws -> (name: String, value: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].filter { $0 != " " }
    guard parts.count == 2, !name.isEmpty else {
      throw CommandError("a header is “\(parts[0])”, expected 'NAME: VALUE'")
    }
    return (name, String(parts[1].drop { $0 == " " }))
  }
}
