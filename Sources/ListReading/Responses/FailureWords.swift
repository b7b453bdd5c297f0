public import ItemMapping

/// The members by which a response with a status of success says that it failed, or that it has only a part of the rows.
///
/// ```swift
/// ListModel<Book>(server, "/books") {
///   $0.failures.add("meta.state", "broken")
///   $0.failures.remove("status")
/// }
/// ```
///
/// They are looked for in the objects around the rows, and never in rows or in other arrays. Names are compared by their
/// words: `hasErrors` is also `has_errors`. A response that failed and has no rows fails its page, with the message of the
/// server, and is not stored. One that has rows joins the list, which then ends as incomplete.
public struct FailureWords: Hashable, Sendable {
  /// A member that the program added.
  struct Declared: Hashable {
    let path: JSONPath
    let value: String
    let isPartial: Bool
  }

  /// The members that the program added.
  private(set) var declared: [Declared] = []
  /// The usual names that the program removed.
  private var removed: Set<[String]> = []
  /// Whether the usual names are used.
  private(set) var isUsual = true

  /// Creates the usual words.
  public init() {}

  /// No words: each response with a status of success is one that succeeded.
  public static var none: FailureWords {
    var words = FailureWords()
    words.removeAll()
    return words
  }

  /// Adds a member. Its value is compared as text: `add("code", "7")` is also about the number 7.
  ///
  /// - Parameters:
  ///   - path: The path of the member in a response.
  ///   - value: The value that says so.
  ///   - isPartial: Whether the response then has a part of the rows. Otherwise it failed.
  public mutating func add(_ path: JSONPath, _ value: String, isPartial: Bool = false) {
    declared.append(Declared(path: path, value: value, isPartial: isPartial))
  }

  /// Removes a usual name, such as `status` or `errors`.
  public mutating func remove(_ name: String) { removed.insert(NameWords(name).words) }

  /// Removes all words, also those that were added.
  public mutating func removeAll() { (declared, isUsual) = ([], false) }

  /// Returns the usual word with a name; `nil` where there is none.
  func word(named name: String) -> Word? {
    // Most names of a response begin with other letters. This takes less than to take all of them apart.
    guard Self.mayBeKnown(name) else { return nil }
    let words = NameWords(name).words
    guard let word = Word.named(words), removed.isEmpty || !removed.contains(words) else {
      return nil
    }
    return word
  }

  private static func mayBeKnown(_ name: String) -> Bool {
    guard name.utf8.count <= 20, let first = name.utf8.first(where: { $0.isLetter }) else {
      return false
    }
    return initials & bit(of: first) != 0
  }

  /// The first letters of all usual names, a bit for each.
  private static let initials = Word.firstWords.reduce(0 as UInt32) { bits, word in
    bits | (word.utf8.first.map(bit(of:)) ?? 0)
  }

  private static func bit(of letter: UInt8) -> UInt32 { 1 << UInt32(letter & 0x1F) }

  /// Whether `name` is one that can be removed.
  package static func isUsual(_ name: String) -> Bool { Word.named(NameWords(name).words) != nil }
}

extension FailureWords {
  /// A usual name, and what its value has to be.
  struct Word: Hashable {
    enum Value: Hashable {
      /// `false`; 0 only where there are no rows, since it may be a number of successes.
      case no
      /// `true`.
      case yes
      /// Anything that is not empty: a text, a number above 0, an object or an array with something in it.
      case something
      /// A word such as `error` or `failed`; where there are no rows, also a status from 400 on, and words such as
      /// `OVER_QUERY_LIMIT`.
      case failure
      /// A status from 400 on, where there are no rows; also another number than 0 beside a message such as
      /// `Internal error`.
      case status
      /// A text such as `Internal error`, where there are no rows.
      case message
      /// A code other than 0, where there are no rows.
      case code
      /// A number above 0 in an object with this name, and `true` anywhere.
      case count(in: String)
    }

