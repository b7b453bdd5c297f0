import Testing

@testable import ItemMapping

@Suite struct ItemHookTests {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  final class Track: BaseItem {
    var id = 0
    var title = ""
    var parts: [Part] = []
    var best: Part?
    var log: [String] = []

    override class var fields: FieldTable {
      FieldTable(Track.self) { f in
        f(\.parts, "parts")
        f(\.best, "best")
        f(\.id, "id", .required)
        f(\.title, "title", "name", .default("untitled"))
        f.ignore("log")
      }
    }

    override func didMap(_ json: JSONView) throws {
      log.append("\(id) \(title) \(parts.count) \(json["extra"]?.string ?? "-")")
      if title == "bad" { throw Refused(description: "no \(title) titles") }
    }
  }

  final class Part: BaseItem {
    var number = 0
    var calls = 0
    override class var fields: FieldTable {
      FieldTable(Part.self) { f in
        f(\.number, "n")
        f.ignore("calls")
      }
    }
    override func didMap(_ json: JSONView) throws {
      calls += 1
      if number < 0 { throw Refused(description: "negative") }
    }
  }

  @Test func `the hook is called once, after all properties are set`() throws {
    let track = try read(
      Track.self, #"{"extra":"e","id":1,"parts":[{"n":1},{"n":2}],"name":"Song","best":{"n":3}}"#
    ).value
    #expect(track.log == ["1 Song 2 e"])
    #expect(track.parts.map(\.calls) == [1, 1])
    #expect(track.best?.calls == 1)
  }

  @Test func `defaults are set before the hook`() throws {
    #expect(try read(Track.self, #"{"id":1}"#).value.log == ["1 untitled 0 -"])
  }

  @Test func `an item whose hook throws is dropped with the reason`() throws {
    let mapped = try ItemMapper().items(
      Track.self,
      in: JSONDocument(#"[{"id":1},{"id":2,"title":"bad"},{"id":3,"parts":[{"n":-1},{"n":1}]}]"#))
    #expect(mapped.value.map(\.id) == [1, 3])
    #expect(mapped.value[1].parts.map(\.number) == [1])
    #expect(
      mapped.report.description == """
        $[1]: expects Track, found an object (dropped); no bad titles
        $[2]['parts'][0]: Track.parts expects Part, found an object (dropped); negative
        """)
  }

  @Test func `a single item whose hook throws leaves the property unchanged`() throws {
    let mapped = try read(Track.self, #"{"id":1,"best":{"n":-1}}"#)
    #expect(mapped.value.best == nil)
    #expect(
      mapped.report.description
        == "$['best']: Track.best expects Part, found an object (property unchanged); negative")
  }

  @Test func `an error of the root item's hook ends the mapping`() throws {
    #expect(
      outcome(Track.self, #"{"id":1,"title":"bad"}"#)
        == Outcome("unusable", "$: expects Track, found an object (dropped); no bad titles"))
  }

  @Test func `the hook isn't called for an item without a required value`() throws {
    final class Probe: BaseItem {
      var id = 0
      override class var fields: FieldTable {
        FieldTable(Probe.self) { f in f(\.id, "id", .required) }
      }
      override func didMap(_ json: JSONView) throws { throw Refused(description: "called") }
    }
    #expect(
      outcome(Probe.self, "{}")
        == Outcome("unusable", "$['id']: Probe.id expects Int, found nothing (dropped)"))
  }

  @Test func `the hook is called for updates too`() throws {
    let track = try read(Track.self, #"{"id":1,"best":{"n":1}}"#).value
    _ = try ItemMapper().update(track, from: JSONDocument(#"{"title":"New","best":{"n":2}}"#))
    #expect(track.log == ["1 untitled 0 -", "1 New 0 -"])
    #expect(track.best?.calls == 2)
  }
}
