import CameraProtocol

/// Follows one proxy until its final files are made, by the node's events and by its library.
struct ProxyFollower {
  let requestID: Identifier
  private let proxy: Asset
  private let bus: CameraBus

  /// A request has no more pictures and files than that.
  private static let mostAssets = 1000
  /// How long the event may take that says more than the library.
  private static let grace = Duration.seconds(1)

  /// - Throws: `invalidArgument` if the asset is no proxy.
  init(_ proxy: Asset, of bus: CameraBus) throws(CameraBusError) {
    guard proxy.isProxy, let requestID = proxy.requestID else {
      throw Arguments.refusal("\(proxy.id) is no proxy, so it is final already", "proxy")
    }
    self.requestID = requestID
    self.proxy = proxy
    self.bus = bus
  }

  /// Waits until the final files are in the library.
  func finalFiles(within timeout: Duration?) async throws(CameraBusError) -> FinishedPhoto {
    let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let outcome = await withTaskGroup(of: Result<FinishedPhoto, CameraBusError>.self) { group in
      group.addTask {
        await Self.result { () throws(CameraBusError) in
          try await followEvents { look.yield() }
        }
      }
      group.addTask {
        await Self.result { () throws(CameraBusError) in try await askLibrary(at: looks) }
      }
      // No event tells of the photos of a camera that has gone.
      group.addTask {
        await Self.result { () throws(CameraBusError) in
          while true {
            try await Self.sleep(for: bus.configuration.requestTimeout)
            look.yield()
          }
        }
      }
      if let timeout {
        group.addTask {
          await Self.result { () throws(CameraBusError) in
            try await Self.sleep(for: timeout)
            throw .notMade(within: timeout)
          }
        }
      }
      let first = await group.next()
      group.cancelAll()
      return first
    }
    return try (outcome ?? .failure(.cancelled)).get()
  }

  private static func result(
    of body: () async throws(CameraBusError) -> FinishedPhoto
  ) async -> Result<FinishedPhoto, CameraBusError> {
    do throws(CameraBusError) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }

  private static func sleep(for duration: Duration) async throws(CameraBusError) {
    do { try await Task.sleep(for: duration) } catch { throw .cancelled }
  }

  /// Asks the library at these moments. The event that tells the same says more, so it comes first
  /// if there is one.
  private func askLibrary(at looks: AsyncStream<Void>) async throws(CameraBusError) -> FinishedPhoto
  {
    for await _ in looks {
      do throws(CameraBusError) {
        guard let photo = try await askLibrary() else { continue }
        try await Self.sleep(for: Self.grace)
        return photo
      } catch {
        if error.code != .cancelled { try await Self.sleep(for: Self.grace) }
        throw error
      }
    }
    throw .cancelled
  }

  /// Reads the events from the oldest that the node keeps.
  /// - Parameter look: Called where more may have happened than they say.
  private func followEvents(
    _ look: @Sendable () -> Void
  ) async throws(CameraBusError) -> FinishedPhoto {
    // Of all cameras, because this one may have gone while its photos are finished.
    for try await event in EventSequence(EventScope(kind: .deferred), hasHistory: true, bus: bus) {
      switch event {
      case .event(let event):
        guard case .deferred(let id, let proxy, let step) = event.body, proxy == self.proxy.id
        else { continue }
        switch step {
        case .finished(let resolved, let assets):
          guard id == requestID else { throw .unexpectedReply }
          return FinishedPhoto(requestID, resolved, assets: try checked(assets))
        case .failed(let problem): throw CameraBusError(problem)
        case .unknown: continue
        }
      case .snapshot:
        // Every kept event came before this, and every later one follows.
        look()
      case .disconnected(let reason?):
        // Waiting does not change it.
        throw CameraBusError(reason)
      case .gap, .nodeRestarted, .disconnected, .reconnected:
        // Each is followed by a snapshot.
        continue
      }
    }
    throw .endedEarly
  }

  /// Asks the library until it answers.
  /// - Returns: Nil while the files are still to be made.
  private func askLibrary() async throws(CameraBusError) -> FinishedPhoto? {
    while true {
      do throws(CameraBusError) {
        return try await lookUp()
      } catch {
        guard [.timedOut, .unreachable, .interrupted, .busy].contains(error.code) else {
          throw error
        }
      }
      try await Self.sleep(for: .milliseconds(200))
    }
  }

  private func lookUp() async throws(CameraBusError) -> FinishedPhoto? {
    guard let proxy = try await bus.asset(proxy.id) else { throw .deletedProxy(proxy.id) }
    switch proxy.deferral {
    case nil: throw .unexpectedReply
    case .done?: break
    case .failed?: throw .failedProxy
    default: return nil
    }
    let all = try await bus.assets(AssetFilter(requestID: requestID), limit: Self.mostAssets)
    let files = all.filter { $0.replaces == proxy.id }
    guard !files.isEmpty else { throw .deletedFinal }
    return FinishedPhoto(requestID, assets: try checked(files.reversed()))
  }

  /// - Throws: If the files are not the proxy's. Otherwise a lying node could pass off one photo as
  ///   another.
  private func checked(_ files: [Asset]) throws(CameraBusError) -> [Asset] {
    let areFitting = files.allSatisfy { file in
      file.replaces == proxy.id && file.requestID == requestID && file.camera == proxy.camera
        && !file.isProxy
    }
    guard areFitting, !files.isEmpty, Set(files.map(\.id)).count == files.count else {
      throw .unexpectedReply
    }
    return files
  }
}

extension CameraBusError {
  fileprivate static func notMade(within timeout: Duration) -> CameraBusError {
    CameraBusError(
      .timedOut,
      "the final photo was not made within \(timeout): it is still to come, so ask again, or give it more time",
      isRetryable: true)
  }

  fileprivate static func deletedProxy(_ id: Identifier) -> CameraBusError {
    CameraBusError(
      .noSuchAsset,
      "the proxy \(id) was deleted, so no final photo is made of it: look for what its request has left in the library"
    )
  }

  fileprivate static var deletedFinal: CameraBusError {
    CameraBusError(
      .noSuchAsset, "the final photo was made and deleted: the proxy is all there is")
  }

  fileprivate static var failedProxy: CameraBusError {
    CameraBusError(
      .encodingFailed,
      "the final photo could not be made, as the node's log explains: the proxy is all there is")
  }
}
