#ifndef CACCEPT_H
#define CACCEPT_H

// This module has no functions to call: see CAccept.c.

#endif
