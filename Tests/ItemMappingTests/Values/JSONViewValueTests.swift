import Foundation
import Testing

@testable import ItemMapping

@Suite struct JSONViewValueTests {
  private let root: JSONView

  init() throws {
    root = try JSONDocument(
      #"{"a":{"b":{"a":"42"}},"on":"true","off":0,"half":0.5,"yes":"yellow","pi":"3.14","none":null}"#
    ).root
  }

  @Test func `a value at a path is converted like a property`() {
    #expect(root.value(Int.self, at: "a.b.a") == 42)
    #expect(root.value(at: "on", default: false) == true)
    #expect(root.value(at: "off", default: true) == false)
    #expect(root.value(Double.self, at: "pi") == 3.14)
    #expect(root.value(String.self, at: "half") == "0.5")
  }

  @Test func `a value of another type is nil and not a guess`() {
    #expect(root.value(Bool.self, at: "half") == nil)
    #expect(root.value(Bool.self, at: "yes") == nil)
    #expect(root.value(Int.self, at: "pi") == nil)
    #expect(root.value(Int.self, at: "a.b") == nil)
  }

  @Test func `a default replaces a missing value and null alike`() {
    #expect(root.value(at: "none", default: true) == true)
    #expect(root.value(at: "nothing.here", default: 7) == 7)
    #expect(root.value(JSONAny.self, at: "none") == .null)
    #expect(root.value(Int?.self, at: "none") == .some(nil))
  }
}
