import Testing

@testable import ListReading

/// What `true` says under the name of a flag.
struct FlagNamesTests {
  /// A name with what it says: each of a grammar of words, in all styles.
  private static let grammar: [(words: String, flag: PagingFlag)] = {
    let nouns = ["", "page", "pages", "items", "results", "rows", "records", "data"]
    var names: [(String, PagingFlag)] = []
    for noun in nouns {
      for (start, flag) in [
        ("more", PagingFlag.more), ("has more", .more), ("are there more", .more),
        ("has next", .more), ("has additional", .more), ("is truncated", .more),
        ("no more", .last), ("has no more", .last), ("not more", .last), ("without more", .last),
        ("there are no more", .last), ("has not more", .last), ("nothing more", .last),
        ("no next", .last), ("not truncated", .last), ("untruncated", .last),
        ("has no further", .last), ("not no more", .more), ("no additional", .last),
        ("is end of", .last), ("end of", .last), ("reached end of", .last), ("not end of", .more),
        ("finished", .last), ("is finished", .last), ("not finished", .more),
        ("unfinished", .more), ("is not done", .more), ("has ended", .last),
        ("not exhausted", .more), ("is final", .last), ("non final", .more),
      ] {
        names.append(("\(start) \(noun)", flag))
      }
    }
    for noun in ["", "page", "row", "batch", "item"] {
      for (start, flag) in [
        ("is last", PagingFlag.last), ("last", .last), ("is not last", .more), ("not last", .more),
        ("isnt last", .more), ("non last", .more), ("is the last", .last),
      ] {
        names.append(("\(start) \(noun)", flag))
      }
    }
    return names.map { (NameWords($0.0).text, $0.1) }
  }()

  @Test func `all words of a name give its polarity, in each style`() {
    for (words, flag) in Self.grammar {
      for style in NameStyle.allCases {
        let name = style.spell(NameWords(words: words.split(separator: " ").map(String.init)))
        #expect(NameWords(name).flag() == flag, "\(name)")
      }
    }
    #expect(Self.grammar.count > 250)
  }

  @Test(arguments: [
    "next_review_at", "more_details", "more_info", "last_update", "last_login", "next_billing_date",
    "end_date", "end_user", "afterParty", "nextStep", "next", "next_page", "last_page_no",
    "no_of_pages", "no_of_last_page", "has_end", "has_last_page", "weekend", "backend", "moreover",
    "last_search", "last_query", "incomplete", "complete", "incomplete_results", "pages", "is_page",
    "no_data", "not_next", "last_more", "more_ends", "extended", "blast", "islands", "", "_",
    "hasno", "more_at", "at_last", "end_at", "nothing", "remaining", "left",
  ])
  func `a name with an unknown word, or none with a meaning, is no flag`(name: String) {
    #expect(NameWords(name).flag() == nil)
  }

  @Test func `the name of the rows is a known word`() {
    #expect(NameWords("has_more_messages").flag() == nil)
    #expect(NameWords("has_more_messages").flag(own: ["message"]) == .more)
    #expect(NameWords("noMoreMessages").flag(own: ["message"]) == .last)
    #expect(NameWords("has_more_messages").ideaOfFlag(own: ["message"]) == "has more")
    #expect(NameWords("has_more_details").flag(own: ["message"]) == nil)
  }

  @Test func `each well-known flag is read by its words`() {
    for (name, role, service) in WellKnownNames.services {
      #expect(!service.isEmpty, "\(name)")
      guard role == .flag else { continue }
      #expect(NameWords(name).flag() != nil, "\(name)")
    }
  }
}
