import Support
import Testing

@testable import ServerAPI

@Suite struct CurlCommandLineTests {
  private let url: WebURL

  init() throws { url = try WebURL("https://h/books?page=2&token=abc") }

  @Test func `a read becomes a short command without secrets`() {
    let request = HTTPRequest(
      .get, url,
      headers: ["Accept": "application/json", "Authorization": "Bearer abc", "X-Empty": ""])
    #expect(
      CurlCommandLine(request).description == #"""
        curl \
          --globoff \
          --header 'Accept: application/json' \
          --header 'Authorization: [redacted]' \
          --header 'X-Empty;' \
          'https://h/books?page=2&token=[redacted]'
        """#)
    #expect(
      CurlCommandLine(request, redaction: .revealingSecrets).description == #"""
        curl \
          --header 'Accept: application/json' \
          --header 'Authorization: Bearer abc' \
          --header 'X-Empty;' \
          'https://h/books?page=2&token=abc'
        """#)
  }

  @Test func `a command contains a text body, with its secrets masked`() throws {
    let body = RequestBody.bytes(
      #"{"name":"O'Neil","password":"x"}"#.utf8, contentType: "application/json")
    let request = HTTPRequest(.post, try WebURL("https://h/"), body: body)
    #expect(
      CurlCommandLine(request).description == #"""
        curl \
          --request POST \
          --header 'Content-Type: application/json' \
          --data-raw '{"name":"O'\''Neil","password":"[redacted]"}' \
          https://h/
        """#)
  }

  @Test(arguments: [
    (
      RequestBody(pieces: [.file(path: "/tmp/a b", length: 3)], contentType: nil),
      "--data-binary '@/tmp/a b'"
    ),
    (RequestBody.bytes([0, 1]), "--data-binary @body"),
    (
      RequestBody.bytes("--x".utf8, contentType: "multipart/form-data; boundary=x"),
      "--data-binary @body"
    ),
    (RequestBody.bytes("--x".utf8, contentType: "multipart/\u{301}x"), "--data-binary @body"),
    (RequestBody(pieces: [], contentType: nil), "--data-raw ''"),
  ])
  func `files and binary bodies are named`(body: RequestBody, argument: String) {
    let command = CurlCommandLine(HTTPRequest(.put, url, body: body)).description
    #expect(command.contains("  \(argument) \\\n"))
  }

  @Test func `a body of bytes and files becomes a pipe when secrets are revealed`() throws {
    let body = RequestBody(
      pieces: [.bytes(Array("a'\0".utf8)), .file(path: "/tmp/f", length: 9)], contentType: "a/b")
    let request = HTTPRequest(.post, try WebURL("https://h/"), body: body)
    #expect(
      CurlCommandLine(request, redaction: .revealingSecrets).description == #"""
        { printf 'a\047\000'; head -c 9 /tmp/f; } | curl \
          --request POST \
          --header 'Content-Type: a/b' \
          --data-binary @- \
          https://h/
        """#)
  }

  @Test func `a shell reads every quoted text unchanged`() throws {
    let texts = [
      "", "plain", "two words", "it's", "$HOME `id` $(id)", #"back\slash\n"#, "line\nline", "*?[a]",
      "é😀", "-n", "a\"b", "';:'", "!x", "#",
    ]
    let command = "printf '%s|' " + texts.map(CurlCommandLine.quoted).joined(separator: " ")
    let output = try #require(popen(command, "r"))
    var read: [UInt8] = []
    while let byte = UInt8(exactly: fgetc(output)) { read.append(byte) }
    #expect(pclose(output) == 0)
    #expect(String(decoding: read, as: UTF8.self) == texts.map { $0 + "|" }.joined())
  }
}
