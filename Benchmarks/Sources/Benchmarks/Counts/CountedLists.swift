import Quire
import Synchronization

extension CountedWork {
  /// What a list does with a page, and a walk, and a page that nothing is known about yet.
  static var lists: [CountedWork] {
    [
      CountedWork("append page 10,000", rows: NumberedTransport.pageSize, times: 50) { _ in
        let list = await numberList()
        try await list.loadPages(9_999)
        return { try await list.loadPages(1) }
      },
      CountedWork("refresh 1,000 rows of which 20 changed", rows: 1_000) { _ in
        let list = await bookList(CannedTransport(changing(MappingPages().books(1_000))))
        return {
          guard case .replaced = await list.refresh().outcome, await list.count == 990 else {
            throw BenchmarkError("the list was not refreshed")
          }
        }
      },
      CountedWork("recognize a response", rows: 100) { _ in
        let rows = rows(MappingPages().books(100)).joined(separator: ",")
        let page = #"{"page":1,"per_page":100,"total_pages":40,"total":4000,"items":[\#(rows)]}"#
        let server = Server("https://test", transport: CannedTransport([page]))
        return {
          let walk = PageWalk(server, Call("/books"))
          guard try await walk.next()?.rows.count == 100, walk.recognized != nil else {
            throw BenchmarkError("nothing was recognized")
          }
        }
      },
      CountedWork("walk a page and write it as ndjson", rows: 100) { _ in
        let server = Server("https://test", transport: CannedTransport([MappingPages().books(100)]))
        return {
          let walk = PageWalk(server, Call("/books"), items: "data.list", paging: .single)
          var lines: [UInt8] = []
          for row in try await walk.next()?.rows ?? [] {
            lines += row.text.utf8
            lines.append(0x0A)
          }
          guard lines.count > 10_000 else { throw BenchmarkError("\(lines.count) bytes") }
        }
      },
    ]
  }

  @MainActor private static func bookList(_ transport: CannedTransport) -> ListModel<BookItem> {
    ListModel(
      Server("https://test", transport: transport), "/books", items: "data.list", paging: .single,
      identity: .by { $0.id })
  }

  private static func rows(_ page: String) -> [String] {
    (try? JSONDocument(page))?.root["data"]?["list"]?.elements.map { String($0.text) } ?? []
  }

  /// Two versions of a page with 990 of its rows: ten that the other lacks, and ten with other content.
  private static func changing(_ page: String) -> [String] {
    let rows = rows(page)
    func version(without gone: Range<Int>, likes: Int) -> String {
      var rows = rows
      for position in stride(from: 50, to: 1_000, by: 100) {
        rows[position] = rows[position].replacing("\"likes\":", with: "\"likes\":\(likes)")
      }
      rows.removeSubrange(gone)
      return #"{"data":{"list":[\#(rows.joined(separator: ","))]}}"#
    }
    return [version(without: 300..<310, likes: 1), version(without: 700..<710, likes: 2)]
  }
}

/// Answers at once with one of a few pages, in turn.
private final class CannedTransport: Transport {
  private let pages: [ResponseBody]
  private let count = Atomic(0)

  init(_ pages: [String]) { self.pages = pages.map { ResponseBody(text: $0) } }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    return HTTPResponse(
      headers: ["Content-Type": "application/json"], body: pages[number % pages.count],
      url: request.url)
  }
}
