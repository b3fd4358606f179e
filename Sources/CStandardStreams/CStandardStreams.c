#include "CStandardStreams.h"

#include <errno.h>
#include <fcntl.h>

/// Opens /dev/null for each standard stream that is closed, in the wrong direction: reading from
/// the input and writing to the output fail with EBADF, as they do on a closed stream.
__attribute__((constructor)) static void reserveStandardStreams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
}
