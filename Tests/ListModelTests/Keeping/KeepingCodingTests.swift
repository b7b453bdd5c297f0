import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel
@testable import ListReading

struct KeepingCodingTests {
  @Test func `keys are decoded unchanged, with the page size learned so far`() throws {
    var keys: [PageKey] = [
      PageKey(.start), PageKey(.number(-3), size: 20), PageKey(.offset(1 << 53)),
      PageKey(.after(["id": 7, "at": "ä"])), PageKey(.before("")), PageKey(.after(.null), size: 0),
      PageKey(.url(try WebURL("https://api.test/a?b=%20c"))),
    ]
    for at in keys.indices {
      keys[at].full = at.isMultiple(of: 2) ? nil : FullSize(rows: at, grounds: .varied)
      keys[at].isForeign = at.isMultiple(of: 3)
      let back = try PageKey(try #require(keys[at].bytes))
      #expect(back == keys[at] && back.fullSize == keys[at].fullSize)
      #expect(back.isForeign == keys[at].isForeign)
    }
  }

  @Test func `a manifest is decoded unchanged`() throws {
    for anchor in [nil, ListManifest.Anchor(place: -2, row: 17)] {
      let manifest = ListManifest(
        signature: "1\nBook\n", generation: 1 << 51, places: -2...9, arrivals: 77, anchor: anchor)
      #expect(try ListManifest(manifest.bytes) == manifest)
    }
  }

  @Test func `truncated, changed or random bytes decode to nil and never trap`() throws {
    let manifest = ListManifest(
      signature: "Book", generation: 99, places: -1...3, anchor: .init(place: 2, row: 5))
    let key = try #require(PageKey(.after("abc"), size: 4).bytes)
    for length in manifest.bytes.indices {
      #expect(throws: ByteReader.InvalidBytes.self) {
        try ListManifest(Array(manifest.bytes[..<length]))
      }
    }
    for length in key.indices {
      #expect(throws: ByteReader.InvalidBytes.self) { try PageKey(Array(key[..<length])) }
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

  private static func storedResponse() throws -> StoredResponse {
    StoredResponse(
      status: 203, headers: ["Link": "</b>; rel=next", "X": "ä"],
      body: ResponseBody(text: "[1]"),
      url: try WebURL("https://api.test/rows?page=2&api_key=hunter2"),
      requestedAt: 70, receivedAt: 70)
  }

  @Test func `a page is read from memory and from a file, and removed with its user`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stored = try Self.storedResponse()
    let key = PageKey(.number(2), size: 20)
    for store in [MemoryCacheStore(), SQLiteCacheStore(folder: URL(filePath: folder.path))]
      as [any CacheStore]
    {
      let archive = ListArchive(store: store, partition: "ann", name: "list x", signature: "s")
      let manifest = ListManifest(signature: "s", generation: 5, places: -1...0, anchor: nil)
      archive.put(
        stored, try #require(key.bytes), at: -1, PageArrival(joined: 3, again: 4), of: 5)
      archive.put(manifest, storedAt: 70)
      await store.flush()
      let page = try #require(archive.page(-1, of: manifest))
      #expect(page.key == key && page.arrival == PageArrival(joined: 3, again: 4))
      #expect(page.stored.status == 203 && page.stored.headers == stored.headers)
      #expect(page.stored.body == stored.body && page.stored.receivedAt == 70)
      #expect(page.stored.url.path == "/rows")
      #expect(!page.stored.url.description.contains("hunter2"))
      #expect(archive.manifest() == manifest)
      #expect(archive.page(0, of: manifest) == nil)
      // The store has it as bytes, not as the response of an address.
      var others = CacheSelection()
      others.space = .responses
      #expect(await store.listings(others).isEmpty)
      #expect(
        await store.listings(CacheSelection()).allSatisfy {
          $0.entry.receivedAt == Date(timeIntervalSince1970: 70)
        })
      var user = CacheSelection()
      user.partition = "ann"
      store.remove(user)
      #expect(archive.manifest() == nil && archive.page(-1, of: manifest) == nil)
    }
  }

  @Test func `a truncated page, or one of another place, is not read`() throws {
    let key = try #require(PageKey(.start).bytes)
    var bytes = try KeptResponse.bytes(
      of: Self.storedResponse(), key, at: 0, PageArrival(joined: 0))
    #expect(KeptResponse(bytes, at: 0) != nil && KeptResponse(bytes, at: 1) == nil)
    let head = bytes.head
    for length in head.indices {
      bytes.head = Array(head[..<length])
      #expect(KeptResponse(bytes, at: 0) == nil)
    }
    bytes.head = head + [0]
    #expect(KeptResponse(bytes, at: 0) == nil)
  }
}
