internal import ServerAPI

extension TransportConformance {
  static let responseCases: [Case] = [
    Case("an error status is a response") { probe in
      for status in [400, 401, 404, 429, 500, 503] {
        let exchange = try await probe.exchange { $0.status = status }
        let response = try await probe.transport.send(probe.request(exchange))
        try probe.expect("status", response.status, status)
        try probe.expect("body", response.body.utf8Text, "hello")
      }
    },
    Case("a redirect is returned and not followed") { probe in
      for status in [300, 301, 302, 303, 307, 308] {
        for location in ["../next?page=2#x", "//other.example/", "file:///etc/hostname"] {
          let exchange = try await probe.exchange {
            $0.status = status
            $0.headers = ["Location": location]
          }
          let response = try await probe.transport.send(probe.request(exchange))
          try probe.expect("status", response.status, status)
          try probe.expect("Location", response.headers["Location"], location)
          try probe.expect("address", response.url, exchange.url)
          try probe.expect("requests", try exchange.requests().count, 1)
        }
      }
    },
    Case("repeated fields stay separate and in order") { probe in
      let exchange = try await probe.exchange {
        $0.headers = ["Link": "<a>, <b>", "Set-Cookie": "a=1", "link": "<c>", "set-cookie": "b=2"]
      }
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expect("Link", response.headers.values("Link"), ["<a>, <b>", "<c>"])
      try probe.expect("Set-Cookie", response.headers.values("Set-Cookie"), ["a=1", "b=2"])
    },
    Case("a response to HEAD, a 204 and a 304 have no body") { probe in
      for (method, status) in [(HTTPMethod.head, 200), (.get, 204), (.get, 304)] {
        let exchange = try await probe.exchange { $0.status = status }
        let response = try await probe.transport.send(probe.request(exchange, method))
        try probe.expect("status", response.status, status)
        try probe.expect("bytes for \(method) \(status)", response.body.count, 0)
      }
    },
    Case("interim responses are skipped") { probe in
      let exchange = try await probe.exchange {
        $0.interim = [103, 102, 103]
        $0.headers = ["X-Final": "yes"]
      }
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expect("status", response.status, 200)
      try probe.expect("X-Final", response.headers.values("X-Final"), ["yes"])
      try probe.expect("body", response.body.utf8Text, "hello")
    },
    Case("a body arrives byte for byte, followed by zero padding") { probe in
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
      let exchange = try await probe.exchange { $0.body = .bytes(bytes) }
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expectBytes("body", response.body.array, bytes)
      let padding = response.body.withUnsafeBytes { body in
        UnsafeRawBufferPointer(
          start: body.baseAddress?.advanced(by: body.count), count: ResponseBody.padding
        ).allSatisfy { $0 == 0 }
      }
      try probe.check(padding, "bytes after the end of the body are not zero")
    },
    Case("a chunked body arrives whole") { probe in
      let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0) }
      let exchange = try await probe.exchange {
        $0.body = .bytes(bytes)
        $0.isChunked = true
      }
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expectBytes("body", response.body.array, bytes)
    },
    Case("a compressed body arrives decoded, with both sizes reported") { probe in
      let exchange = try await probe.exchange { $0.body = .gzippedZeros(100_000) }
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expectBytes("body", response.body.array, [UInt8](repeating: 0, count: 100_000))
      let (wire, decoded) = (response.timings.wireBytes, response.timings.decodedBytes)
      try probe.expect("decoded bytes", decoded, 100_000)
      try probe.check((1..<10_000).contains(wire), "\(wire) wire bytes, expected below 10000")
    },
    Case("timings are not negative and add up") { probe in
      let exchange = try await probe.exchange()
      let before = TimeSource.system.now()
      let timings = try await probe.transport.send(probe.request(exchange)).timings
      let elapsed = TimeSource.system.now() - before
      let phases = [
        timings.queue, timings.dns, timings.connect, timings.tls, timings.send, timings.wait,
        timings.receive, timings.decode, timings.deliver,
      ]
      try probe.check(phases.allSatisfy { $0 >= .zero }, "a phase is negative: \(phases)")
      let sum = phases.reduce(.zero, +)
      // Phases are parts of the total. The time after the last one depends on when the thread gets a
      // processor, so it has no limit.
      try probe.check(
        sum <= timings.total + .milliseconds(1),
        "the phases take \(sum), the total is \(timings.total)")
      try probe.check(
        timings.total <= elapsed, "the total is \(timings.total), the call took \(elapsed)")
      try probe.expect("decoded bytes", timings.decodedBytes, 5)
    },
    Case("the protocol of the response is reported") { probe in
      let exchange = try await probe.exchange()
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expect("protocol", response.timings.httpVersion, "HTTP/1.1")
    },
  ]
}
