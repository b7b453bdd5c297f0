@testable import ItemMapping

/// Parses any text as a path and as a query. Nothing may crash, a path reads back as itself from
/// its normalized form, and a query ends within its budget and returns values of the document.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPaths(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let document = try? JSONDocument(sample) else { preconditionFailure("no document") }
  do throws(JSONPath.ParsingError) { check(try JSONPath(parsing: text), document) } catch {
    check(error, text)
  }
  do throws(JSONPath.ParsingError) { check(try JSONPath(pointer: text), document) } catch {
    check(error, text)
  }
  do throws(JSONPath.ParsingError) { check(try JSONQuery(text), document) } catch {
    check(error, text)
  }
  return 0
}

private let sample = #"""
  {"store":{"book":[{"a":"Lu","price":8.95,"pattern":"[a-z]+","":[1,-1,1.5,1e400]},
  {"a":"b\u00e9","price":10,"pattern":"(\\p{Lu}|.){2,3}","it's":{"0":null,"$":true}}],
  "a b":[[0,[1,[2]]],{"a":{"a":{"a":"\ud83d\ude00"}}},false,18446744073709551616]}}
  """#

private func check(_ path: JSONPath, _ document: JSONDocument) {
  let again = try? JSONPath(parsing: path.description)
  precondition(
    again?.description == path.description,
    "\(path) reads back as \(again?.description ?? "an error")")
  guard let found = document.root[path] else {
    if case .found = document.root.find(path) { preconditionFailure("\(path) is not there") }
    return
  }
  precondition(document.root.find(path).view?.index == found.index, path.description)
  precondition(JSONAny(document.root)[path] == JSONAny(found), path.description)
  precondition(document.root[found.path]?.index == found.index, path.description)
}

private func check(_ error: JSONPath.ParsingError, _ text: String) {
  precondition(error.text == text && !error.expected.isEmpty)
  precondition((0...text.unicodeScalars.count).contains(error.position), error.description)
}

private func check(_ query: JSONQuery, _ document: JSONDocument) {
  precondition((try? JSONQuery(query.description)) == query)
  let budget = 20_000
  guard let found = try? document.root.query(query, budget: budget) else { return }
  precondition(found.count <= budget, "\(found.count) values from \(query)")
  for view in found.prefix(16) {
    precondition(document.root[view.path]?.index == view.index, "\(view.path) from \(query)")
  }
}
