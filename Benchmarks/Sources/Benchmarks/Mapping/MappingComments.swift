import Quire

/// What every form of a comment has in common.
protocol MappingComment: MappingItem {
  var id: Int { get }
  var likes: Int { get }
  var body: String { get }
  var responses: [Self] { get }
}

extension MappingComment {
  var checksum: Int {
    var sum = Checksum()
    sum.add(id)
    sum.add(likes)
    sum.add(body)
    for response in responses { sum.add(response.checksum) }
    return sum.value
  }
}

struct CommentRow: Decodable, MappingComment {
  struct Info: Decodable {
    struct Text: Decodable { var body: String }

    var likes: Int
    var text: Text
  }

  var id: Int
  var info: Info
  var responses: [CommentRow]

  var likes: Int { info.likes }
  var body: String { info.text.body }
}

final class CommentItem: BaseItem, MappingComment {
  var id = 0
  var likes = 0
  var body = ""
  var responses: [CommentItem] = []

  override class var fields: FieldTable {
    FieldTable(CommentItem.self) { f in
      f(\.id, "id", .required)
      f(\.likes, "info.likes")
      f(\.body, "info.text.body")
      f(\.responses, "answers")
    }
  }
}

struct CommentValue: ItemValue, MappingComment {
  var id = 0
  var likes = 0
  var body = ""
  var responses: [CommentValue] = []

  static var fields: FieldTable {
    FieldTable(CommentValue.self) { f in
      f(\.id, "id", .required)
      f(\.likes, "info.likes")
      f(\.body, "info.text.body")
      f(\.responses, "answers")
    }
  }
}
