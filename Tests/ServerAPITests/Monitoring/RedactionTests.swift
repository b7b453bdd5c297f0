import ServerAPI
import Testing

@Suite struct RedactionTests {
  private let redaction = Redaction()

  private func shown(
    _ name: String, _ value: String = "v", isRequest: Bool, by redaction: Redaction = Redaction()
  ) throws -> String? {
    let url = try WebURL("https://h/")
    return isRequest
      ? redaction.headers(of: HTTPRequest(.get, url, headers: [name: value]))[name]
      : redaction.headers(of: HTTPResponse(status: 200, headers: [name: value], url: url))[name]
  }

  private func json(_ text: String) -> String {
    String(decoding: redaction.json(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "apikey", "apiKey",
    "X-Auth-Token", "X-Amz-Security-Token", "clientSecret", "client_secret", "ClientSecret",
    "password", "userPassword", "passwd", "X-Session", "session_id", "PHPSESSID", "X-Signature",
    "sig", "AWSAccessKeyId", "access.key", "csrfToken", "xsrf-token", "refresh_tokens", "auth",
    "X-AUTH", "page_access_token", "JWT", "privateKey", "X-Functions-Key", "DD-APPLICATION-KEY",
    "X-Appwrite-Key", "key", "primary_key",
  ])
  func `a header with a key-like name is masked`(name: String) throws {
    #expect(try shown(name, isRequest: true) == "[redacted]")
    #expect(try shown(name, isRequest: false) == "[redacted]")
  }

  @Test(arguments: [
    "X-User-Id", "X-Forwarded-User", "Impersonate-User", "X-Tenant-Id", "X-Account-Number",
    "author",
    "X-Made-Up", "Referer", "Origin", "baggage", "Accept-As", "X-GitHub-Api-Version",
  ])
  func `a request header is masked unless it describes the request`(name: String) throws {
    #expect(try shown(name, isRequest: true) == "[redacted]")
    #expect(try shown(name, isRequest: false) == "v")
    let open = Redaction(neverSecret: [name])
    #expect(try shown(name, isRequest: true, by: open) == "v")
  }

  @Test(arguments: [
    "Accept", "accept-language", "User-Agent", "Range", "If-Range", "traceparent", "X-Request-Id",
    "Content-Type", "If-None-Match", "Cache-Control", "Content-Length",
  ])
  func `a request header that describes the request is not masked`(name: String) throws {
    #expect(try shown(name, isRequest: true) == "v")
  }

  @Test(arguments: [
    "monkey", "keyword", "author", "authors", "Key-Id", "startKey", "sort_key", "keyboard",
    "hockey", "page_token",
    "nextPageToken", "NextToken", "continuation-token", "secretary", "tokenizer", "compass",
    "passport", "obsession", "design", "signal", "Authenticate", "WWW-Authenticate", "side", "code",
    "Content-Type", "", "----",
  ])
  func `a response header with a harmless name is not masked`(name: String) throws {
    #expect(try shown(name, isRequest: false) == "v")
  }

  @Test(arguments: [
    ("https://h/?page=2&api_key=abc", "https://h/?page=2&api_key=[redacted]"),
    ("https://h/?key=AIza", "https://h/?key=[redacted]"),
    ("https://h/?access%5Ftoken=a", "https://h/?access%5Ftoken=[redacted]"),
    ("https://h/?token=a=b;c'd", "https://h/?token=[redacted]"),
    ("https://h/?token=&q=1", "https://h/?token=&q=1"),
    (
      "https://h/?user[password]=x&user[name]=y",
      "https://h/?user%5Bpassword%5D=[redacted]&user%5Bname%5D=y"
    ),
    ("https://h/?token", "https://h/?token"),
    ("https://h/token/abc", "https://h/token/abc"),
    ("https://h/?keyword=swift&author=x", "https://h/?keyword=swift&author=x"),
    ("https://h/?a=1;token=x;b=2", "https://h/?a=1;token=[redacted]"),
    (
      "https://h/?client_assertion=x&code_verifier=y",
      "https://h/?client_assertion=[redacted]&code_verifier=[redacted]"
    ),
    ("https://h/?SAMLResponse=x&hmac=y", "https://h/?SAMLResponse=[redacted]&hmac=[redacted]"),
    ("https://h/?functions_key=x&startkey=y", "https://h/?functions_key=[redacted]&startkey=y"),
  ])
  func `secret parameters of an address are masked`(address: String, shown: String) throws {
    #expect(redaction.url(try WebURL(address)) == shown)
  }

  @Test(arguments: [
    ("see https://me:pw@host/x", "see https://[redacted]@host/x"),
    ("https://a@b@host/", "https://[redacted]@host/"),
    ("</next?token=a&page=2>; rel=next", "</next?token=[redacted]&page=2>; rel=next"),
    ("/done#access_token=a", "/done#access_token=[redacted]"),
    ("?a=1&amp;token=b", "?a=1&amp;token=[redacted]"),
    ("mail me@host.example", "mail me@host.example"),
    ("https://host/me@x", "https://host/me@x"),
  ])
  func `secrets of addresses in a text are masked`(text: String, shown: String) throws {
    #expect(redaction.text(text) == shown)
    #expect(try self.shown("Location", text, isRequest: false) == shown)
  }

  @Test(arguments: [
    (#"{"token":"a","page":2}"#, #"{"token":"[redacted]","page":2}"#),
    (#"{ "password" : "a\"b", "x": 1 }"#, #"{ "password" : "[redacted]", "x": 1 }"#),
    (#"{"secret":12345,"a":[1]}"#, #"{"secret":"[redacted]","a":[1]}"#),
    (#"{"token":{"v":"}"},"a":1}"#, #"{"token":"[redacted]","a":1}"#),
    (#"{"tokens":["a","]"],"a":1}"#, #"{"tokens":"[redacted]","a":1}"#),
    (#"{"token":null}"#, #"{"token":null}"#),
    (#"{"tok\u0065n":"a"}"#, #"{"tok\u0065n":"[redacted]"}"#),
    (
      #"{"key":"a","author":"b","nextPageToken":"c"}"#,
      #"{"key":"a","author":"b","nextPageToken":"c"}"#
    ),
    (
      #"{"next":"https:\/\/u:p@h\/?a=1\u0026token=x"}"#,
      #"{"next":"https:\/\/[redacted]@h\/?a=1\u0026token=[redacted]"}"#
    ),
    (#"["token","a"]"#, #"["token","a"]"#),
    // Invalid, truncated, or not JSON at all.
    (#"{"token":"abc"#, #"{"token":"[redacted]""#),
    (#"{"token":"abc\"#, #"{"token":"[redacted]""#),
    (#"{"token":{"a":"b"#, #"{"token":"[redacted]""#),
    (#"{"token":abc def}"#, #"{"token":"[redacted]" def}"#),
    (#"{"token":"#, #"{"token":"#),
    (#"{"token""#, #"{"token""#),
    (#""\"#, #""\"#),
    (#"}}{"token":"a"}"#, #"}}{"token":"[redacted]"}"#),
  ])
  func `secret members of JSON are masked, even in invalid JSON`(text: String, shown: String) {
    #expect(json(text) == shown)
  }

  @Test(arguments: [
    (
      "user=a&password=b c", "application/x-www-form-urlencoded; charset=utf-8",
      "user=a&password=[redacted]"
    ),
    (#"  {"token":"a"}"#, "text/plain", #"  {"token":"[redacted]"}"#),
    (#"{"token":"a"}"#, "Application/Problem+JSON", #"{"token":"[redacted]"}"#),
    ("a\0b", "text/plain", "<3 bytes of text/plain>"),
    (
      "--x\r\nname=\"password\"\r\n\r\nabc", "multipart/form-data; boundary=x",
      "<27 bytes of multipart/form-data>"
    ),
    ("--x", "multipart/\u{301}x", "<3 bytes of multipart/\u{301}x>"),
    ("", "text/plain", ""),
  ])
  func `a body is shown according to its type`(text: String, type: String, shown: String) {
    #expect(redaction.body(Array(text.utf8), contentType: type) == shown)
  }

  @Test func `an excerpt ends at a complete character and has the total size`() {
    #expect(
      redaction.body(Array("aéé".utf8), contentType: nil, limit: 4) == "aé… (5 bytes in total)")
    #expect(redaction.body([0xFF, 0xFE], contentType: nil) == "<2 bytes>")
  }

  @Test(arguments: 1...48)
  func `a secret that the excerpt truncates is masked completely`(limit: Int) {
    for (text, type) in [
      (#"{"token":"QQQQQQQQQQ","next":"https://QQQ:QQQQQ@host"}"#, "application/json"),
      ("see https://QQQQQQ:QQQQQQQ@host/?token=QQQQQQQQ", "text/plain"),
      ("a=1&password=QQQQQQ%20QQQQ&b=2", "application/x-www-form-urlencoded"),
      ("password=QQQQQQ&b=2", ""), ("here it is:\n{\"token\": \"QQQQQQQ\"}", "text/plain"),
    ] {
      let shown = redaction.body(Array(text.utf8), contentType: type, limit: limit)
      #expect(!shown.utf8.contains(UInt8(ascii: "Q")), "\(shown)")
    }
  }

  @Test func `names can be added and excluded`() throws {
    let own = Redaction(alsoSecret: ["customer-no"], neverSecret: ["sessionToken", "key"])
    #expect(try shown("customerNo", isRequest: false, by: own) == "[redacted]")
    #expect(try shown("session_token", isRequest: false, by: own) == "v")
    #expect(try shown("session_token", isRequest: true, by: own) == "v")
    #expect((try? WebURL("https://h/?key=a")).map(own.url) == "https://h/?key=a")
  }

  @Test(arguments: [#"clé"#, #"cl\u00e9"#, #"\u0063l\u00E9"#])
  func `an added name is masked however it is escaped`(_ name: String) {
    let own = Redaction(alsoSecret: ["clé"])
    let shown = own.json(Array(#"{"\#(name)": "v", "a": 1}"#.utf8))
    #expect(String(decoding: shown, as: UTF8.self) == #"{"\#(name)": "[redacted]", "a": 1}"#)
  }

  @Test func `only revealingSecrets reveals secrets`() throws {
    let url = try WebURL("https://h/?token=a")
    #expect(Redaction.revealingSecrets.url(url) == "https://h/?token=a")
    #expect(try shown("Cookie", isRequest: true, by: .revealingSecrets) == "v")
    #expect(try shown("Set-Cookie", isRequest: false, by: .revealingSecrets) == "v")
    #expect(Redaction.revealingSecrets.text("https://u:p@h/") == "https://u:p@h/")
    #expect(Redaction.revealingSecrets != Redaction())
  }
}
