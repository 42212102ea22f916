/* unpack.c - an archive's files, inside the sandbox: libarchive reads what a student has packed,
 * and nothing is written to any disk. Names go back as they stand; which of them count, the grader
 * decides. */
#include <stdlib.h>
#include <string.h>
#include "box/box.h"
#include "config.h"

#ifdef WL_HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

struct limits {
  u64 file, total;
  u32 count;
};

/* The bytes of one entry; false: it is too large, or damaged (*why is set then). */
static bool read_entry(struct archive *from, const struct limits *l, struct strbuf *bytes,
                       struct diag *why) {
  char piece[65536];
  bytes->n = 0;
  for (;;) {
    la_ssize_t n = archive_read_data(from, piece, sizeof piece);
    if (n == 0) return true;
    if (n < 0) {
      const char *text = archive_error_string(from);
      diag_set(why, "the archive is damaged: %s", text ? text : "no reason given");
      return false;
    }
    /* What comes out is counted, not what the archive says of itself. */
    if (bytes->n + (size_t)n > l->file) return false;
    strbuf_add(bytes, piece, (size_t)n);
  }
}

static bool read_all(struct archive *from, const struct limits *l, struct strbuf *files, u32 *count,
                     struct diag *why) {
  struct strbuf bytes = {0};
  struct archive_entry *e;
  int rc;
  while (!why->set && (rc = archive_read_next_header(from, &e)) != ARCHIVE_EOF) {
    if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
      const char *text = archive_error_string(from);
      diag_set(why, "the archive cannot be read: %s", text ? text : "no reason given");
      break;
    }
    const char *name = archive_entry_pathname(e); /* NULL: in no alphabet that we know */
    if (*count == l->count) {
      diag_set(why, "the archive has more than %u entries", l->count);
      break;
    }
    bool plain = archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e);
    if (archive_entry_filetype(e) == AE_IFDIR) continue;
    enum box_entry kind = plain ? BOX_FILE : BOX_NOT_A_FILE;
    bytes.n = 0;
    if (plain && !read_entry(from, l, &bytes, why)) kind = BOX_TOO_LARGE;
    if (kind != BOX_FILE) bytes.n = 0;
    if (files->n + bytes.n > l->total)
      diag_set(why, "the archive unpacks to more than %llu MiB",
               (unsigned long long)l->total >> 20);
    if (why->set) break;
    box_put_text(files, str_of(name ? name : "?"));
    box_put_u32(files, kind);
    box_put_text(files, (str){bytes.p ? bytes.p : "", bytes.n});
    ++*count;
  }
  strbuf_free(&bytes);
  return !why->set;
}

static bool unpack(str bytes, const struct limits *l, struct strbuf *files, u32 *count,
                   struct diag *why) {
  struct archive *from = archive_read_new();
  if (!from) exit(5);
  archive_read_support_format_zip(from);
  archive_read_support_format_tar(from);
  archive_read_support_filter_gzip(from);
  archive_read_support_filter_xz(from);
  archive_read_support_filter_bzip2(from);
  bool ok = archive_read_open_memory(from, bytes.p, bytes.n) == ARCHIVE_OK;
  if (!ok) {
    const char *text = archive_error_string(from);
    diag_set(why, "the archive cannot be opened: %s", text ? text : "no reason given");
  }
  ok = ok && read_all(from, l, files, count, why);
  archive_read_free(from);
  return ok;
}

void box_unpack(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  struct strbuf files = {0};
  u32 count = 0;
  str bytes = box_get_text(in);
  struct limits l = {.file = box_get_u64(in), .total = box_get_u64(in), .count = box_get_u32(in)};
  if (!box_done(in)) exit(4);
  bool ok = unpack(bytes, &l, &files, &count, &why);
  box_put_u32(out, ok);
  box_put_diag(out, &why);
  box_put_u32(out, ok ? count : 0);
  if (ok) strbuf_add(out, files.p ? files.p : "", files.n);
  strbuf_free(&files);
}
#else
void box_unpack(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  (void)in;
  diag_set(&why, "this program was built without libarchive and cannot open archives");
  diag_next(&why, "make setup installs it; then make again");
  box_put_u32(out, 0);
  box_put_diag(out, &why);
  box_put_u32(out, 0);
}
#endif
