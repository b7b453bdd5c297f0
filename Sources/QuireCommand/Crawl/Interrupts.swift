internal import Dispatch
internal import Foundation

/// Ends work on the first interrupt, and the program on the second one.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []

  init(_ interrupted: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "quire.interrupts")
    // Only touched on the queue.
    nonisolated(unsafe) var isSecond = false
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if isSecond { _exit(CrawlStatus.interrupted.rawValue) }
        isSecond = true
        interrupted()
      }
      source.resume()
      sources.append(source)
    }
  }

  func end() { for source in sources { source.cancel() } }
}
