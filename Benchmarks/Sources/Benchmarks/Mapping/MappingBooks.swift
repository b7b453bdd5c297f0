import Quire

/// What every form of a book has in common.
protocol MappingBook: MappingItem {
  associatedtype Author: MappingAuthor
  var id: Int { get }
  var title: String { get }
  var subtitle: String? { get }
  var price: Double { get }
  var rating: Double { get }
  var pages: Int { get }
  var likes: Int { get }
  var isFree: Bool { get }
  var isNew: Bool { get }
  var summary: String { get }
  var cover: String { get }
  var author: Author? { get }
  var tags: [String] { get }
}

protocol MappingAuthor {
  var id: Int { get }
  var name: String { get }
  var isVerified: Bool { get }
}

extension MappingBook {
  var checksum: Int {
    var sum = Checksum()
    for number in [id, pages, likes, author?.id ?? 0] { sum.add(number) }
    for number in [price, rating] { sum.add(number) }
    for flag in [isFree, isNew, author?.isVerified == true] { sum.add(flag) }
    for text in [title, subtitle ?? "", summary, cover, author?.name ?? ""] + tags { sum.add(text) }
    return sum.value
  }
}

struct BookRow: Decodable, MappingBook {
  struct Author: Decodable, MappingAuthor {
    var id: Int
    var name: String
    var isVerified: Bool
  }

  var id: Int
  var title: String
  var subtitle: String?
  var price: Double
  var rating: Double
  var pages: Int
  var likes: Int
  var isFree: Bool
  var isNew: Bool
  var summary: String
  var cover: String
  var author: Author?
  var tags: [String]
}

final class BookObject: Decodable, MappingBook {
  final class Author: Decodable, MappingAuthor {
    var id: Int
    var name: String
    var isVerified: Bool
  }

  var id: Int
  var title: String
  var subtitle: String?
  var price: Double
  var rating: Double
  var pages: Int
  var likes: Int
  var isFree: Bool
  var isNew: Bool
  var summary: String
  var cover: String
  var author: Author?
  var tags: [String]
}

final class BookItem: BaseItem, MappingBook {
  final class Author: BaseItem, MappingAuthor {
    var id = 0
    var name = ""
    var isVerified = false

    override class var fields: FieldTable {
      FieldTable(Author.self) { f in
        f(\.id, "id", .required)
        f(\.name, "name")
        f(\.isVerified, "isVerified")
      }
    }
  }

  var id = 0
  var title = ""
  var subtitle: String?
  var price = 0.0
  var rating = 0.0
  var pages = 0
  var likes = 0
  var isFree = false
  var isNew = false
  var summary = ""
  var cover = ""
  var author: Author?
  var tags: [String] = []

  override class var fields: FieldTable {
    FieldTable(BookItem.self) { f in
      f(\.id, "id", .required)
      f(\.title, "title")
      f(\.subtitle, "subtitle")
      f(\.price, "price")
      f(\.rating, "rating")
      f(\.pages, "pages")
      f(\.likes, "likes")
      f(\.isFree, "isFree")
      f(\.isNew, "isNew")
      f(\.summary, "summary")
      f(\.cover, "cover")
      f(\.author, "author")
      f(\.tags, "tags")
    }
  }
}

struct BookValue: ItemValue, MappingBook {
  struct Author: ItemValue, MappingAuthor {
    var id = 0
    var name = ""
    var isVerified = false

    static var fields: FieldTable {
      FieldTable(Author.self) { f in
        f(\.id, "id", .required)
        f(\.name, "name")
        f(\.isVerified, "isVerified")
      }
    }
  }

  var id = 0
  var title = ""
  var subtitle: String?
  var price = 0.0
  var rating = 0.0
  var pages = 0
  var likes = 0
  var isFree = false
  var isNew = false
  var summary = ""
  var cover = ""
  var author: Author?
  var tags: [String] = []

  static var fields: FieldTable {
    FieldTable(BookValue.self) { f in
      f(\.id, "id", .required)
      f(\.title, "title")
      f(\.subtitle, "subtitle")
      f(\.price, "price")
      f(\.rating, "rating")
      f(\.pages, "pages")
      f(\.likes, "likes")
      f(\.isFree, "isFree")
      f(\.isNew, "isNew")
      f(\.summary, "summary")
      f(\.cover, "cover")
      f(\.author, "author")
      f(\.tags, "tags")
    }
  }
}
