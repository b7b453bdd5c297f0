public import ItemMapping
internal import ServerAPI

/// The part of a call in which a parameter of the page goes.
///
/// ```swift
/// .pageNumber(size: 20, parameter: "p")                  // a literal is the name of a query parameter
/// .pageNumber(size: 20, parameter: .path("page"))        // /books/pages/{page}
/// .cursor(at: "next", into: .body("paging.cursor"))      // in the JSON that the call sends
/// ```
///
/// A query parameter goes into ``Call/params``, and so where ``Call/paramsIn`` sends these: into the query, a
/// form or JSON.
public enum RequestLocation: Hashable, Sendable {
  /// The parameter of the call with this name; in the query unless ``Call/paramsIn`` says otherwise.
  case query(String)
  /// Parameters of the call that are named like the members of an object.
  case members
  /// The header of this name.
  case header(String)
  /// In place of `{name}` in the address of the call.
  case path(String)
  /// In the JSON body of the call, which is created where there is none.
  case body(JSONPath)
  /// The field of this name in the form body of the call, which is created where there is none.
  case form(String)
}

extension RequestLocation: ExpressibleByStringLiteral {
  /// The name of a query parameter.
  public init(stringLiteral name: String) { self = .query(name) }
}

extension RequestLocation {
  /// Puts a value at this location.
  func put(_ value: JSONAny, in call: inout Call) throws(PagingError) {
    switch self {
    case .query(let name): call.params.set(name, value.paramValue)
    case .members:
      guard let object = value.object else {
        throw .wrongCall("the cursor has no members to send, it is \(value.excerpt)")
      }
      for (name, value) in object { call.params.set(name, value.paramValue) }
    case .header(let name): call.headers[name] = value.plainText
    case .path(let name):
      let placeholder = "{\(name)}"
      guard call.address.contains(placeholder) else {
        throw .wrongCall("the address of the call lacks the placeholder \(placeholder)")
      }
      call.address = call.address.replacing(placeholder, with: Self.escaped(value.plainText))
    case .body(let path):
      if let name = call.parameter(at: path) {
        call.params.set(name, value.paramValue)
      } else {
        try call.changeBody { $0.set(value, at: path.segments[...]) }
      }
    case .form(let name):
      if call.paramsIn == .form, call.body == nil {
        call.params.set(name, value.paramValue)
      } else {
        try call.setField(name, to: value.plainText)
      }
    }
  }

  /// Removes what would request a page from this location.
  func clear(in call: inout Call) throws(PagingError) {
    switch self {
    case .query(let name): call.params.set(name, nil)
    case .members: break
    case .header(let name): call.headers[name] = nil
    case .path: try put("", in: &call)
    case .body(let path):
      if call.body != nil {
        try call.changeBody { $0.set(nil, at: path.segments[...]) }
      } else if let name = call.parameter(at: path) {
        call.params.set(name, nil)
      }
    case .form(let name):
      if call.body != nil {
        try call.setField(name, to: nil)
      } else if call.paramsIn == .form {
        call.params.set(name, nil)
      }
    }
  }

  /// Escapes every character that could end a path segment, and the dots of `..`.
  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }
}

extension Call {
  /// The JSON object that is sent; `nil` where the body is missing or something else.
  var jsonBody: JSONView? {
    guard let bytes = bodyBytes, !bytes.isEmpty, let root = try? JSONDocument(bytes).root,
      root.kind == .object
    else { return nil }
    return root
  }

  /// The bytes that are sent; `nil` where they are not in memory.
  var bodyBytes: [UInt8]? {
    var bytes: [UInt8] = []
    for piece in body?.pieces ?? [] {
      guard case .bytes(let part) = piece else { return nil }
      bytes += part
    }
    return bytes
  }

  /// Returns the name of the parameter at a path of the JSON that is sent; `nil` where the JSON is not that of
  /// the parameters.
  fileprivate func parameter(at path: JSONPath) -> String? {
    guard paramsIn == .json, body == nil, path.segments.count == 1,
      case .name(let name)? = path.segments.first
    else { return nil }
    return name
  }

  /// Moves the parameters into the JSON that a paging has put into the body.
  mutating func mergeParams() throws(PagingError) {
    guard paramsIn == .json, body != nil, !params.isEmpty,
      let document = try? JSONDocument(params.json),
      let members = JSONAny(document.root, keepingDigits: true).object
    else { return }
    params = [:]
    try changeBody { body in
      members.allSatisfy { body.set($0.value, at: [.name($0.name)]) }
    }
  }

  /// Changes a field of the form that is sent.
  fileprivate mutating func setField(_ name: String, to value: String?) throws(PagingError) {
    if paramsIn == .json {
      throw .wrongCall(
        "the parameters of the call go into JSON, and the position of the page into a form; write"
          + " .query(…) or .body(…)")
    }
    guard let bytes = bodyBytes else {
      throw .wrongCall("the body of the call is a file, expected a form in memory")
    }
    if let body, !body.isForm {
      let type = body.contentType ?? "without a media type"
      throw .wrongCall(
        "the body of the call is \(type), expected a form; write .body(…) for JSON, or create the"
          + " body with RequestBody.form(…)")
    }
    body = .bytes(
      RequestBody.setting(name, to: value, in: bytes),
      contentType: body?.contentType ?? "application/x-www-form-urlencoded")
  }

  /// Changes the JSON that is sent.
  fileprivate mutating func changeBody(
    _ change: (inout JSONAny) -> Bool
  ) throws(PagingError) {
    if paramsIn == .form {
      throw .wrongCall(
        "the parameters of the call go into a form, and the position of the page into JSON; write"
          + " .query(…) or .form(…)")
    }
    guard let bytes = bodyBytes else {
      throw .wrongCall("the body of the call is a file, expected JSON in memory")
    }
    var json = JSONAny.object([:])
    if !bytes.isEmpty {
      do throws(JSONError) {
        json = JSONAny(try JSONDocument(bytes).root, keepingDigits: true)
      } catch {
        throw .wrongCall("the body of the call: \(error)")
      }
    }
    guard change(&json) else {
      throw .wrongCall("its place in the body of the call is within a value that is not an object")
    }
    body = .bytes(json.utf8(), contentType: body?.contentType ?? "application/json")
  }
}
