internal import ListSync
internal import Quire

/// The first pages of a list, read until it is known how to read it, which takes one or two.
struct FirstPages {
  let walk: PageWalk
  private(set) var first: PageWalk.Page?
  /// Where the rows are.
  private(set) var items: JSONPath?
  private let options: CrawlOptions

  init(of options: CrawlOptions) async throws(EarlyExit) {
    let (list, monitor) = (options.list, ListMonitor())
    self.options = options
    let server = list.server(monitors: [monitor], sharing: MemoryBudget(list.memory))
    walk = PageWalk(
      server, list.call.validated(on: server), items: list.items, paging: list.paging, identity: list.identity,
      allowsOtherOrigins: list.allowsOtherOrigins, parallel: 1, consistency: options.consistency,
      version: options.version)
    walk.failures = list.failures
    items = list.items
    do throws(LoadError) {
      repeat {
        guard let page = try await walk.next() else { break }
        first = first ?? page
        items = items ?? page.itemsPath
      } while walk.recognized == nil && walk.end == nil && list.paging == .automatic && walk.pages < 2
    } catch {
      throw CrawlDiagnostics.end(
        of: error, .init(number: walk.pages + 1, isFirst: walk.pages == 0, response: monitor.lastResponse), options)
    }
  }

  /// What is known of the list, in lines.
  var explanation: [String] {
    guard let first else { return ["rows:    none"] }
    let text = CrawlDiagnostics.explanation(of: walk, after: first, options: options, consistency: walk.consistency)
    var lines = text.split(separator: "\n").map(String.init)
    if let total = walk.total, !first.rows.isEmpty {
      let pages = (total + first.rows.count - 1) / first.rows.count
      lines.append("total:   \(total.grouped) rows, as the server says; about \(max(1, pages).grouped) requests")
    }
    return lines
  }
}