    let value: Value
    var isPartial = false

    /// Returns the usual word with a name: one of the table, or one such as `errorText` and `fault_string`.
    static func named(_ words: [String]) -> Word? {
      if let word = usual[words] { return word }
      guard let first = words.first, errors.contains(first),
        words.dropFirst().allSatisfy(parts.contains)
      else { return nil }
      return Word(value: .something)
    }

    /// The words that names of errors begin with, and those that they go on with.
    private static let errors: Set<String> = ["error", "err", "exception", "fault", "faultstring", "failure"]
    private static let parts: Set<String> = [
      "message", "messages", "msg", "text", "description", "desc", "detail", "details", "reason",
      "info", "string", "title", "type", "name", "body", "response", "summary", "list",
    ]

    /// The first words of all usual names.
    static var firstWords: [String] { usual.keys.compactMap(\.first) + errors }

    /// All usual names, by their words, each with a service that has it.
    static let usual: [[String]: Word] = [
      // Slack, Telegram
      ["ok"]: Word(value: .no),
      // Cloudflare, Pipedrive
      ["success"]: Word(value: .no),
      // Zendesk Sell
      ["successful"]: Word(value: .no),
      // services made with .NET
      ["succeeded"]: Word(value: .no),
      ["is", "success"]: Word(value: .no),
      // JSend, Prometheus
      ["status"]: Word(value: .failure),
      // services with jobs
      ["state"]: Word(value: .failure),
      ["status", "text"]: Word(value: .failure),
      // Flickr
      ["stat"]: Word(value: .failure),
      // MangaDex
      ["result"]: Word(value: .failure),
      // Notion
      ["object"]: Word(value: .failure),
      // services with nothing but a text
      ["message"]: Word(value: .message),
      ["msg"]: Word(value: .message),
      ["detail"]: Word(value: .message),
      // Foursquare, Weibo and others
      ["code"]: Word(value: .status),
      ["status", "code"]: Word(value: .status),
      ["http", "status"]: Word(value: .status),
      ["http", "code"]: Word(value: .status),
      // WeChat
      ["errcode"]: Word(value: .code),
      ["err", "code"]: Word(value: .code),
      // Baidu
      ["errno"]: Word(value: .code),
      ["error", "code"]: Word(value: .code),
      // Bybit
      ["ret", "code"]: Word(value: .code),
      // services behind a limit
      ["throttled"]: Word(value: .yes),
      // Google, MediaWiki
      ["error"]: Word(value: .something),
      // GraphQL, JSON:API
      ["errors"]: Word(value: .something),
      // OData before version 4
      ["odata", "error"]: Word(value: .something),
      // services made with Java or .NET
      ["has", "error"]: Word(value: .yes),
      ["has", "errors"]: Word(value: .yes),
      ["is", "error"]: Word(value: .yes),
      // Elasticsearch
      ["timed", "out"]: Word(value: .yes, isPartial: true),
      ["failed"]: Word(value: .count(in: "shards"), isPartial: true),
      // Solr
      ["partial", "results"]: Word(value: .yes, isPartial: true),
      // Splunk, Druid
      ["partial"]: Word(value: .yes, isPartial: true),
      ["is", "partial"]: Word(value: .yes, isPartial: true),
      // GitHub
      ["incomplete", "results"]: Word(value: .yes, isPartial: true),
      ["partial", "errors"]: Word(value: .something, isPartial: true),
      // Google Drive
      ["incomplete", "search"]: Word(value: .yes, isPartial: true),
      // BigQuery
      ["job", "complete"]: Word(value: .no, isPartial: true),
      // services that are searched at once
      ["incomplete"]: Word(value: .yes, isPartial: true),
      ["degraded"]: Word(value: .yes, isPartial: true),
      ["failures"]: Word(value: .something, isPartial: true),
      // Google Cloud
      ["unreachable"]: Word(value: .something, isPartial: true),
    ]
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
