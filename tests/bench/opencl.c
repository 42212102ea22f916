/* opencl.c - runs matmul.cl, or a kernel of faults.cl, with whatever OpenCL is here: PoCL through
 * the usual loader, or Oclgrind when started by it. Prints one line for field.c to read. Builds
 * without OpenCL: the library is looked up at run time.
 *
 *   opencl matmul N RUNS      multiply-adds for each second of processor time, median of RUNS
 *   opencl FAULT              one run of a kernel of faults.cl, two groups of 32 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* From the OpenCL specification; handles are opaque. */
typedef void *handle;
enum { CL_DEVICE_TYPE_ALL = -1, CL_MEM_READ_WRITE = 1, CL_MEM_COPY_HOST_PTR = 32 };
enum { CL_DEVICE_NAME = 0x102B, CL_PROGRAM_BUILD_LOG = 0x1183 };

static struct {
  int (*GetPlatformIDs)(unsigned, handle *, unsigned *);
  int (*GetDeviceIDs)(handle, unsigned long, unsigned, handle *, unsigned *);
  int (*GetDeviceInfo)(handle, unsigned, size_t, void *, size_t *);
  handle (*CreateContext)(const void *, unsigned, const handle *, void *, void *, int *);
  handle (*CreateCommandQueue)(handle, handle, unsigned long, int *);
  handle (*CreateProgramWithSource)(handle, unsigned, const char **, const size_t *, int *);
  int (*BuildProgram)(handle, unsigned, const handle *, const char *, void *, void *);
  int (*GetProgramBuildInfo)(handle, handle, unsigned, size_t, void *, size_t *);
  handle (*CreateKernel)(handle, const char *, int *);
  handle (*CreateBuffer)(handle, unsigned long, size_t, void *, int *);
  int (*SetKernelArg)(handle, unsigned, size_t, const void *);
  int (*EnqueueNDRangeKernel)(handle, handle, unsigned, const size_t *, const size_t *,
                              const size_t *, unsigned, const handle *, handle *);
  int (*EnqueueReadBuffer)(handle, handle, unsigned, size_t, size_t, void *, unsigned,
                           const handle *, handle *);
  int (*Finish)(handle);
} cl;
static handle device, context, queue, program;

static void fail(const char *what, int code) {
  printf("FAIL %s (%d)\n", what, code);
  exit(1);
}

static void load(void) {
  static const struct {
    const char *name;
    void *slot;
  } all[] = {
      {"clGetPlatformIDs", &cl.GetPlatformIDs},
      {"clGetDeviceIDs", &cl.GetDeviceIDs},
      {"clGetDeviceInfo", &cl.GetDeviceInfo},
      {"clCreateContext", &cl.CreateContext},
      {"clCreateCommandQueue", &cl.CreateCommandQueue},
      {"clCreateProgramWithSource", &cl.CreateProgramWithSource},
      {"clBuildProgram", &cl.BuildProgram},
      {"clGetProgramBuildInfo", &cl.GetProgramBuildInfo},
      {"clCreateKernel", &cl.CreateKernel},
      {"clCreateBuffer", &cl.CreateBuffer},
      {"clSetKernelArg", &cl.SetKernelArg},
      {"clEnqueueNDRangeKernel", &cl.EnqueueNDRangeKernel},
      {"clEnqueueReadBuffer", &cl.EnqueueReadBuffer},
      {"clFinish", &cl.Finish},
  };
  /* Oclgrind loads itself in front of everything; only without it is the loader wanted. */
  void *lib = RTLD_DEFAULT;
  if (!dlsym(lib, all[0].name) && !(lib = dlopen("libOpenCL.so.1", RTLD_NOW)))
    fail("no OpenCL here", 0);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    void *f = dlsym(lib, all[i].name);
    if (!f) fail(all[i].name, 0);
    memcpy(all[i].slot, &f, sizeof f);
  }
}

