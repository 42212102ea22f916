/* sha.c - SHA-256 from libcrypto: names of contents, and seeds that nobody can compute back. */
#include <string.h>
#include "config.h"
#include "grade/grade.h"

#ifdef WL_HAVE_CRYPTO
#include <openssl/evp.h>

bool grade_hashes_here(struct diag *why) {
  (void)why;
  return true;
}

void grade_sha256(str bytes, char hex[65]) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  if (EVP_Digest(bytes.p, bytes.n, digest, &n, EVP_sha256(), NULL) != 1 || n != 32)
    BUG("SHA-256 failed");
  for (unsigned i = 0; i < n; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
#else
#include <dlfcn.h>

/* Built without its header: the library itself is on nearly every machine all the same. */
typedef unsigned char *sha256(const unsigned char *from, size_t n, unsigned char *to);
static sha256 *find(void) {
  static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"};
  static sha256 *found;
  for (size_t i = 0; !found && i < COUNT_OF(names); i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    void *p = library ? dlsym(library, "SHA256") : NULL;
    if (p) memcpy(&found, &p, sizeof p);
  }
  return found;
}

bool grade_hashes_here(struct diag *why) {
  if (find()) return true;
  diag_set(why, "there is no libcrypto here (OpenSSL), which grading needs");
  diag_next(why, "make setup installs it; then make again");
  return false;
}

void grade_sha256(str bytes, char hex[65]) {
  unsigned char digest[32] = {0};
  hex[0] = 0;
  if (!find() || !find()((const unsigned char *)bytes.p, bytes.n, digest)) BUG("SHA-256 failed");
  for (unsigned i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
#endif

u64 grade_derive(const char *secret, const char *purpose, const char *name) {
  struct strbuf b = {0};
  char hex[65];
  u64 v = 0;
  strbuf_printf(&b, "%zu:%s,%zu:%s,%zu:%s", strlen(secret), secret, strlen(purpose), purpose,
                strlen(name), name);
  grade_sha256((str){b.p, b.n}, hex);
  strbuf_free(&b);
  for (int i = 0; i < 16; i++) v = v << 4 | (u64)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
  return v ? v : 1;
}
