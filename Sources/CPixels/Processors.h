// Compiles a function for several processors and selects a variant at run time.
#ifndef CPIXELS_PROCESSORS_H
#define CPIXELS_PROCESSORS_H

// The loader chooses a variant before the thread sanitizer is initialised, which would crash it.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#endif
