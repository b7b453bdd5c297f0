internal import ServerAPI
internal import Support

/// Where one list is kept, and how it is found again.
///
/// The manifest stands under the name of the list and each page under a key of its own, so that a few
/// pages can be read without the others. Pages of an older list have other keys: whatever is cut off in the
/// middle of writing, a manifest never speaks of pages that do not belong together.
struct ListArchive: Sendable {
  let store: any CacheStore
  let partition: String
  let name: String
  /// What the pages are read as: where that is another one, they are worth nothing.
  let signature: String

  func manifestKey() -> CacheKey { CacheKey(.lists, partition: partition, name) }

  func pageKey(_ place: Int, of generation: Int) -> CacheKey {
    CacheKey(.lists, partition: partition, "\(name) #\(generation) \(place)")
  }

  // MARK: - Reading

  /// What is kept here, whoever kept it; `nil` where nothing is or nobody can read it.
  func manifest() -> ListManifest? {
    guard let entry = store.entries(for: manifestKey()).first else { return nil }
    do throws(ByteReader.Broken) {
      return try ListManifest(entry.note)
    } catch {
      return nil
    }
  }

  /// A page and how it was asked for; `nil` where it is missing or broken.
  func page(_ place: Int, of manifest: ListManifest) -> KeptPage? {
    guard let entry = store.entries(for: pageKey(place, of: manifest.generation)).first else {
      return nil
    }
    do throws(ByteReader.Broken) {
      var reader = ByteReader(entry.note)
      guard try reader.number() == ListManifest.format, try reader.number() == place else {
        return nil
      }
      let joined = try reader.number()
      let again = try reader.optional { reader throws(ByteReader.Broken) in try reader.number() }
      let key = try PageKey(reader.content())
      guard reader.isAtEnd else { return nil }
      return KeptPage(
        key: key, turn: PageTurn(joined: joined, again: again), answer: entry.answer)
    } catch {
      return nil
    }
  }

  // MARK: - Writing

  func put(_ manifest: ListManifest, beside answer: StoredAnswer) {
    var head = answer
    (head.body, head.headers) = (ResponseBody(), [:])
    store.put(CacheEntry(key: manifestKey(), answer: head, note: manifest.bytes))
  }

  func put(
    _ answer: StoredAnswer, _ key: [UInt8], at place: Int, _ turn: PageTurn, of generation: Int
  ) {
    var writer = ByteWriter()
    writer.write(ListManifest.format)
    writer.write(place)
    writer.write(turn.joined)
    writer.write(turn.again) { $0.write($1) }
    writer.write(key)
    store.put(CacheEntry(key: pageKey(place, of: generation), answer: answer, note: writer.bytes))
  }

  /// Removes pages of a list that is no longer kept.
  func remove(_ places: some Sequence<Int>, of generation: Int) {
    for place in places { store.remove(CacheSelection(key: pageKey(place, of: generation))) }
  }

  func removeManifest() { store.remove(CacheSelection(key: manifestKey())) }

  /// Removes all that a manifest speaks of, and the manifest.
  func remove(_ manifest: ListManifest) {
    removeManifest()
    remove(manifest.places, of: manifest.generation)
  }
}

/// A page as it is kept.
struct KeptPage: Sendable {
  /// How it was asked for.
  var key: PageKey
  var turn: PageTurn
  var answer: StoredAnswer
}
