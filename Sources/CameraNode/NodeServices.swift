/// The services of a node, each with one capability.
struct NodeServices: Sendable {
  let router: RequestRouter
  let status: StatusService
  let events: EventsService
  let sessions: SessionService
  let controls: ControlsService
  let captures: CaptureService
  let recordings: RecordingService
  let library: LibraryService
  let downloads: DownloadService
}
