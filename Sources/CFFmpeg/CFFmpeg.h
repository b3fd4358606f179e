#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>

/// Wraps AVERROR, because Swift does not import a macro that contains a condition.
static inline int CFFmpeg_error(int number) { return AVERROR(number); }

/// AVERROR_EOF, which Swift does not import either.
static const int CFFmpeg_endOfFile = AVERROR_EOF;

#endif
