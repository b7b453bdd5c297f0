import Dispatch
import ItemMapping
import QuireTesting

/// A decoder that waits until the test lets it continue.
struct HeldDecoder: PageDecoder {
  let hasStarted = Gate()
  let mayContinue = DispatchSemaphore(value: 0)

  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Int> {
    hasStarted.open()
    mayContinue.wait()
    return DecodedPage(items: [1, 2, 3])
  }
}
