import ArgumentParser
import CameraClient
import Glibc
import Words

/// The final photos of `capture --deferred`: awaited and written with `--wait`, and otherwise told
/// where they will be.
struct FinalPhotos {
  /// Where proxies go.
  let proxies: OutputPattern
  private let options: BusOptions
  private let isAwaited: Bool
  /// The pictures are not held, because a series may have many.
  private var awaited: [(proxy: Asset, picture: Int?, number: Int)] = []
  /// The request whose photos were written last, and their number.
  private var untold: (request: Identifier, photos: Int)?

  /// - Parameter output: What `--output` names: the final photos if they are awaited, otherwise the
  ///   proxies.
  init(_ options: BusOptions, _ deferral: DeferralOptions, _ output: OutputPattern) {
    self.options = options
    isAwaited = deferral.wait
    proxies = isAwaited ? output.forProxies(isBeside: true) : output
  }

  /// Finds out whether the proxies could be written.
  func check() throws {
    if isAwaited { try proxies.check() }
  }

  /// Takes a photo that was written here.
  mutating func expect(of photo: Photo, _ number: Int) {
    guard photo.isProxy, let proxy = photo.asset else { return }
    if isAwaited { return awaited.append((proxy, photo.resolved?.picture, number)) }
    if untold?.request != photo.requestID { tell() }
    untold = (photo.requestID, (untold?.photos ?? 0) + 1)
  }

  /// Says where the final photos of a request will be.
  private mutating func tell() {
    guard let (request, photos) = untold else { return }
    untold = nil
    options.note(
      "the final photo\(photos == 1 ? " is" : "s are") made later: camctl download --request \(request)"
    )
  }

  /// Waits for each final photo, and goes on without those that cannot be made.
  mutating func deliver(
    from bus: CameraBus, _ write: (_ photo: Photo, _ number: Int) async throws -> Void
  ) async throws {
    tell()
    var failed = 0
    for (proxy, picture, number) in awaited {
      var photo: Photo
      do throws(CameraBusError) {
        photo = try await bus.finalPhoto(of: proxy, timeout: options.chosenTimeout)
      } catch {
        guard !error.code.isOfWaiting else { throw CommandFailure(error, of: proxy) }
        failed += 1
        options.note("camctl: final photo \(number): \(error.message)", style: .warning)
        continue
      }
      if let picture { photo.resolved?.picture = picture }
      try await write(photo, number)
    }
    guard failed > 0 else { return }
    throw CommandFailure(
      code: CameraBusError.Code.encodingFailed.rawValue,
      message:
        "\(failed) of \(awaited.count.counted("final photo")) could not be made; the proxies are here",
      status: EXIT_FAILURE)
  }
}

extension CameraBusError.Code {
  /// Whether the waiting has ended and the node has said nothing of the photo. Otherwise others may
  /// come all the same.
  var isOfWaiting: Bool { [.timedOut, .unreachable, .closed, .cancelled].contains(self) }
}

extension CommandFailure {
  /// The end of waiting for the final photo of a proxy.
  fileprivate init(_ error: CameraBusError, of proxy: Asset) {
    self.init(error)
    if let id = proxy.requestID {
      message += "; later: camctl download --request \(id)"
    }
  }
}

/// Whether the files of photos are made later, and waited for.
struct DeferralOptions: ParsableArguments {
  @Flag(
    help: "Take a proxy at once, a JPEG, and let the node make the files of --format afterwards.")
  var deferred = false

  @Flag(help: "With --deferred, wait for these files and write them too.")
  var wait = false

  func validate() throws {
    if wait, !deferred {
      throw ValidationError("--wait is for files that are made later: give --deferred too")
    }
  }
}
