import ArgumentParser
import CameraNode

extension LogLevel: ExpressibleByArgument {}
