import ServerAPI
import Testing

@Suite struct URLReferenceTests {
  @Test(arguments: [
    ("next", "http://host/list/page/next"),
    ("./next", "http://host/list/page/next"),
    ("../other", "http://host/list/other"),
    ("../../../../top", "http://host/top"),
    ("/", "http://host/"),
    ("//other:81/x", "http://other:81/x"),
    ("?p=2", "http://host/list/page/7;v=1?p=2"),
    ("", "http://host/list/page/7;v=1?p=1"),
    ("#end", "http://host/list/page/7;v=1?p=1#end"),
    ("a/./b/../c", "http://host/list/page/a/c"),
    ("a/..", "http://host/list/page/"),
    (".", "http://host/list/page/"),
    ("..hidden", "http://host/list/page/..hidden"),
    ("x?y=../z", "http://host/list/page/x?y=../z"),
    ("x#../z", "http://host/list/page/x#../z"),
    ("mailto:a@b", "mailto:a@b"),
    ("a:/b/../c", "a:/c"),
    ("a:b/../c", "a:/c"),
    ("a:/.//b", "a:/.//b"),
    ("5:6", "http://host/list/page/5:6"),
    ("/x//y/../z", "http://host/x//z"),
  ])
  func `a reference resolves as in RFC 3986`(_ reference: String, _ expected: String) {
    let base = URLReference("http://host/list/page/7;v=1?p=1#here")
    #expect(URLReference(reference).resolved(against: base).description == expected)
  }

  @Test func `a base without a path gets a slash`() {
    let base = URLReference("http://host")
    #expect(URLReference("x").resolved(against: base).description == "http://host/x")
  }

  @Test func `a combining character after a separator does not hide it`() {
    let reference = URLReference("s:\u{301}//h/\u{301}p?\u{301}q#\u{301}f")
    #expect(reference.scheme == "s")
    #expect(reference.query == "\u{301}q")
    #expect(reference.fragment == "\u{301}f")
    #expect(URLReference("//h/\u{301}p").authority == "h")
    #expect(
      URLReference("/a/\u{301}/../b").resolved(against: URLReference("http://h")).path == "/a/b")
  }

  @Test(arguments: [
    "", "a", "//", "///", "?", "#", "?#", "a:", "http://h?q#f", "/a//b/", "::", "%",
  ])
  func `a split reference is recomposed unchanged`(_ text: String) {
    #expect(URLReference(text).description == text)
  }
}
