import Testing

@testable import ListReading

struct NameWordsTests {
  @Test(arguments: [
    ("nextPageToken", "next page token"), ("next_page_token", "next page token"),
    ("NEXT-PAGE-TOKEN", "next page token"), ("nextpagetoken", "next pagetoken"),
    ("@odata.nextLink", "odata next link"), ("hydra:next", "hydra next"), ("__next", "next"),
    ("nextURLList", "next url list"), ("page[size]", "page size"), ("$skip", "skip"),
    ("continuationtoken", "continuation token"), ("totalresults", "total results"), ("", ""),
    ("日本", "日本"), ("-_.", ""), ("ID", "id"), ("LastEvaluatedKey", "last evaluated key"),
  ])
  func `a name is split into its words`(name: String, words: String) {
    #expect(NameWords(name).text == words)
  }

  @Test func `the words of a name don't depend on other spellings that were read before`() {
    let composed = "nombreCr\u{E9}\u{E9}"
    let others = ["nombreCre\u{301}e\u{301}", "nombreCr\u{E9}e\u{301}", "\u{212A}ind"]
    for name in others + [composed, "Kind"] {
      #expect(KnownNames.words(of: name) == NameWords(splitting: name))
      #expect(KnownNames.ideas(of: name) == NameWords(splitting: name).ideas)
    }
    #expect(NameWords(others[0]).text == "nombre cre e")
    #expect(NameWords(composed).text == "nombre cr\u{E9}\u{E9}")
  }

  @Test func `Unicode says the same of the characters of ASCII`() {
    for value in UInt8.min..<0x80 {
      let scalar = Unicode.Scalar(value)
      let (letter, properties) = (NameWords.Letter(scalar), scalar.properties)
      #expect(letter.isUpper == properties.isUppercase)
      #expect(letter.isLower == properties.isLowercase)
      #expect(letter.isAlphabetic == properties.isAlphabetic)
      #expect(letter.isPart == (properties.isAlphabetic || properties.numericType != nil))
      var text = ""
      letter.appendLowercase(to: &text)
      #expect(text == properties.lowercaseMapping)
    }
  }

  @Test(arguments: [
    (NameStyle.camel, "nextPageToken"), (.snake, "next_page_token"), (.pascal, "NextPageToken"),
    (.kebab, "next-page-token"), (.flat, "nextpagetoken"),
  ])
  func `words are spelled in a style, and the style is found again`(style: NameStyle, name: String) {
    #expect(style.spell(NameWords("nextPageToken")) == name)
    #expect(NameStyle(of: name) == (style == .flat ? nil : style))
  }

  @Test(arguments: [
    ("has_more", "has more"), ("hasNextPage", "has more"), ("IsTruncated", "has more"),
    ("isLast", "is last"), ("endOfRecords", "is last"), ("nbPages", "total pages"),
    ("page_count", "total pages"), ("last_visible_page", "last page"), ("pageIndex", "page number"),
  ])
  func `a name says what it is a form of`(name: String, idea: String) {
    #expect(NameWords(name).ideas.contains(idea))
  }

  @Test func `parameters go with the page size`() {
    #expect(TwinNames.pages(for: "_per_page").first == "_page")
    #expect(TwinNames.pages(for: "page[size]") == ["page[number]"])
    #expect(TwinNames.pages(for: "pageSize").contains("pageNumber"))
    #expect(TwinNames.offsets(for: "$top").first == "$skip")
    #expect(TwinNames.offsets(for: "sysparm_limit").first == "sysparm_offset")
    #expect(TwinNames.offsets(for: "resultRecordCount").first == "resultOffset")
  }
}
