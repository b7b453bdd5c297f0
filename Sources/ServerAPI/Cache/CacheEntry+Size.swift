extension CacheEntry {
  /// What it takes in memory, in bytes: its content, and about what the objects around it take.
  var bytesInMemory: Int {
    var bytes = 768 + answer.body.count + note.count
    bytes += key.partition.utf8.count + variant.utf8.count
    // The text stands in the address of the answer and in the listing too.
    bytes += 3 * key.text.utf8.count
    for field in answer.headers.fields {
      bytes += 64 + field.name.utf8.count + field.value.utf8.count
    }
    for selector in answer.selectors {
      bytes += 64 + selector.name.utf8.count + (selector.value?.utf8.count ?? 0)
    }
    return bytes
  }
}

extension StoredAnswer {
  /// The same without its body.
  var withoutBody: StoredAnswer {
    var answer = self
    answer.body = ResponseBody()
    return answer
  }
}
