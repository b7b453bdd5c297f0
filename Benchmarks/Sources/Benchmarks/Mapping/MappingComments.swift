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
