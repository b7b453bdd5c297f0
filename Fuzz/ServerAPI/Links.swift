import Support

@testable import ServerAPI

/// Reads any text as the value of a `Link` field. It must not crash. There must be no more links than opening
/// brackets, and a link that is formatted again must read back as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLinks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let page = try? WebURL("https://host/a/b?c") else {
    preconditionFailure("the address can't be parsed")
  }

  let links = (["Link": text] as HTTPHeaders).links
  precondition(links.count <= text.utf8.count { $0 == 0x3C }, "\(text) has \(links.count) links")
  let written = links.map(field).joined(separator: ", ")
  let again = (["Link": written] as HTTPHeaders).links
  precondition(again == links, "“\(written)” reads as \(again)")

  for link in links {
    precondition(!link.target.utf8.contains(0x3E), "\(link) contains its closing bracket")
    for relation in link.relations {
      precondition(!relation.utf8.contains { $0.isBlank }, "“\(relation)” is two relations")
    }
    if let url = try? link.url(from: page) { _ = link.isAbout(url) }
  }
  let response = HTTPResponse(headers: ["Link": text], url: page)
  precondition(response.link("NEXT")?.isAbout(page) ?? true)
  return 0
}

/// Formats a link as a server would. Only a value with a language must be encoded.
private func field(_ link: HTTPHeaders.Link) -> String {
  func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 { bytes += byte == 0x22 || byte == 0x5C ? [0x5C, byte] : [byte] }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }
  var text = "<\(link.target)>; rel=\(quoted(link.relations.joined(separator: " ")))"
  if let anchor = link.anchor { text += "; anchor=\(quoted(anchor))" }
  let encodedNames = Set(link.attributes.filter { $0.language != nil }.map(\.name))
  for attribute in link.attributes {
    // An attribute with one of these names was encoded; otherwise it would not be an attribute.
    if encodedNames.contains(attribute.name) || ["rel", "anchor"].contains(attribute.name) {
      let value = PercentEncoding.component.encode(attribute.value)
      text += "; \(attribute.name)*=\(quoted("UTF-8'\(attribute.language ?? "")'\(value)"))"
    } else {
      text += "; \(attribute.name)=\(quoted(attribute.value))"
    }
  }
  return text
}
