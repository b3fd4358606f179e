// A program can be started with its standard streams closed (`program >&-`). The kernel gives the
// next file or socket the free number 1, and the program prints into that file. Dispatch opens
// descriptors before the first line of an asynchronous Swift main, so only a constructor is early
// enough to prevent this.
//
// Programs depend on this target; libraries must not, because the streams belong to the program.
#ifndef CSTANDARDSTREAMS_H
#define CSTANDARDSTREAMS_H
#endif
