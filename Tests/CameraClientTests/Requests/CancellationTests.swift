import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

/// Callers that stop waiting for an answer, on the connection's own thread and on others.
@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  @Test(arguments: [false, true])
  func `A request whose task is cancelled ends at once`(isOnLoop: Bool) async throws {
    try await withFakeNode { node, bus in
      let executor = isOnLoop ? bus.executor : globalConcurrentExecutor
      let asking = Task(executorPreference: executor) {
        await failure { () throws(CameraBusError) in _ = try await bus.camera("cam").formats() }
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      asking.cancel()
      #expect(await asking.value?.code == .cancelled)
      // No caller waits for it any more.
      try await node.reply(to: request, .formats(.init()))
      #expect(try await bus.status().name == "fake")
    }
  }

  @Test(arguments: [false, true])
  func `A task that was cancelled before sends nothing`(isOnLoop: Bool) async throws {
    try await withFakeNode { node, bus in
      let executor = isOnLoop ? bus.executor : globalConcurrentExecutor
      let asking = Task(executorPreference: executor) {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return await failure { () throws(CameraBusError) in
          _ = try await bus.camera("cam").formats()
        }
      }
      #expect(await asking.value?.code == .cancelled)
      async let controls = bus.camera("cam").controls()
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      guard case .controlsList? = first.request.body else {
        Issue.record("the node was asked by who did not wait")
        return
      }
      try await node.reply(to: first, .controls(.init()))
      #expect(try await controls.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `Each request has one outcome, however many are cancelled`(isOnLoop: Bool)
    async throws
  {
    try await withFakeNode { _, bus in
      let executor = isOnLoop ? bus.executor : globalConcurrentExecutor
      let outcomes = await withTaskGroup(of: CameraBusError.Code?.self) { group in
        for number in 1...300 {
          let asking = Task(executorPreference: executor) {
            await failure { () throws(CameraBusError) in _ = try await bus.status() }?.code
          }
          if number.isMultiple(of: 3) { Task { asking.cancel() } }
          group.addTask { await asking.value }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count == 300)
      #expect(outcomes.count { $0 == nil } >= 200)
      #expect(outcomes.allSatisfy { $0 == nil || $0 == .cancelled })
    }
  }

  @Test func `Requests on the connection's own thread end when it is closed there`() async throws {
    try await withFakeNode { node, bus in
      await withTaskExecutorPreference(bus.executor) {
        async let error = failure { () throws(CameraBusError) in
          _ = try await bus.camera("cam").formats()
        }
        var requests = node.requests.makeAsyncIterator()
        _ = await requests.next()
        await bus.close()
        #expect(await error?.code == .closed)
        let later = await failure { () throws(CameraBusError) in _ = try await bus.status() }
        #expect(later?.code == .closed)
      }
    }
  }
}
