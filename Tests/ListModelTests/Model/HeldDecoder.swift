import Dispatch
import ItemMapping
import QuireTesting

/// A decoder that a test holds in the middle of its work.
struct HeldDecoder: PageDecoder {
  let isAtWork = Gate()
  let mayGoOn = DispatchSemaphore(value: 0)

  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Int> {
    isAtWork.open()
    mayGoOn.wait()
    return DecodedPage(items: [1, 2, 3])
  }
}
