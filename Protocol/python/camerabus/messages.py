"""The messages of the .proto files by their names: `messages.CaptureRequest`, `messages.Event`, …
"""

from .v1.camera_pb2 import *  # noqa: F401,F403
from .v1.common_pb2 import *  # noqa: F401,F403
from .v1.publication_pb2 import *  # noqa: F401,F403
from .v1.request_pb2 import *  # noqa: F401,F403
