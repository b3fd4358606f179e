#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, for a program with a `main` of its own (FuzzerInterface.h).
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
                        int (*_Nonnull test)(const uint8_t *_Nullable data, size_t size));
