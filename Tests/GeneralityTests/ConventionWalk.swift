import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport

/// What a walk over the list of a convention came to.
struct ConventionWalk {
  enum Verdict: String {
    /// All rows in order, once each, and the list is complete.
    case whole
    /// Less, and the list says so or failed.
    case incomplete
    /// Complete, although rows are missing.
    case shortButComplete
    /// Rows that the list doesn't have, or has at another place.
    case wrongRows
  }

  var verdict = Verdict.incomplete
  /// The requests whose responses were not pages of the list.
  var trials = 0
  var problem = ""
  var recognized: String?
  var requests: [String] = []

  /// Walks with nothing but the address and the body.
  init(_ convention: Convention) async {
    let server = ConventionServer(convention)
    var call = Call(convention.address)
    if let body = convention.body {
      call.method = .post
      call.body = .bytes(body.utf8(), contentType: "application/json")
    }
    await self.init(
      server,
      PageWalk(
        Server("https://example.com", transport: server.transport) { $0.retry.attempts = 1 }, call))
  }

  private init(_ server: ConventionServer, _ walk: PageWalk) async {
    var rows: [JSONAny] = []
    var pages = 0
    do throws(LoadError) {
      while pages < 80, let page = try await walk.next() {
        rows += page.rows.map { JSONAny($0) }
        if !page.rows.isEmpty { pages += 1 }
      }
    } catch {
      problem = "\(error)"
    }
    requests = server.requests
    trials = max(0, requests.count - max(1, pages))
    recognized = walk.recognized?.description
    let expected = server.rows.prefix(rows.count).map { $0.text() }
    if rows.map({ $0.text() }) != expected {
      verdict = .wrongRows
    } else if case .complete? = walk.end {
      verdict = rows.count == server.rows.count ? .whole : .shortButComplete
    } else if case .incomplete(let reason)? = walk.end {
      problem = "\(reason)"
    }
    if verdict != .whole { problem = "\(rows.count) of \(server.rows.count) rows. \(problem)" }
  }
}
