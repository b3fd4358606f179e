#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/parseutils.h>

/// AVERROR, a macro with a condition in it, which does not import.
static inline int CFFmpeg_error(int number) { return AVERROR(number); }

#endif
