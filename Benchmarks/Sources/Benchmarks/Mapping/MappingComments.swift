import Quire

/// What every form of a comment has in common.
protocol MappingComment: MappingItem {
  var id: Int { get }
  var likes: Int { get }
  var body: String { get }
  var answers: [Self] { get }
}

extension MappingComment {
  var checksum: Int {
    var sum = Checksum()
    sum.add(id)
    sum.add(likes)
    sum.add(body)
    for answer in answers { sum.add(answer.checksum) }
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
  var answers: [CommentRow]

  var likes: Int { info.likes }
  var body: String { info.text.body }
}

final class CommentItem: BaseItem, MappingComment {
  var id = 0
  var likes = 0
  var body = ""
  var answers: [CommentItem] = []

  override class var fields: FieldTable {
    FieldTable(CommentItem.self) { f in
      f(\.id, "id", .required)
      f(\.likes, "info.likes")
      f(\.body, "info.text.body")
      f(\.answers, "answers")
    }
  }
}

struct CommentValue: ItemValue, MappingComment {
  var id = 0
  var likes = 0
  var body = ""
  var answers: [CommentValue] = []

  static var fields: FieldTable {
    FieldTable(CommentValue.self) { f in
      f(\.id, "id", .required)
      f(\.likes, "info.likes")
      f(\.body, "info.text.body")
      f(\.answers, "answers")
    }
  }
}
