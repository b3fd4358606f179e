import CameraProtocol
import EventLoop
import MediaLibrary

/// One asset on its way to a client, in chunks under the client's credit.
///
/// It holds the file open but no bytes: a chunk is read when there is credit for it, one at a time,
/// so that a slow client costs neither memory nor anybody else's time.
struct Download {
  /// How many a node has under way.
  static let maximumCount = 64

  let asset: Asset
  let reader: AssetReader
  private(set) var offset: Int
  private(set) var credit: UInt32
  private(set) var isReading = false
  /// Runs while it waits for credit.
  var patience: LoopTimer?

  init(asset: Asset, reader: AssetReader, offset: Int, credit: UInt32) {
    self.asset = asset
    self.reader = reader
    self.offset = offset
    self.credit = credit == 0 ? WireLimits.defaultCredit : credit
  }

  var isComplete: Bool { offset >= asset.byteCount }

  mutating func extend(by chunks: UInt32) {
    credit = min(credit + chunks, WireLimits.credit)
  }

  /// The next chunk to read, if there is credit and none is being read: takes the credit.
  mutating func nextRead() -> (offset: Int, count: Int)? {
    guard !isReading, credit > 0, !isComplete else { return nil }
    isReading = true
    credit -= 1
    return (offset, min(WireLimits.chunkByteCount, asset.byteCount - offset))
  }

  mutating func didRead(_ count: Int) {
    isReading = false
    offset += count
  }
}
