import Testing

@testable import ItemMapping

struct NearNamesTests {
  private func near(_ missing: String, _ names: [String]) throws -> [String] {
    let members = names.map { "\(JSONAny.string($0)): [{}]" }.joined(separator: ",")
    let document = try JSONDocument("{\(members)}")
    return NearNames.near(missing, in: JSONTape.root, of: document)
  }

  @Test(arguments: [
    ("createdAt", ["created_at"]), ("created_at", ["CreatedAt"]), ("user-id", ["userID"]),
    ("title", ["titel"]), ("title", ["tittle"]), ("title", ["itle"]), ("title", ["Titles"]),
    ("price", ["prize"]), ("größe", ["grösse"]), ("名前の一覧", ["名前一覧"]),
  ])
  func `a typing error is found`(missing: String, names: [String]) throws {
    #expect(try near(missing, ["other"] + names + ["last"]) == names)
  }

  @Test(arguments: [
    ("title", ["name"]), ("title", ["tiXXXe"]), ("id", ["it"]), ("url", ["u"]),
    ("name", ["game_s"]),
    ("title", ["title"]), ("title", []), ("", ["a"]), ("a", [""]), ("a", ["b"]), ("name", ["mane"]),
    ("title", ["subtitle"]),
  ])
  func `a different word is not similar`(missing: String, names: [String]) throws {
    #expect(try near(missing, names) == [])
  }

  @Test func `the best come first, without repeats, three at most`() throws {
    let names = [
      "pablisht", "publishe", "published_", "publishad", "PUBLISHED", "publishe", "publixhed",
    ]
    #expect(try near("published", names) == ["published_", "PUBLISHED", "publishe"])
  }

  @Test func `only the first names of a large object are compared`() throws {
    let names = (0..<NearNames.maximumCompared).map { "member\($0)" }
    #expect(try near("title", names + ["titel"]) == [])
    #expect(try near("title", names.dropLast() + ["titel"]) == ["titel"])
    let long = String(repeating: "x", count: 100_000)
    #expect(try near("title", [long, "titel"]) == ["titel"])
    #expect(try near(long, [long + "x"]) == [])
  }

  @Test func `a value that is not an object has no names`() throws {
    for text in ["[]", "1", "null", #""title""#, "{}"] {
      let document = try JSONDocument(text)
      #expect(NearNames.near("title", in: JSONTape.root, of: document) == [])
    }
  }
}
