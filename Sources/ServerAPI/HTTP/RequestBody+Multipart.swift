internal import Support

extension RequestBody {
  /// One part of a `multipart/form-data` body.
  public struct Part: Hashable, Sendable {
    /// The content of a part.
    package enum Content: Hashable, Sendable {
      /// Bytes in memory.
      case bytes([UInt8])
      /// A file on disk, which is read during the upload.
      case file(path: String)
    }

    /// The name of the form field.
    package var name: String
    /// The content.
    package var content: Content
    /// The file name that is sent to the server; `nil` for a plain field.
    package var filename: String?
    /// The media type; without one, servers assume plain text.
    package var contentType: String?

    /// Creates a part.
    package init(
      name: String, content: Content, filename: String? = nil, contentType: String? = nil
    ) {
      self.name = name
      self.content = content
      self.filename = filename
      self.contentType = contentType
    }

    /// Creates a plain field.
    public static func field(_ name: String, _ text: String) -> Part {
      Part(name: name, content: .bytes(Array(text.utf8)))
    }

    /// Creates a part from bytes in memory.
    ///
    /// - Parameters:
    ///   - filename: The file name that is sent to the server; `nil` for a plain field.
    ///   - contentType: The media type; without one, servers assume plain text.
    public static func bytes(
      _ name: String, _ bytes: [UInt8], filename: String? = nil, contentType: String? = nil
    ) -> Part {
      Part(name: name, content: .bytes(bytes), filename: filename, contentType: contentType)
    }

    /// Creates a part from a file on disk. Without another `filename`, the server gets the file's own name.
    public static func file(
      _ name: String, path: String, filename: String? = nil,
      contentType: String? = "application/octet-stream"
    ) -> Part {
      let own = path.utf8.lastIndex(of: 0x2F).map { path[path.utf8.index(after: $0)...] }
      return Part(
        name: name, content: .file(path: path),
        filename: filename ?? own.map { String($0) } ?? path,
        contentType: contentType)
    }
  }

  /// Creates a `multipart/form-data` body (RFC 7578).
  ///
  /// The length of every file is read now, so that the total length can be sent up front. Names are sent in
  /// UTF-8; quotes and line breaks in them are percent-encoded, as browsers do.
  public static func multipart(_ parts: [Part]) throws(RequestError) -> RequestBody {
    let random =
      UInt64.random(in: .min ... .max).description + UInt64.random(in: .min ... .max).description
    return try multipart(parts, boundary: "quire-" + random)
  }

  static func multipart(_ parts: [Part], boundary: String) throws(RequestError) -> RequestBody {
    var pieces: [Piece] = []
    var text = ""
    for part in parts {
      text += "--\(boundary)\r\n" + (try head(of: part)) + "\r\n"
      switch part.content {
      case .bytes(let bytes): pieces.append(.bytes(Array(text.utf8) + bytes))
      case .file(let path): pieces += [.bytes(Array(text.utf8)), try filePiece(path)]
      }
      text = "\r\n"
    }
    pieces.append(.bytes(Array((text + "--\(boundary)--\r\n").utf8)))
    return RequestBody(pieces: pieces, contentType: "multipart/form-data; boundary=\(boundary)")
  }

  private static func head(of part: Part) throws(RequestError) -> String {
    var text = "Content-Disposition: form-data; name=\"\(escaped(part.name))\""
    if let filename = part.filename { text += "; filename=\"\(escaped(filename))\"" }
    text += "\r\n"
    if let type = part.contentType {
      guard !type.utf8.contains(where: \.isASCIIControl) else {
        throw WebURL.defect(
          .body, "the content type of the part “\(part.name)” contains a control character")
      }
      text += "Content-Type: \(type)\r\n"
    }
    return text
  }

  private static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == 0x22 || $0.isASCIIControl }) else { return name }
    var result = ""
    for scalar in name.unicodeScalars {
      let byte = UInt8(ascii: scalar.isASCII ? scalar : " ")
      if byte == 0x22 || byte.isASCIIControl {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
