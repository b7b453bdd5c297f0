import ServerAPI
import Testing

@Suite struct RedactionTests {
  private let redaction = Redaction()

  private func json(_ text: String) -> String {
    String(decoding: redaction.json(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "apikey", "apiKey",
    "X-Auth-Token", "X-Amz-Security-Token", "clientSecret", "client_secret", "ClientSecret",
    "password", "userPassword", "passwd", "X-Session", "session_id", "PHPSESSID", "X-Signature",
    "sig", "AWSAccessKeyId", "access.key", "csrfToken", "xsrf-token", "refresh_tokens", "auth",
    "X-AUTH", "page_access_token", "JWT", "privateKey",
  ])
  func `a header with a key-like name is masked`(name: String) {
    #expect(redaction.headers([name: "v"])[name] == "[redacted]")
  }

  @Test(arguments: [
    "monkey", "keyword", "author", "authors", "key", "Key-Id", "keyboard", "hockey", "page_token",
    "nextPageToken", "NextToken", "continuation-token", "secretary", "tokenizer", "compass",
    "passport", "obsession", "design", "signal", "Authenticate", "WWW-Authenticate", "side", "code",
    "primary_key", "Content-Type", "", "----",
  ])
  func `a header with a harmless name stays`(name: String) {
    #expect(redaction.headers([name: "v"])[name] == "v")
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
  func `addresses inside a text lose their secrets`(text: String, shown: String) {
    #expect(redaction.text(text) == shown)
    #expect(redaction.headers(["Location": text])["location"] == shown)
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
    // Broken, cut off, or not JSON at all.
    (#"{"token":"abc"#, #"{"token":"[redacted]""#),
    (#"{"token":"abc\"#, #"{"token":"[redacted]""#),
    (#"{"token":{"a":"b"#, #"{"token":"[redacted]""#),
    (#"{"token":abc def}"#, #"{"token":"[redacted]" def}"#),
    (#"{"token":"#, #"{"token":"#),
    (#"{"token""#, #"{"token""#),
    (#""\"#, #""\"#),
    (#"}}{"token":"a"}"#, #"}}{"token":"[redacted]"}"#),
  ])
  func `secret members of JSON are masked, broken JSON too`(text: String, shown: String) {
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
    ("", "text/plain", ""),
  ])
  func `a body is shown as its kind allows`(text: String, type: String, shown: String) {
    #expect(redaction.body(Array(text.utf8), contentType: type) == shown)
  }

  @Test func `an excerpt ends at a whole character and says how much there is`() {
    #expect(redaction.body(Array("aéé".utf8), contentType: nil, limit: 4) == "aé… (5 bytes in all)")
    #expect(redaction.body([0xFF, 0xFE], contentType: nil) == "<2 bytes>")
  }

  @Test(arguments: 1...48)
  func `a secret that the excerpt cuts does not show its beginning`(limit: Int) {
    for (text, type) in [
      (#"{"token":"QQQQQQQQQQ","next":"https://QQQ:QQQQQ@host"}"#, "application/json"),
      ("see https://QQQQQQ:QQQQQQQ@host/?token=QQQQQQQQ", "text/plain"),
      ("a=1&password=QQQQQQ%20QQQQ&b=2", "application/x-www-form-urlencoded"),
    ] {
      let shown = redaction.body(Array(text.utf8), contentType: type, limit: limit)
      #expect(!shown.utf8.contains(UInt8(ascii: "Q")), "\(shown)")
    }
  }

  @Test func `names can be added and excepted`() {
    let own = Redaction(alsoSecret: ["customer-no"], neverSecret: ["sessionToken", "key"])
    #expect(own.headers(["customerNo": "1"])["customerNo"] == "[redacted]")
    #expect(own.headers(["session_token": "1"])["session_token"] == "1")
    #expect((try? WebURL("https://h/?key=a")).map(own.url) == "https://h/?key=a")
  }

  @Test func `only the value that says so reveals secrets`() throws {
    let url = try WebURL("https://h/?token=a")
    #expect(Redaction.revealingSecrets.url(url) == "https://h/?token=a")
    #expect(Redaction.revealingSecrets.headers(["Cookie": "a"])["Cookie"] == "a")
    #expect(Redaction.revealingSecrets.text("https://u:p@h/") == "https://u:p@h/")
    #expect(Redaction.revealingSecrets != Redaction())
  }
}
