import Glibc
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Bounds what a connection may take: time for a request, bytes of its body, and time in which
/// nothing of an answer is taken. It runs on the connection's event loop, behind the decoder.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// What the kernel keeps unsent of a connection: little, so that a slow browser gets new pictures
  /// and not old ones.
  private static let unsentBytes = 128 << 10

  private let table: ConnectionTable
  private let limits: WebLimits
  private var visitor: ConnectionTable.Visitor?
  private var bodyBytes = 0
  /// Closes the connection unless the request has come whole by then.
  private var requestEnd: Scheduled<Void>?
  /// Closes the connection unless the visitor has taken something by then.
  private var stallEnd: Scheduled<Void>?

  init(_ table: ConnectionTable, _ limits: WebLimits) {
    self.table = table
    self.limits = limits
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { enter(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    enter(context)
    context.fireChannelActive()
  }

  private func enter(_ context: ChannelHandlerContext) {
    guard visitor == nil else { return }
    let visitor = ConnectionTable.Visitor(context.remoteAddress)
    guard table.enter(visitor) else { return context.close(promise: nil) }
    self.visitor = visitor
    let option = ChannelOptions.socket(
      SocketOptionLevel(IPPROTO_TCP), SocketOptionName(TCP_NOTSENT_LOWAT))
    _ = context.channel.setOption(option, value: Self.unsentBytes)
  }

  func channelInactive(context: ChannelHandlerContext) {
    requestEnd?.cancel()
    stallEnd?.cancel()
    if let visitor { table.leave(visitor) }
    visitor = nil
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      bodyBytes = 0
      requestEnd = close(context, in: limits.requestTime)
    case .body(let bytes):
      // The part that goes beyond the limit shows the reader that the body is too long.
      let isBeyond = bodyBytes > limits.bodyBytes
      bodyBytes += bytes.readableBytes
      if isBeyond { return }
    case .end:
      requestEnd?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .body(let bytes) = unwrapOutboundIn(data) { table.countSent(bytes.readableBytes) }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stallEnd?.cancel()
    stallEnd = context.channel.isWritable ? nil : close(context, in: limits.stallTime)
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A visitor who has closed his side has gone. Otherwise an answer that waits for something,
    // such as a stopped camera's stream, would wait for ever.
    if let event = event as? ChannelEvent, event == .inputClosed {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func close(_ context: ChannelHandlerContext, in time: Duration) -> Scheduled<Void> {
    let (channel, table) = (context.channel, table)
    return context.eventLoop.scheduleTask(in: TimeAmount(time)) {
      table.countStall()
      channel.close(promise: nil)
    }
  }
}
