import ArgumentParser
import CameraNode
import Foundation
import OperatingSystem
import PhotoEncoding

extension Camerad {
  /// The configuration file's settings, replaced by those of the command line, and every mistake in
  /// both.
  func nodeConfiguration() -> (configuration: NodeConfiguration, mistakes: [ConfigurationError]) {
    var configuration = NodeConfiguration(
      name: String(ProcessInfo.processInfo.hostName.prefix(64)), library: DefaultLibrary.path)
    configuration.photoEncoder = PhotoEncoderSettings()
    var mistakes: [ConfigurationError] = []
    if let config {
      do throws(ConfigurationError) {
        mistakes += try ConfigurationFile(path: config).apply(to: &configuration)
      } catch {
        mistakes.append(error)
      }
    }
    for camera in cameras {
      do throws(ConfigurationError) {
        configuration.cameras.append(try CameraConfiguration(argument: camera))
      } catch {
        mistakes.append(error)
      }
    }
    for microphone in microphones {
      do throws(ConfigurationError) {
        configuration.microphones.append(try MicrophoneConfiguration(argument: microphone))
      } catch {
        mistakes.append(error)
      }
    }
    for rule in adoptions {
      do throws(ConfigurationError) {
        configuration.adoptions.append(try AdoptionRule(argument: rule))
      } catch {
        mistakes.append(error)
      }
    }
    replaceSettings(of: &configuration)
    // A camera with a mistake in it is not in the configuration, but it was named.
    mistakes += configuration.mistakes().filter { $0 != .noCamera || mistakes.isEmpty }
    return (configuration, mistakes)
  }

  private func replaceSettings(of configuration: inout NodeConfiguration) {
    let options: [(key: String, path: WritableKeyPath<NodeConfiguration, String>, value: String?)] =
      [
        ("control", \.control, control), ("events", \.events, events),
        ("frames", \.frames, frames), ("library", \.library, library), ("name", \.name, name),
      ]
    for (key, path, value) in options {
      guard let value else { continue }
      configuration[keyPath: path] = value
      configuration.origins[key] = nil
    }
    if let ipc {
      configuration.ipcFolder = ipc
      configuration.origins["ipc"] = nil
    }
    if let keys {
      configuration.keys = keys
      configuration.origins["keys"] = nil
    }
    if let group {
      configuration.group = group
      configuration.origins["group"] = nil
    }
    if let state { configuration.state = state }
    configuration.remembers = configuration.remembers || remember
    configuration.keepsTrying = configuration.keepsTrying || keepTrying
    configuration.isInsecure = configuration.isInsecure || insecure
    configuration.announces = configuration.announces || announce
    if let reserve { configuration.reserve = reserve }
    if let limitedPorts { configuration.limitedPorts = limitedPorts }
    if let clockError { configuration.clockError = clockError }
    if let pressure { configuration.pressure = pressure }
    if let log { configuration.logLevel = log }
    if quiet { configuration.logLevel = .error }
    if verbose > 0 { configuration.logLevel = [.info, .debug, .trace][min(verbose, 3) - 1] }
  }
}

extension LogLevel: ExpressibleByArgument {}
