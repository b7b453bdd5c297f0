internal import ItemMapping
internal import ServerAPI

extension PageLoader {
  /// The call as it is made.
  ///
  /// Whatever made the address, a page behind the first one is asked for at the origin that the program
  /// named or where the list is at home, and redirects lead nowhere else. An origin other than the
  /// program's own gets no credentials, no body, and none of its fields that may be secret.
  func call(for wish: Wish) throws(LoadError) -> Call {
    var call = wish.call
    do throws(PagingError) {
      try wish.paging.strategy.ask(for: wish.key, in: &call)
      try keepHome(&call, wish)
    } catch {
      throw .paging(error)
    }
    return call
  }

  private func keepHome(_ call: inout Call, _ wish: Wish) throws(PagingError) {
    // A call that can't be made says so itself.
    guard let asked = server.origin(of: wish.call), let target = server.origin(of: call) else {
      return
    }
    if let home = wish.home {
      let origins = ListOrigins(asked: asked, home: home, allowsOthers: allowsOtherOrigins)
      guard target == asked || origins.allow(target, from: home) else {
        throw .otherOrigin(target.description, expected: home)
      }
      if !allowsOtherOrigins {
        var redirects = call.redirects ?? server.configuration.redirects
        redirects.home = home
        call.redirects = redirects
      }
    }
    guard wish.key.isForeign || target != asked else { return }
    guard call.body == nil else {
      throw .wrongCall(
        "the next page is at another origin and the call has a body",
        expected: "a call without a body, which may hold secrets")
    }
    call.isForeign = true
  }

  /// A response with all that can tell its place in the list.
  func answer(
    _ wish: Wish, _ call: Call, _ response: HTTPResponse, _ envelope: JSONView?,
    itemsPath: JSONPath, count: Int
  ) -> PageAnswer {
    var answer = PageAnswer(
      key: wish.key, call: call, response: response, envelope: envelope, itemsPath: itemsPath,
      count: count)
    answer.origins = server.origin(of: wish.call).map { asked in
      ListOrigins(
        asked: asked, home: wish.home ?? response.url.origin,
        allowsOthers: allowsOtherOrigins)
    }
    return answer
  }

  func answer(
    _ wish: Wish, _ call: Call, _ response: HTTPResponse, _ read: borrowing ReadPage<Item>
  ) -> PageAnswer {
    answer(
      wish, call, response, read.envelope, itemsPath: read.itemsPath, count: read.count)
  }
}
