import Quire

struct Book: Decodable, Identifiable {
  let id: Int
  let title, genre: String

  static var list: Endpoint<Book> {
    Endpoint("/books", paging: .pageNumber(endsBy: .total("total")))
  }
}

/// The books of a service as text: searched, edited, grouped by genre, and there before the network responds.
@MainActor final class Shelf: ListModelDelegate {
  let books: ListModel<Book>
  private let sections: TransformedList<Book, String>
  private let show: (String) -> Void

  init(_ server: Server, show: @escaping (String) -> Void) {
    self.show = show
    books = ListModel(server, Book.list) {
      $0.debounce = .milliseconds(300)
      $0.keeping = server.cache.map { ListKeeping(in: $0) }
    }
    sections = TransformedList(books, row: { "  \($0.id) \($0.title)" }) {
      $0.section = { SectionLabel($0.genre, header: $0.genre) }
    }
    sections.onChange = { [unowned self] _, _ in show(text) }
    books.delegate = self
  }

  func listModel(_ model: ListModel<Book>, didFinish kind: LoadKind) { show(text) }

  var text: String {
    let state = books.isLoading ? "loading …" : books.hasMore ? "more to load" : "no more"
    let genres = sections.sections.sections.map { [$0.header ?? ""] + $0.items }
    let last = "\(books.count) books, \(books.error.map { "\($0)" } ?? state)"
    return (genres + [[last]]).joined().joined(separator: "\n")
  }

  func open() async {
    _ = await books.restore().outcome
    _ = await books.refresh().outcome
  }

  /// “/words” searches, “+title,genre” adds, “-id” removes, anything else loads more.
  func perform(_ command: String) async throws {
    let words = command.dropFirst().split(separator: ",").map(String.init)
    switch (command.first, words.count) {
    case ("/", _):
      books.params = words.isEmpty ? [:] : ["q": words.joined(separator: ",")]
      books.refresh()
    case ("+", 2): try await add(title: words[0], genre: words[1])
    case ("-", 1): try await remove(Int(words[0]) ?? 0)
    default: _ = await books.loadNextPage().outcome
    }
  }

  private func add(title: String, genre: String) async throws {
    var call = Call("/books", method: .post, params: ["title": title, "genre": genre])
    call.paramsIn = .json
    let draft = Book(id: -1, title: title, genre: genre)
    try await books.edit(.insert(draft, at: .start)) { [server = books.server, call] in
      try await server.send(call, as: Book.self)
    }
  }

  private func remove(_ id: Int) async throws {
    try await books.edit(.remove(.number(id))) { [server = books.server] in
      try await server.send(Call("/books/\(id)", method: .delete))
    }
  }
}
