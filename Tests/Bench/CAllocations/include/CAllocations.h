// Counts the allocations of a process that loads this library (LD_PRELOAD). The environment
// variable BENCH_ALLOCATIONS names the file that holds the count: one uint64_t in the machine's
// byte order, which other processes may read at any time.
#pragma once
