import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Edits that wait for the server.
@MainActor struct SentEditTests {
  private func loaded() async -> ListBench {
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    bench.delegate.forget()
    return bench
  }

  @Test func `a draft shows at once, and becomes the row that the server returns`() async throws {
    let bench = await loaded()
    let saved = try await bench.model.edit(.insert(Row(id: -1), at: .start)) {
      #expect(bench.ids == [-1, 0, 1, 2])
      await bench.model.eventsDelivered()
      #expect(bench.delegate.texts == ["change"])
      return Row(id: 77)
    }
    #expect(saved.id == 77 && bench.ids == [77, 0, 1, 2])
    #expect(bench.delegate.texts == ["change", "change"] && bench.delegate.rows == bench.ids)
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a response without a row confirms the edit as it is`() async throws {
    let bench = await loaded()
    let response = try await bench.model.edit(.remove(1)) {
      try await bench.model.server.send(Call("/rows/1", method: .delete))
    }
    #expect(response.status == 200 && bench.ids == [0, 2])
    try await bench.model.edit(.remove(2)) {}
    #expect(bench.ids == [0] && bench.delegate.rows == [0])
    bench.transport.enqueue(.json(page(0..<3)))
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [0, 1, 2])
  }

  @Test func `an edit that the server refuses is rolled back, with its error`() async throws {
    let bench = await loaded()
    bench.transport.enqueue(.status(409))
    let error = await #expect(throws: RequestError.self) {
      try await bench.model.edit(.remove(1)) {
        try await bench.model.server.send(Call("/rows/1", method: .delete))
      }
    }
    #expect(error?.kind == .status(409))
    #expect(bench.ids == [0, 1, 2] && bench.delegate.rows == bench.ids)
    #expect(bench.delegate.texts == ["change", "change"])
  }

  @Test func `an impossible edit sends nothing`() async {
    let bench = await loaded()
    await #expect(throws: ListEditError.unknownRow(99)) {
      try await bench.model.edit(.remove(99)) { Issue.record("it was sent") }
    }
    #expect(bench.delegate.texts.isEmpty)
  }

  @Test func `cancelling the task rolls the edit back`() async {
    let bench = await loaded()
    let gate = Gate()
    bench.transport.enqueue(.status(204).held(by: gate))
    let task = Task {
      try await bench.model.edit(.remove(1)) {
        try await bench.model.server.send(Call("/rows/1", method: .delete))
      }
    }
    await gate.reached()
    #expect(bench.ids == [0, 2])
    task.cancel()
    await #expect(throws: RequestError.self) { try await task.value }
    #expect(bench.ids == [0, 1, 2])
  }

  @Test func `an edit that the server made before its task was cancelled is confirmed`()
    async throws
  {
    let bench = await loaded()
    let task = Task {
      try await bench.model.edit(.remove(1)) { withUnsafeCurrentTask { $0?.cancel() } }
    }
    try await task.value
    #expect(bench.ids == [0, 2] && bench.delegate.rows == [0, 2])
  }

  @Test func `edits that overlap end one by one`() async throws {
    let bench = await loaded()
    let (first, second) = (Gate(), Gate())
    let model = bench.model
    let removal = Task {
      try await model.edit(.remove(1)) { try await first.pass() }
    }
    let insertion = Task {
      try await model.edit(.insert(Row(id: -1), at: .after(0))) {
        try await second.pass()
        return Row(id: 77)
      }
    }
    await first.reached()
    await second.reached()
    #expect(bench.ids == [0, -1, 2])
    second.open()
    _ = try await insertion.value
    #expect(bench.ids == [0, 77, 2])
    first.open()
    try await removal.value
    #expect(bench.delegate.rows == [0, 77, 2] && bench.delegate.mismatches.isEmpty)
  }
}
