import Testing

@testable import ItemMapping

struct IRegexpTests {
  private func matches(_ pattern: String, _ text: String, isSearch: Bool = false) throws -> Bool {
    let expression = try #require(IRegexp(pattern))
    return Array(text.utf8).withUnsafeBufferPointer {
      expression.matches($0, isSearch: isSearch) { _ in }
    }
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a|b", "b", true), ("a|", "", true),
    ("(ab)*", "ababab", true),
    ("(ab)*", "aba", false), ("a+b?", "aaa", true), ("a{2}", "aa", true), ("a{2}", "aaa", false),
    ("a{2,}", "aaaa", true), ("a{1,3}", "aaaa", false), ("a{0}", "", true), (".", "\n", false),
    (".", "😀", true), ("[^a-c]", "d", true), ("[^a-c]", "b", false), ("[-a]+", "-a", true),
    ("[a-]", "-", true), ("[\\]\\\\]", "]", true), ("\\p{Lu}\\P{Lu}", "Ä1", true),
    ("[\\p{L}\\p{Nd}]+", "aß9", true), ("\\.\\n\\t", ".\n\t", true), ("^a$", "a", true),
    ("(a*)*", "aaaa", true), ("((a|b)c){2}", "acbc", true),
  ])
  func `a pattern matches the whole text or not`(pattern: String, text: String, isMatch: Bool)
    throws
  {
    #expect(try matches(pattern, text) == isMatch)
  }

  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("b$", "abc", false),
    ("", "", true), ("x", "", false), ("b.d", "aabcdd", true),
  ])
  func `a search matches any part`(pattern: String, text: String, isFound: Bool) throws {
    #expect(try matches(pattern, text, isSearch: true) == isFound)
  }

  @Test(arguments: [
    "(", ")", "*", "a**", "[", "[]", "[b-a]", "[a--]", "a{", "a{2", "a{2,1}", "a{x}", "\\", "\\d",
    "\\p{Xx}", "\\p{", "a{99999999}", "(a{100}){1000}", "((){9999}){9999}",
    String(repeating: "(", count: 100_000),
  ])
  func `an invalid or too long pattern is rejected`(pattern: String) {
    #expect(IRegexp(pattern) == nil)
  }

  @Test(arguments: [("[^abc]*", 3), ("[^a-cd-fg-i]*", 3), ("[zabc]*", 1), ("(z|a|b)*", 3)])
  func `each comparison of a character is a step`(pattern: String, least: Int) throws {
    let expression = try #require(IRegexp(pattern))
    var steps: [Int] = []
    for length in [1_000, 2_000] {
      var count = 0
      let text = Array(repeating: UInt8(ascii: "z"), count: length)
      let isMatch = text.withUnsafeBufferPointer {
        expression.matches($0, isSearch: false) { count += $0 }
      }
      #expect(isMatch)
      steps.append(count)
    }
    #expect(steps[1] - steps[0] >= 1_000 * least)
    #expect(steps[1] - steps[0] < 1_000 * (least + 30))
  }

  @Test func `a pattern can't be made to run forever`() throws {
    let text = String(repeating: "a", count: 2_000)
    #expect(try !matches("(a*)*(a|aa)+b", text))
    #expect(try matches("(a?){500}a{500}", String(repeating: "a", count: 700)))
  }
}
