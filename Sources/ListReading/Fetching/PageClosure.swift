package import ItemMapping
package import ServerAPI
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A closure that returns the pages of a list, in place of a server.
package struct PageClosure<Item>: Sendable {
  /// Returns the page of a key, with its facts in an envelope as a response has them.
  let page: @Sendable (PageKey) async throws -> sending DecodedPage<Item>
  /// Returns a page as the JSON to keep, from its items and its facts; `nil` where items can't be encoded.
  package private(set) var kept: (@Sendable ([Item], JSONView?) -> String?)?

  /// Creates a closure whose items are passed on as they are.
  package init<Place>(
    _ paging: ClosurePaging<Place>,
    _ pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending Page<Item>
  ) {
    page = { key in
      let page = try await pages(paging.place(key))
      let envelope = try JSONDocument(page.json(hasCursor: paging.hasCursor)).root
      var decoded = DecodedPage(items: page.items, envelope: envelope)
      decoded.itemsPath = ClosureFacts.items
      return decoded
    }
  }

  /// Creates a closure whose items can be encoded, so that its pages can be kept.
  package init<Place>(
    keeping paging: ClosurePaging<Place>,
    _ pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending Page<Item>
  ) where Item: Encodable & SendableMetatype {
    self.init(paging, pages)
    kept = { items, facts in
      guard let facts, let items = try? JSONEncoder().encode(items) else { return nil }
      let rest = facts.text.dropFirst()
      return "{\"items\":" + String(decoding: items, as: UTF8.self) + (rest == "}" ? "" : ",") + rest
    }
  }

  init(_ page: @escaping @Sendable (PageKey) async throws -> sending DecodedPage<Item>) {
    self.page = page
  }
}

/// Reads the pages that were kept of a closure.
package struct KeptPageDecoder<Item: Decodable & SendableMetatype>: PageDecoder {
  private struct Kept: Decodable { let items: [Item] }

  package init() {}

  package func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item> {
    let document = try JSONDocument(bytes)
    let kept = try bytes.withUnsafeBytes { try JSONDecoder().decode(Kept.self, from: Data($0)) }
    var page = DecodedPage(items: kept.items, envelope: document.root)
    page.itemsPath = ClosureFacts.items
    return page
  }
}

/// The decoder of a list whose pages are never read from bytes.
package struct NoPageDecoder<Item>: PageDecoder {
  package init() {}

  package func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item> {
    throw LoadError.decoding("the pages of this list come from a closure")
  }
}

extension Server {
  /// The server of a list whose pages a closure returns. It has a clock, and sends nothing.
  package static func ofClosure() -> Server { Server("https://closure.invalid", transport: NoTransport()) }

  /// Whether it is the server of a closure.
  package var isOfClosure: Bool { transport is NoTransport }
}

/// The transport of a list whose pages a closure returns.
private struct NoTransport: Transport {
  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    throw RequestError(
      .invalidRequest(.init(.url, "the pages of this list come from a closure, and not from an address")))
  }
}

extension PageLoader {
  /// Loads a page from a closure. What it says is read as a response is.
  func page(
    from closure: PageClosure<Item>, _ request: Request
  ) async throws(LoadError) -> sending LoadedPage<Item> {
    let start = server.time.now()
    let read: DecodedPage<Item>
    do {
      read = try await closure.page(request.key)
    } catch {
      if error is CancellationError || Task.isCancelled {
        throw .request(RequestError(.cancelled(.byCaller)))
      }
      let error = LoadError(error)
      if case .request(let error) = error, let status = refusal(error, request) {
        return pageBeyondEnd(request, status)
      }
      throw error
    }
    let envelope = read.envelope
    let address: WebURL
    switch server.base {
    case .success(let url): address = url
    case .failure(let error): throw .request(error)
    }
    var response = HTTPResponse(url: address)
    response.timings.total = server.time.now() - start
    var page = try page(read, response, to: request.call, request, partial: nil)
    if page.rows.ids == nil || page.rows.lacksIDs { page.rows.fingerprint = page.page.items.contentMark }
    page.rows.bytes = MemoryLayout<Item>.stride * page.rows.items.count
    if keeps, let body = closure.kept?(page.page.items, envelope) {
      page.stored = StoredResponse(
        status: 200, headers: [:], body: ResponseBody(text: body), url: address,
        requestedAt: page.rows.asOf, receivedAt: page.rows.asOf)
    }
    return page
  }
}

extension Array {
  /// A hash of the elements; another one each time where they can't be compared.
  var contentMark: Int { (self as? [AnyHashable])?.hashValue ?? UniqueMark.next() }
}

private enum UniqueMark {
  /// Guards the number of marks so far.
  private static let count = Lock(0)

  static func next() -> Int {
    count.withLock {
      $0 &+= 1
      return $0
    }
  }
}
