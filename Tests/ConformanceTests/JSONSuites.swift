import Foundation
import ItemMapping
import Testing

@Suite(.enabled(if: suites != nil, "set QUIRE_SUITES to the folder of the conformance suites"))
struct JSONSuites {
  private func document(_ name: String) throws -> JSONDocument {
    let file = URL(fileURLWithPath: try #require(suites)).appendingPathComponent(name)
    return try JSONDocument(Data(contentsOf: file))
  }

  private func bytes(_ text: JSONView) throws -> Data {
    let base64 = try #require(text["base64"]?.string)
    return try #require(Data(base64Encoded: base64))
  }

  @Test func `every parsing case is accepted or rejected as specified`() throws {
    let cases = try #require(try document("json-parsing.json").root["cases"])
    #expect(cases.count == 318)
    for each in cases.elements {
      let name = try #require(each["name"]?.string)
      let read = Result { try JSONDocument(bytes(each)) }
      switch each["expect"]?.string {
      case "accept": #expect(throws: Never.self, "\(name)") { try read.get() }
      case "reject":
        let error = #expect(throws: JSONError.self, "\(name)") { try read.get() }
        #expect(error.map { !$0.expected.isEmpty } == true, "\(name)")
      default: if let view = try? read.get().root { _ = JSONAny(view, keepingDigits: true).text() }
      }
    }
  }

  @Test func `unusual documents are copied without changes`() throws {
    let cases = try #require(try document("json-transform-inputs.json").root["cases"])
    #expect(cases.count == 22)
    for each in cases.elements {
      guard let read = try? JSONDocument(bytes(each)) else { continue }
      let value = JSONAny(read.root, keepingDigits: true)
      #expect(try JSONAny(JSONDocument(value.text()).root, keepingDigits: true) == value)
    }
  }

  @Test func `every JSON Pointer finds the value of RFC 6901`() throws {
    let root = try document("json-pointer-rfc6901.json").root
    let target = try #require(root["document"])
    let pointers = try #require(root["pointers"])
    #expect(pointers.count > 10)
    for each in pointers.elements {
      let path = try JSONPath(pointer: try #require(each["pointer"]?.string))
      #expect(target[path].map { JSONAny($0) } == each["value"].map { JSONAny($0) }, "\(path)")
    }
    for each in try #require(root["errors"]).elements {
      let text = try #require(each.string)
      #expect((try? JSONPath(pointer: text)).flatMap { target[$0] } == nil, "\(text)")
    }
    for each in try #require(root["fragments"]).elements {
      let fragment = try #require(each["fragment"]?.string?.dropFirst().removingPercentEncoding)
      #expect(
        target[try JSONPath(pointer: fragment)].map { JSONAny($0) }
          == each["value"].map { JSONAny($0) }, "\(fragment)")
    }
  }

  @Test func `JSON Pointers are distinguished from other strings`() throws {
    var count = 0
    for group in try document("json-pointer-format.json").root.elements
    where group[["schema", "format"]]?.string == "json-pointer" {
      for each in try #require(group["tests"]).elements {
        guard let text = each["data"]?.string else { continue }
        count += 1
        #expect(((try? JSONPath(pointer: text)) != nil) == each["valid"]?.bool, "\(text)")
      }
    }
    #expect(count > 20)
  }

  @Test func `every JSONPath query finds the values of RFC 9535`() throws {
    let tests = try #require(try document("jsonpath-cts.json").root["tests"])
    #expect(tests.count == 703)
    for each in tests.elements {
      let name = try #require(each["name"]?.string)
      let selector = try #require(each["selector"]?.string)
      if each["invalid_selector"]?.bool == true {
        #expect(throws: JSONPath.ParsingError.self, "\(name): \(selector)") {
          try JSONQuery(selector)
        }
        continue
      }
      let nodes = try #require(each["document"]).query(JSONQuery(selector))
      let found = JSONAny.array(nodes.map { JSONAny($0) })
      let wanted = alternatives(each, "result", "results")
      #expect(wanted.contains(found), "\(name): \(selector)")
      // The paths start at the root of the suite, so the steps to the document are removed.
      let depth = try #require(each["document"]).path.segments.count
      let paths = nodes.map {
        JSONAny.string(JSONPath(Array($0.path.segments[depth...])).description)
      }
      #expect(
        alternatives(each, "result_paths", "results_paths").contains(.array(paths)),
        "\(name): \(selector)")
    }
  }

  private func alternatives(_ test: JSONView, _ one: String, _ many: String) -> [JSONAny] {
    if let one = test[one] { return [JSONAny(one)] }
    return test[many].map { Array($0.elements).map { JSONAny($0) } } ?? []
  }

  @Test func `a singular query is also a path to the same value`() throws {
    var count = 0
    for each in try #require(try document("jsonpath-cts.json").root["tests"]).elements {
      let selector = try #require(each["selector"]?.string)
      guard let path = try? JSONPath(parsing: selector), let query = try? JSONQuery(selector) else {
        continue
      }
      count += 1
      let target = try #require(each["document"])
      #expect(
        try target[path].map { JSONAny($0) } == target.query(query).first.map { JSONAny($0) },
        "\(selector)")
    }
    #expect(count > 70)
  }
}
