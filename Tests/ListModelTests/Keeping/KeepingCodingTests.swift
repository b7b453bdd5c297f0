import ItemMapping
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel

struct KeepingCodingTests {
  @Test func `keys come back as they were, with what was learnt on the way`() throws {
    var keys: [PageKey] = [
      PageKey(.start), PageKey(.number(-3), size: 20), PageKey(.offset(.max)),
      PageKey(.after(["id": 7, "at": "ä"])), PageKey(.before("")), PageKey(.after(.null), size: 0),
      PageKey(.url(try WebURL("https://api.test/a?b=%20c"))),
    ]
    for at in keys.indices {
      keys[at].full = at.isMultiple(of: 2) ? nil : at
      keys[at].isForeign = at.isMultiple(of: 3)
      let back = try PageKey(try #require(keys[at].bytes))
      #expect(back == keys[at] && back.full == keys[at].full)
      #expect(back.isForeign == keys[at].isForeign)
    }
  }

  @Test func `a manifest comes back as it was`() throws {
    for anchor in [nil, ListManifest.Anchor(place: -2, row: 17)] {
      let manifest = ListManifest(
        signature: "1\nBook\n", generation: 1 << 51, places: -2...9, turns: 77, anchor: anchor)
      #expect(try ListManifest(manifest.bytes) == manifest)
    }
  }

  @Test func `bytes that are cut off, changed or random are nothing, and never a trap`() throws {
    let manifest = ListManifest(
      signature: "Book", generation: 99, places: -1...3, anchor: .init(place: 2, row: 5))
    let key = try #require(PageKey(.after("abc"), size: 4).bytes)
    for length in manifest.bytes.indices {
      #expect(throws: ByteReader.Broken.self) { try ListManifest(Array(manifest.bytes[..<length])) }
    }
    for length in key.indices {
      #expect(throws: ByteReader.Broken.self) { try PageKey(Array(key[..<length])) }
    }
    var generator = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(20_000) {
      var bytes = Bool.random(using: &generator) ? manifest.bytes : key
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = try? ListManifest(bytes)
      _ = try? PageKey(bytes)
    }
  }
}