static void start(const char *file) {
  handle platform;
  unsigned n = 0;
  int rc = 0;
  load();
  if (cl.GetPlatformIDs(1, &platform, &n) || !n) fail("no OpenCL platform here", 0);
  if (cl.GetDeviceIDs(platform, (unsigned)CL_DEVICE_TYPE_ALL, 1, &device, &n) || !n)
    fail("no OpenCL device here", 0);
  context = cl.CreateContext(NULL, 1, &device, NULL, NULL, &rc);
  if (!rc) queue = cl.CreateCommandQueue(context, device, 0, &rc);
  if (rc) fail("no queue", rc);
  static char text[1 << 16];
  FILE *f = fopen(file, "r");
  if (!f) fail(file, 0);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  const char *source = text;
  program = cl.CreateProgramWithSource(context, 1, &source, NULL, &rc);
  if (!rc) rc = cl.BuildProgram(program, 1, &device, "", NULL, NULL);
  if (!rc) return;
  static char log[4096];
  cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  fprintf(stderr, "%s\n", log);
  fail("the kernel does not compile", rc);
}

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void run(handle kernel, unsigned dims, const size_t *all, const size_t *group) {
  int rc = cl.EnqueueNDRangeKernel(queue, kernel, dims, NULL, all, group, 0, NULL, NULL);
  if (!rc) rc = cl.Finish(queue);
  if (rc) fail("the kernel does not run", rc);
}

static void matmul(size_t n, int runs) {
  enum { MOST = 32 };
  double v[MOST];
  size_t bytes = n * n * sizeof(float), all[2] = {n, n}, group[2] = {16, 16};
  float *in = malloc(bytes), *out = malloc(bytes);
  handle b[3], kernel;
  int rc, size = (int)n;
  if (!in || !out) fail("no memory", 0);
  for (size_t i = 0; i < n * n; i++) in[i] = (float)(i % 7);
  kernel = cl.CreateKernel(program, "matmul", &rc);
  for (unsigned i = 0; i < 3 && !rc; i++) {
    b[i] = cl.CreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, in, &rc);
    cl.SetKernelArg(kernel, i, sizeof b[i], &b[i]);
    cl.SetKernelArg(kernel, i + 3, sizeof size, &size);
  }
  if (rc) fail("no kernel or no buffers", rc);
  run(kernel, 2, all, group); /* the first run also compiles, on PoCL */
  for (int i = 0; i < runs && i < MOST; i++) {
    double t = processor_time();
    run(kernel, 2, all, group);
    v[i] = (double)n * (double)n * (double)n / (processor_time() - t);
  }
  cl.EnqueueReadBuffer(queue, b[2], 1, 0, bytes, out, 0, NULL, NULL);
  for (size_t i = 0; i < n * n; i += n + 3) {
    float want = 0;
    for (size_t k = 0; k < n; k++) want += in[i / n * n + k] * in[k * n + i % n];
    if (out[i] != want) fail("the product is wrong", (int)i);
  }
  qsort(v, (size_t)runs, sizeof *v, by_value);
  char name[128] = "";
  cl.GetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  printf("RATE %.0f %s\n", v[runs / 2], name);
}

static void fault(const char *name) {
  int rc, zero[256] = {0};
  size_t all = 64, group = 32;
  handle kernel = cl.CreateKernel(program, name, &rc), b;
  if (rc) fail("no such kernel", rc);
  b = cl.CreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &rc);
  cl.SetKernelArg(kernel, 0, sizeof b, &b);
  run(kernel, 1, &all, &group);
  printf("RAN\n");
}

int main(int argc, char **argv) {
  bool speed = argc == 4 && strcmp(argv[1], "matmul") == 0;
  if (!speed && argc != 2) return 2;
  start(speed ? "tests/bench/matmul.cl" : "tests/bench/faults.cl");
  if (speed)
    matmul((size_t)atoi(argv[2]), atoi(argv[3]));
  else
    fault(argv[1]);
  return 0;
}
