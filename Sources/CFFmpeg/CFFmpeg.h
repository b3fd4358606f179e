#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>

// AVERROR is a macro with a condition in it, which does not import.
static inline int cffmpeg_error(int number) { return AVERROR(number); }

// AV_NOPTS_VALUE is a cast, which does not import.
static const int64_t cffmpeg_no_pts = AV_NOPTS_VALUE;

#endif
