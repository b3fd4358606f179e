import CFFmpeg

/// The kind of file of a movie.
package enum MovieContainer: String, Codable, Hashable, Sendable, CaseIterable {
  case matroska
  /// In fragments, each of half a second.
  case mp4

  /// The steps in which it keeps times: libavformat fixes Matroska's at a millisecond.
  var ticksPerSecond: Int64 {
    switch self {
    case .matroska: 1000
    case .mp4: 1_000_000
    }
  }

  /// libavformat's name for it.
  var muxer: String { rawValue }
}

/// The kind of file of a movie, and how its pictures are coded.
package struct MovieFormat: Codable, Hashable, Sendable {
  package var container: MovieContainer
  package var codec: VideoCodec

  package init(_ container: MovieContainer = .matroska, _ codec: VideoCodec = .mjpeg) {
    self.container = container
    self.codec = codec
  }
}

extension MovieContainer {
  /// What the file at a path is, by its first bytes. Waits for a file that another program holds.
  /// - Throws: `storageFailed` when the file cannot be read.
  init(ofFileAt path: String) throws(RecordingError) {
    var file: UnsafeMutablePointer<AVIOContext>?
    let status = unsafe avio_open(&file, path, AVIO_FLAG_READ)
    guard status >= 0 else { throw RecordingError(status: status, path: path) }
    defer { unsafe avio_closep(&file) }
    var head = [UInt8](repeating: 0, count: 8)
    let count = unsafe avio_read(file, &head, Int32(head.count))
    self = count == 8 && head[4...].elementsEqual("ftyp".utf8) ? .mp4 : .matroska
  }
}
