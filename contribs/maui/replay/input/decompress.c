/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One loop over all of it, whose steps are those of the libraries. */
#include "contribs/maui/replay/input/decompress.h"

#define ZLIB_CONST /* what goes in */
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "common/util/grow.h"
#include "common/util/memory.h"

#define PIECE      ((size_t)1 << 20)   /* of what comes out at a time */
#define MAX_PIECE  ((size_t)1 << 30)   /* of what goes in: zlib counts in 32 bits */
#define XZ_MEMORY  (UINT64_C(1) << 30) /* of a decoder: what `xz -9` takes is a tenth */
#define DAMAGED    "damaged"
#define INCOMPLETE "ends in the middle of what was compressed"

/* What is left of both sides; a step takes from them. */
struct step {
	const unsigned char *in;
	size_t in_left;
	unsigned char *out;
	size_t out_left;
	bool ended; /* of a gzip file, an xz stream or a zstd frame: another may follow */
};

struct format {
	const char *magic;
	size_t magic_size;
	void *(*open)(void);
	const char *(*step)(void *decoder, struct step *step); /* NULL, or why not */
	void (*close)(void *decoder);
};

/* ---- gzip ------------------------------------------------------------------------------------ */

static void *gzip_open(void)
{
	z_stream *stream = maui_calloc(1, sizeof(*stream));

	if (inflateInit2(stream, 16 + MAX_WBITS) != Z_OK)
		maui_memory_short(0);
	return stream;
}

static const char *gzip_step(void *decoder, struct step *step)
{
	z_stream *stream = decoder;
	size_t size = step->in_left < MAX_PIECE ? step->in_left : MAX_PIECE;
	int status;

	if (step->ended) {
		if (step->in[0] != 0x1f || inflateReset(stream) != Z_OK)
			return "something else follows what was compressed";
		step->ended = false;
	}
	stream->next_in = step->in;
	stream->avail_in = (uInt)size;
	stream->next_out = step->out;
	stream->avail_out = (uInt)step->out_left;
	status = inflate(stream, Z_NO_FLUSH);
	step->in += size - stream->avail_in;
	step->in_left -= size - stream->avail_in;
	step->out = stream->next_out;
	step->out_left = stream->avail_out;
	step->ended = status == Z_STREAM_END;
	if (status == Z_MEM_ERROR)
		maui_memory_short(0);
	return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR ? NULL : DAMAGED;
}

static void gzip_close(void *decoder)
{
	(void)inflateEnd(decoder);
	free(decoder);
}

/* ---- xz -------------------------------------------------------------------------------------- */

static void *xz_open(void)
{
	lzma_stream *stream = maui_calloc(1, sizeof(*stream));

	if (lzma_stream_decoder(stream, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		maui_memory_short(0);
	return stream;
}

static const char *xz_step(void *decoder, struct step *step)
{
	lzma_stream *stream = decoder;
	lzma_ret status;

	stream->next_in = step->in;
	stream->avail_in = step->in_left;
	stream->next_out = step->out;
	stream->avail_out = step->out_left;
	status = lzma_code(stream, LZMA_FINISH);
	step->in = stream->next_in;
	step->in_left = stream->avail_in;
	step->out = stream->next_out;
	step->out_left = stream->avail_out;
	step->ended = status == LZMA_STREAM_END;
	if (status == LZMA_MEM_ERROR)
		maui_memory_short(0);
	if (status == LZMA_MEMLIMIT_ERROR)
		return "xz would take more than 1 GB of memory";
	return status == LZMA_OK || status == LZMA_STREAM_END || status == LZMA_BUF_ERROR ? NULL
											  : DAMAGED;
}

static void xz_close(void *decoder)
{
	lzma_end(decoder);
	free(decoder);
}

/* ---- zstd ------------------------------------------------------------------------------------ */

static void *zstd_open(void)
{
	ZSTD_DStream *stream = ZSTD_createDStream();

	if (!stream)
		maui_memory_short(0);
	return stream;
}

static const char *zstd_step(void *decoder, struct step *step)
{
	ZSTD_inBuffer in = {step->in, step->in_left, 0};
	ZSTD_outBuffer out = {step->out, step->out_left, 0};
	size_t status = ZSTD_decompressStream(decoder, &out, &in);

	step->in += in.pos;
	step->in_left -= in.pos;
	step->out += out.pos;
	step->out_left -= out.pos;
	step->ended = !status;
	return ZSTD_isError(status) ? ZSTD_getErrorName(status) : NULL;
}

static void zstd_close(void *decoder)
{
	(void)ZSTD_freeDStream(decoder);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct format formats[] = {
	{"\x1f\x8b", 2, gzip_open, gzip_step, gzip_close},
	{"\xfd"
	 "7zXZ",
	 6, xz_open, xz_step, xz_close},
	{"\x28\xb5\x2f\xfd", 4, zstd_open, zstd_step, zstd_close},
};

static const struct format *format_of(const void *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (size >= formats[i].magic_size &&
		    !memcmp(bytes, formats[i].magic, formats[i].magic_size))
			return &formats[i];
	return NULL;
}

bool is_compressed(const void *bytes, size_t size)
{
	return format_of(bytes, size);
}

/* One step more, at the end of the text. */
static const char *decompress_piece(const struct format *format, void *decoder, struct step *step,
				    struct plain_text *text, size_t *room)
{
	size_t in_left = step->in_left;
	const char *why;

	text->bytes = maui_grow(text->bytes, text->size + PIECE, room, 1);
	step->out = (unsigned char *)text->bytes + text->size;
	step->out_left = PIECE;
	why = format->step(decoder, step);
	text->size += PIECE - step->out_left;
	if (why)
		return why;
	return step->ended || step->out_left < PIECE || step->in_left < in_left ? NULL : INCOMPLETE;
}

const char *decompress(const void *bytes, size_t size, size_t most, struct plain_text *ret_text)
{
	const struct format *format = format_of(bytes, size);
	struct step step = {.in = bytes, .in_left = size};
	const char *why = NULL;
	size_t room = 0;
	void *decoder;

	*ret_text = (struct plain_text){0};
	if (!format)
		return "not compressed by gzip, xz or zstd";
	decoder = format->open();
	while (!why && (step.in_left || !step.ended)) {
		why = decompress_piece(format, decoder, &step, ret_text, &room);
		if (!why && ret_text->size > most)
			why = "too large";
	}
	format->close(decoder);
	return why;
}
