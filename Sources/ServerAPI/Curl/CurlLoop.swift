internal import CCurl

/// The thread of a transport.
///
/// It starts with the first request and ends when its transport is released, or after
/// ``CurlTransport/Configuration/idleLifetime`` without work, when all connections would be closed anyway.
/// Between requests it waits on a condition: an idle client never wakes up.
final class CurlLoop: Sendable {
  let configuration: CurlTransport.Configuration
  private let certificate: LoadedCertificate?
  let queue = CurlCommandQueue()

  init(_ configuration: CurlTransport.Configuration, _ certificate: LoadedCertificate? = nil) {
    self.configuration = configuration
    self.certificate = certificate
  }

  /// Whether the loop belongs to the parent of this process.
  var isForked: Bool { queue.isForked }

  /// Whether a thread is running.
  var hasThread: Bool { queue.hasThread }

  /// Passes a command to the thread, and starts one if there is none.
  func send(_ command: CurlCommand) {
    guard queue.push(command) else { return }
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = ccurl_start_thread(
      { context in
        if let context { Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
      }, context)
    if code != 0 {
      Unmanaged<CurlLoop>.fromOpaque(context).release()
      refuse(queue.end(), "can't start a thread: error \(code)")
    }
  }

  private func run() {
    if let failure = CurlLibrary.shared.failure { return refuse(queue.end(), failure) }
    guard let engine = CurlEngine(configuration, certificate) else {
      return refuse(queue.end(), "libcurl can't create a multi handle")
    }
    var commands: [CurlCommand] = []
    while true {
      queue.swap(&commands)
      for command in commands {
        switch command {
        case .start(let transfer): engine.start(transfer)
        case .cancel(let transfer): engine.cancel(transfer)
        case .resume(let transfer): engine.resume(transfer)
        case .prioritize(let transfer, let priority): engine.setPriority(transfer, priority)
        case .stop:
          engine.endAll(.unusable("the transport was released"))
          return refuse(queue.end(), "the transport was released")
        }
      }
      commands.removeAll(keepingCapacity: true)
      engine.startWaiting()
      if engine.isRunning { engine.perform() }
      let rest = engine.expire()
      if engine.hasRoomForWaiting { continue }
      if engine.isRunning {
        guard queue.beginPoll(engine.multi) else { continue }
        engine.poll(atMost: rest)
        queue.endPoll()
      } else if !engine.hasWork, !queue.wait(atMost: configuration.idleLifetime) {
        return
      }
    }
  }

  private func refuse(_ commands: [CurlCommand], _ reason: String) {
    for case .start(let transfer) in commands {
      transfer.finish(.failure(RequestError(.unusable(reason))))
    }
  }
}
