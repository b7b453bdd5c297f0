/// How the end of a list is known.
enum EndSign: Int, Hashable, Sendable {
  /// The server says that no further page follows.
  case said
  /// The server's total number of rows is reached.
  case counted
  /// The program decides where the list ends, whether or not the server has more.
  case chosen
  /// The last page has fewer rows than the pages before it, which were all full.
  case short
  /// No row came where more could be, or fewer than on other pages. Nothing says that the list ends there.
  case silent
  /// The server said that there is no such page as the one after the last: status 404, 410 or 416.
  case absent
  /// The server refused the request for the page after the last one.
  case refused
}

extension EndSign {
  /// Whether the list may go on after such an end for all that is known: a server that stops early looks the same.
  var provesNothing: Bool { self == .silent || isRefusal }

  /// Whether the server sent an error in place of the page after the last one.
  var isRefusal: Bool { self == .absent || self == .refused }

  /// Whether the server has said where the list ends, so that the rows up to there are all rows.
  var isStated: Bool { self == .said || self == .counted }
}
