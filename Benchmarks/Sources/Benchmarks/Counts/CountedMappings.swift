import Foundation
import Quire

extension CountedWork {
  /// Writes a page, which takes long enough to be done only where it is needed.
  private typealias Page = @Sendable () -> String

  /// A page of each kind, from its bytes to items of each kind.
  static var mappings: [CountedWork] {
    let latin = MappingPages()
    let chinese = MappingPages(.chinese)
    let books: Page = { latin.books(1_000) }
    let cjk: Page = { chinese.books(1_000) }
    let readings: Page = { latin.readings(500) }
    let comments: Page = { latin.comments(200) }
    return [
      items("books", 1_000, books, BookItem.self), items("books", 1_000, books, BookValue.self),
      decoded("books", 1_000, books, BookRow.self),
      items("CJK books", 1_000, cjk, BookItem.self), items("CJK books", 1_000, cjk, BookValue.self),
      decoded("CJK books", 1_000, cjk, BookRow.self),
      items("readings", 500, readings, ReadingItem.self),
      items("readings", 500, readings, ReadingValue.self),
      decoded("readings", 500, readings, ReadingRow.self),
      items("comments", 200, comments, CommentItem.self),
      items("comments", 200, comments, CommentValue.self),
      decoded("comments", 200, comments, CommentRow.self),
    ]
  }

  private static func items<Item: MappingItem & JSONValue>(
    _ page: String, _ rows: Int, _ text: @escaping Page, _ item: Item.Type
  ) -> CountedWork {
    let kind = item is BaseItem.Type ? "BaseItem" : "ItemValue"
    return CountedWork("map \(page) into \(kind)", rows: rows) { _ in
      let text = MappingText(text())
      let route = MappingRoute.mapper(text, item)
      return { try route.run(1) }
    }
  }

  private static func decoded<Item: MappingItem & Decodable>(
    _ page: String, _ rows: Int, _ text: @escaping Page, _ item: Item.Type
  ) -> CountedWork {
    CountedWork("map \(page) into Decodable", rows: rows) { _ in
      let text = MappingText(text())
      let route = MappingRoute.decoder(text, item)
      return { try route.run(1) }
    }
  }
}
