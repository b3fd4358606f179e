// Counts the allocations of a process that loads it (LD_PRELOAD). The count is kept in the file that the environment
// variable BENCH_ALLOCATIONS names: one uint64_t in the machine's byte order, which others may read at any time.
#pragma once
