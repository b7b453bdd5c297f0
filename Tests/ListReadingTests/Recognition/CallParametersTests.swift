import ServerAPI
import Testing

@testable import ListReading

struct CallParametersTests {
  @Test(arguments: [
    ("/books?page=2&q=", "page=2 q="), ("?page=2", "page=2"), ("https://h?page=2#a?b=1", "page=2"),
    ("/books?&&page=2&", "page=2"), ("?page%5Bsize%5D=2&flag", "page[size]=2 flag="),
    ("/a\u{600}?page=2", "page=2"), ("/a?\u{301}x=1&page=2", "\u{301}x=1 page=2"),
    ("/a?x=1\u{600}&page=2", "x=1\u{600} page=2"),
    ("/a?page=2&\u{301}y=\u{301}1", "page=2 \u{301}y=\u{301}1"),
    ("/a?page=2\u{600}#b", "page=2\u{600}"), ("/a?page=2#\u{301}&b=1", "page=2"), ("/books", ""),
    ("/a?q=1?2=3", "q=1?2=3"),
  ])
  func `the parameters in an address are those that are sent`(address: String, expected: String) {
    let parameters = CallParameters(of: Call(address)).all.map { "\($0.name)=\($0.value)" }
    #expect(parameters.joined(separator: " ") == expected)
  }
}
