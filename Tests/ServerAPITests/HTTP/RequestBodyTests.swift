import Foundation
import Testing

@testable import ServerAPI

@Suite struct RequestBodyTests {
  /// A folder that is removed with the test.
  private final class Folder {
    let path = NSTemporaryDirectory() + "quire-body-" + UUID().uuidString
    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func write(_ text: String, to name: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
      return path + "/" + name
    }
  }

  private func text(_ body: RequestBody) throws -> String {
    let bytes = try body.bytes()
    #expect(bytes.count == body.length)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a form is encoded by the rules of WHATWG`() throws {
    let body = RequestBody.form(
      ["a b": "1&2", "m": "*-._~+é", "t": ["x", "y"]], arrayEncoding: .brackets)
    #expect(try text(body) == "a+b=1%262&m=*-._%7E%2B%C3%A9&t%5B%5D=x&t%5B%5D=y")
    #expect(body.contentType == "application/x-www-form-urlencoded")
    #expect(try text(.form([:])) == "")
  }

  @Test(
    arguments: [
      ("", "p", "2", "p=2"), ("q=a+b", "p", "2", "q=a+b&p=2"),
      ("p=1&q=%61&p=3", "p", "2", "p=2&q=%61"),
      ("p=1&q=a", "p", nil, "q=a"), ("a%20b=1&c", "a b", "x y", "a+b=x+y&c"),
      ("q=a", "p", nil, "q=a"),
    ] as [(String, String, String?, String)])
  func `a field of a form is set in place`(
    _ form: String, _ name: String, _ value: String?, _ expected: String
  ) {
    let bytes = RequestBody.setting(name, to: value, in: Array(form.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test(
    arguments: [
      ("application/x-www-form-urlencoded", true),
      ("Application/X-WWW-Form-Urlencoded ; charset=x", true),
      ("application/json", false), (nil, false),
    ] as [(String?, Bool)])
  func `a form is recognized by its media type`(_ type: String?, _ isForm: Bool) {
    #expect(RequestBody(pieces: [], contentType: type).isForm == isForm)
  }

  @Test func `a value becomes JSON with the encoder given`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let body = try RequestBody.json(["b": 2, "a": 1], encoder: encoder)
    #expect(try text(body) == #"{"a":1,"b":2}"#)
    #expect(body.contentType == "application/json")
  }

  @Test func `a value that can't be encoded as JSON is rejected by type`() throws {
    let error = try #require(throws: RequestError.self) { try RequestBody.json([Double.nan]) }
    guard case .invalidRequest(let defect) = error.kind else {
      Issue.record("\(error.kind)")
      return
    }
    #expect(defect.place == .body)
    #expect(defect.problem.hasPrefix("Array<Double> can't be encoded as JSON"))
  }

  @Test func `multipart bytes are exact`() throws {
    let folder = try Folder()
    let file = try folder.write("file\r\ncontent", to: "notes.txt")
    let body = try RequestBody.multipart(
      [
        .field("title", "Ü1"), .file("upload", path: file, contentType: "text/plain"),
        .bytes("raw", [0x41], filename: "a.bin", contentType: "x/y"),
      ], boundary: "BOUND")
    #expect(body.contentType == "multipart/form-data; boundary=BOUND")
    #expect(
      try text(body) == """
        --BOUND\r
        Content-Disposition: form-data; name="title"\r
        \r
        Ü1\r
        --BOUND\r
        Content-Disposition: form-data; name="upload"; filename="notes.txt"\r
        Content-Type: text/plain\r
        \r
        file\r\ncontent\r
        --BOUND\r
        Content-Disposition: form-data; name="raw"; filename="a.bin"\r
        Content-Type: x/y\r
        \r
        A\r
        --BOUND--\r\n
        """)
    let renamed = RequestBody.Part.file("upload", path: file, filename: "b.txt", contentType: nil)
    #expect(
      try text(try .multipart([renamed], boundary: "B"))
        == "--B\r\nContent-Disposition: form-data; name=\"upload\"; filename=\"b.txt\"\r\n\r\n"
        + "file\r\ncontent\r\n--B--\r\n")
    let empty = try RequestBody.multipart([], boundary: "B")
    #expect(try text(empty) == "--B--\r\n")
  }

  @Test func `names can't break out of their part`() throws {
    let part = RequestBody.Part(
      name: "a\"\r\nb\0", content: .bytes([]), filename: "ü\"\\.txt\r\n\r\nevil")
    let written = try text(try .multipart([part], boundary: "B"))
    #expect(
      written
        == "--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0Ab%00\";"
        + " filename=\"ü%22\\.txt%0D%0A%0D%0Aevil\"\r\n\r\n\r\n--B--\r\n")
    let injected = RequestBody.Part(name: "a", content: .bytes([]), contentType: "x/y\r\nEvil: 1")
    #expect(throws: RequestError.self) { try RequestBody.multipart([injected]) }
  }

  @Test func `two multipart bodies have two boundaries`() throws {
    let parts = [RequestBody.Part.field("a", "b")]
    #expect(try RequestBody.multipart(parts) != RequestBody.multipart(parts))
  }

  @Test func `a reader gives the same bytes in pieces of any size and again after rewinding`()
    throws
  {
    let folder = try Folder()
    let file = try folder.write("0123456789", to: "digits")
    let body = RequestBody(
      pieces: [
        .bytes([]), .bytes(Array("abc".utf8)), .file(path: file, length: 10),
        .file(path: file, length: 0), .file(path: file, length: 4), .bytes(Array("z".utf8)),
      ], contentType: nil)
    var reader = RequestBody.Reader(body)
    for size in [1, 3, 7, 100] {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
      defer { buffer.deallocate() }
      var bytes: [UInt8] = []
      while case let count = try reader.read(into: buffer), count > 0 { bytes += buffer[..<count] }
      #expect(String(decoding: bytes, as: UTF8.self) == "abc01234567890123z")
      #expect(try reader.read(into: buffer) == 0)
      reader.rewind()
      _ = try reader.read(into: buffer)
      reader.rewind()
    }
  }

  @Test func `a path that is not a file is rejected when the body is created`() throws {
    let folder = try Folder()
    for path in [folder.path, folder.path + "/missing", "/dev/null", "/etc/host\0name"] {
      let error = try #require(throws: RequestError.self) { try RequestBody.file(path: path) }
      guard case .invalidRequest(let defect) = error.kind else {
        Issue.record("\(error.kind)")
        return
      }
      #expect(defect.place == .body)
      #expect(defect.problem.contains(path))
    }
  }

  @Test func `a file that was removed or truncated fails with its path`() throws {
    let folder = try Folder()
    let file = try folder.write("0123456789", to: "digits")
    let body = try RequestBody.file(path: file)
    _ = try folder.write("0123", to: "digits")
    let shorter = "the file \(file) can't be read: it ends at byte 4, shorter than before"
    #expect(throws: RequestError(.invalidRequest(.init(.body, shorter)))) { try body.bytes() }
    _ = try folder.write("0123456789 and more", to: "digits")
    #expect(try text(body) == "0123456789")
    try FileManager.default.removeItem(atPath: file)
    let gone = "the file \(file) can't be read: No such file or directory"
    #expect(throws: RequestError(.invalidRequest(.init(.body, gone)))) { try body.bytes() }
  }

  @Test func `huge lengths do not overflow`() {
    let huge = RequestBody.Piece.file(path: "/x", length: .max)
    #expect(RequestBody(pieces: [huge, huge], contentType: nil).length == .max)
  }
}
