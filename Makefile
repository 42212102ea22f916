# Warplings: CUDA puzzles without a GPU. `make help` lists what there is.
# Needs a C compiler and make; check, gcovr and pkg-config only for the project's own tests.

CC    ?= gcc
BUILD ?= build
P ?=
SRC ?=
DIR ?=
OUT ?=
COURSE ?=
BACKEND ?=
SEED ?=
FUZZ ?= machine
FUZZ_SECONDS ?= 60
STUDENTS ?= 300
KILLS ?= 20
SEEDS ?= 50
COUNT ?= 20000
ARCH ?= sm_90

# The machine's lanes run as vectors; -march only where this processor has what it needs.
HAS_V3 := $(shell grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | tr ' ' '\n' | grep -cxE 'avx2|bmi2|fma')
MARCH  := $(if $(filter 3,$(HAS_V3)),-march=x86-64-v3)
WARN   := -Wall -Wextra -Wshadow -Wconversion
CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=gnu11 $(WARN) $(CFLAGS) $(MARCH) -ffp-contract=off -fno-strict-aliasing -Iharness -MMD -MP $(EXTRA)
LIBS    = -ldl -lm -lpthread $(foreach l,$(GRADE_LIBS),$(call lib,$(l)))

# What the grader needs beyond a C compiler is used where it is there: make setup installs it.
GRADE_LIBS := libcrypto sqlite3 libseccomp libarchive
HAVE       := $(foreach l,$(GRADE_LIBS),$(shell pkg-config --exists $(l) 2>/dev/null && echo $(l)))
STATIC     := $(if $(findstring sanitize,$(CFLAGS)),,$(shell echo 'int main(void) { return 0; }' | \
                $(CC) -static -x c -o /tmp/warplings-static.$$$$ - 2>/dev/null && rm -f /tmp/warplings-static.$$$$ && echo -static))
lib         = $(if $(filter $(1),$(HAVE)),$(shell pkg-config --libs $(1)))

HARNESS := $(filter-out harness/box/%,$(wildcard harness/*/*.c)) harness/box/frame.c
CHECKS  := $(wildcard puzzles/*/check.c)
UNITS   := $(sort $(wildcard tests/*/test_*.c))
TESTS   := $(shell find tests -name '*.c' -not -path 'tests/bench/*' -not -path 'tests/fuzz/fuzz_*' -not -name '*_main.c' -not -name hostile.c -not -name liar.c -not -name vm_libcuda.c 2>/dev/null)
OBJ      = $(HARNESS:%.c=$(BUILD)/%.o) $(CHECKS:%.c=$(BUILD)/%.o)
TEST_OBJ = $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(TESTS:%.c=$(BUILD)/%.o)
BENCHES := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
CHECK_FLAGS = $(if $(P),$(P)) $(if $(SRC),--source $(SRC)) $(if $(BACKEND),--backend $(BACKEND)) $(if $(SEED),--seed $(SEED))

.DEFAULT_GOAL := all
.PHONY: help setup all census claims check next watch list hint reset solution doctor selfcheck grade gradetest classtest gpugrade test asan coverage bench fuzz mutate seeds oracle format clean

help: ## what make can do
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1|/' | column -t -s '|' 2>/dev/null || \
	 grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1  -  /'

setup: ## install what is missing (apt on Debian and Ubuntu)
	@sh .ci/setup

all: $(BUILD)/warplings $(BUILD)/warplings-box $(BUILD)/warplings-vm $(BUILD)/warplings-gpu ## build the program

check: all ## judge puzzles: [P=07] [SRC=solutions] [BACKEND=gpu] [SEED=n]
	@$(BUILD)/warplings check $(CHECK_FLAGS)

next: all ## judge the first puzzle that is not solved
	@$(BUILD)/warplings next

watch: all ## check again whenever you save: [P=07]
	@$(BUILD)/warplings watch $(P)

list: all ## all puzzles and how far you are
	@$(BUILD)/warplings list

hint: all ## the next hint: [P=07]
	@$(BUILD)/warplings hint $(P)

reset: all ## start a puzzle again, keeping a backup: P=07
	@$(BUILD)/warplings reset $(P)

solution: all ## a reference answer, once you have tried: P=07
	@$(BUILD)/warplings solution $(P)

doctor: all ## what is installed, and what is missing
	@$(BUILD)/warplings doctor

selfcheck: all ## grade the grader: skeletons fail, solutions pass, wrong answers are rejected
	@$(BUILD)/warplings selfcheck $(P)

grade: all ## judge a class: DIR=submissions OUT=results [COURSE=course.txt] [BACKEND=gpu]
	@$(BUILD)/warplings grade $(if $(DIR),"$(DIR)") $(if $(OUT),--out "$(OUT)") $(if $(COURSE),--course "$(COURSE)") $(if $(BACKEND),--backend $(BACKEND))

test: all $(BUILD)/tests/run $(BUILD)/tests/mutate/mutate $(BUILD)/tests/mutate/seeds ## the project's own tests
	@WARPLINGS=$(BUILD)/warplings $(if $(SANITIZED),WEAK_SEEDS=60) $(BUILD)/tests/run
	@$(if $(SANITIZED),,$(BUILD)/tests/mutate/mutate --work $(BUILD)/mutate solutions/ tests/patterns/)
	@$(if $(SANITIZED),,$(BUILD)/tests/mutate/seeds --count 2 solutions/ tests/patterns/)
	@tests/cli/run.sh $(BUILD)/warplings
	@tests/cli/day.sh $(BUILD)/warplings
	@tests/cli/editor.sh $(BUILD)/warplings
	@tests/cli/watch.sh $(BUILD)/warplings
	@tests/grade/run.sh $(BUILD)/warplings

gradetest: all $(BUILD)/tests/gpu/vm_libcuda.so ## the grader with every attack, 20 kills and Slurm: some minutes
	@tests/grade/run.sh $(BUILD)/warplings all
	@tests/grade/gpu.sh $(BUILD)/warplings $(BUILD)/tests/gpu/vm_libcuda.so

classtest: all ## a whole class, every puzzle, in four ways: half an hour [STUDENTS=300] [KILLS=20]
	@tests/grade/whole.sh $(BUILD)/warplings $(STUDENTS) $(KILLS)

gpugrade: all ## the grader on the GPU that is here: every solution
	@tests/grade/gpu.sh $(BUILD)/warplings

asan: ## the tests under address and undefined-behaviour sanitizers, but for the long lists of runs
	@$(MAKE) SANITIZED=1 BUILD=build/asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" test

coverage: ## the tests with coverage, report in build/coverage/index.html
	@$(MAKE) BUILD=build/gcov CFLAGS="-O1 -g --coverage -DWL_COVERAGE" test
	@mkdir -p build/coverage
	@gcovr --root . --object-directory build/gcov --filter harness/ --html-details build/coverage/index.html --txt build/coverage/summary.txt
	@tail -n 4 build/coverage/summary.txt

census: $(BUILD)/tests/census/census ## instructions of the test kernels, for several targets, that the machine lacks
	@tests/census/run.sh $(BUILD)

claims: ## measure the claims of docs/claims.md: needs nvcc and a GPU [ARCH=sm_90]
	@ARCH=$(ARCH) docs/claims/run.sh $(BUILD)

mutate: $(BUILD)/tests/mutate/mutate ## take each barrier, fence and wait out of every right program: is it noticed? [P=part-of-a-name]
	@$< --compiler nvrtc --work $(BUILD)/mutate $(P)
	@$< --compiler clang --work $(BUILD)/mutate $(P)

seeds: $(BUILD)/tests/mutate/seeds ## every right program under every schedule and many seeds: [SEEDS=50] [P=part-of-a-name]
	@$< --compiler nvrtc --count $(SEEDS) $(P)
	@$< --compiler clang --count $(SEEDS) $(P)

oracle: $(BUILD)/tests/oracle/oracle ## random programs: does the race detector say what a plain second opinion says? [COUNT=20000]
	@$< $(COUNT)

bench: all $(BENCHES) ## how fast the machine is, beside others, and how long a verdict takes
	@$(BUILD)/tests/bench/bench
	@$(BUILD)/tests/bench/field $(BUILD)/warplings $(BUILD)/tests/bench/opencl
	@$(BUILD)/tests/bench/verdicts
	@$(BUILD)/tests/bench/headers

# What it finds lies in build/fuzz/found/: mend the cause and
# put the file into tests/fuzz/found/, which the tests replay.
fuzz: ## hostile PTX from a fuzzer: [FUZZ=machine or parser] [FUZZ_SECONDS=60]
	@ls "$$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer* >/dev/null 2>&1 || \
	 { echo "make fuzz needs clang with libFuzzer: make setup (Debian: libclang-rt-dev)"; exit 1; }
	@$(MAKE) BUILD=build/fuzz CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" build/fuzz/fuzz_$(FUZZ) build/fuzz/words
	@mkdir -p build/fuzz/corpus_$(FUZZ) build/fuzz/found
	build/fuzz/fuzz_$(FUZZ) -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=10 -rss_limit_mb=1024 -dict=build/fuzz/words \
	  -print_final_stats=1 -artifact_prefix=build/fuzz/found/ build/fuzz/corpus_$(FUZZ) $(wildcard tests/fuzz/corpus tests/fuzz/found) tests/ops tests/litmus

format: ## clang-format over the sources
	clang-format -i harness/*/*.[ch] $(wildcard puzzles/*/check.c) $(TESTS) $(wildcard tests/*/*_main.c)

clean: ## remove everything that was built
	rm -rf build

$(BUILD)/warplings: $(OBJ) $(BUILD)/objects.list
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $(OBJ) $(LIBS)

# The grader's sandboxed programs: no puzzle, no reference is linked into them (docs/instructor.md).
box_objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)))
$(BUILD)/warplings-box: $(call box_objects,harness/base/*.c harness/ptx/*.c harness/compile/*.c harness/box/frame.c \
                          harness/box/unpack.c harness/box/compile.c harness/box/main.c)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(call lib,libarchive) -ldl
$(BUILD)/warplings-vm: $(call box_objects,harness/base/*.c harness/ptx/*.c harness/vm/*.c harness/detect/*.c \
                         harness/puzzle/wire.c harness/puzzle/verdict.c harness/box/frame.c harness/box/modules.c harness/box/machine.c)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) $(STATIC) -o $@ $^ -lm
$(BUILD)/warplings-gpu: $(call box_objects,harness/base/*.c harness/ptx/*.c harness/vm/*.c harness/detect/*.c harness/device/device_gpu*.c \
                          harness/puzzle/wire.c harness/puzzle/verdict.c harness/box/frame.c harness/box/modules.c harness/box/gpu.c)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ -lm -ldl

# Changes only when a library comes or goes.
$(BUILD)/config.h: FORCE
	@mkdir -p $(@D)
	@{ echo '/* made by the Makefile: which libraries are here */'; for l in $(HAVE); do case $$l in \
	  libcrypto) echo '#define WL_HAVE_CRYPTO' ;; sqlite3) echo '#define WL_HAVE_SQLITE' ;; \
	  libseccomp) echo '#define WL_HAVE_SECCOMP' ;; libarchive) echo '#define WL_HAVE_ARCHIVE' ;; esac; done; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/harness/box/unpack.o $(BUILD)/harness/grade/%.o: ALL_CFLAGS += -I$(BUILD)
$(BUILD)/harness/box/unpack.o $(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/grade/*.c)): $(BUILD)/config.h

# Changes only when a source comes or goes: a deleted puzzle must leave the program too.
$(BUILD)/objects.list: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJ)' | cmp -s - $@ || echo '$(OBJ)' > $@
FORCE:

$(BUILD)/harness/vm/%.o $(BUILD)/harness/detect/%.o: ALL_CFLAGS += $(if $(filter -O2,$(CFLAGS)),-O3)
# clang takes minutes to optimise so many computed jumps with a sanitizer's checks in them.
$(BUILD)/harness/vm/lone.o: ALL_CFLAGS += $(if $(findstring fuzzer,$(CFLAGS)),-O0)
$(BUILD)/harness/compile/embed.o: $(wildcard harness/compile/include/* harness/compile/include/*/*)
$(BUILD)/puzzles/%/check.o: ALL_CFLAGS += -DPZ_ID='"$(notdir $(@D))"'
$(BUILD)/tests/%.o: ALL_CFLAGS += -Itests -I$(BUILD)/tests $(shell pkg-config --cflags check 2>/dev/null)
$(BUILD)/tests/run.o: $(BUILD)/tests/suites.def

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  cc    $<"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(filter-out %/opencl,$(BENCHES)): %: $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) %.o
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)
$(BUILD)/tests/bench/opencl: $(BUILD)/tests/bench/opencl.o
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)

# The layers up to the checks are all that hostile PTX can reach.
FUZZ_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/base/*.c harness/ptx/*.c harness/vm/*.c harness/detect/*.c) tests/fuzz/target.c tests/fuzz/mutate.c)
$(BUILD)/tests/fuzz/fuzz_parser.o: ALL_CFLAGS += -DFUZZ_PARSER
$(BUILD)/tests/fuzz/fuzz_machine.o $(BUILD)/tests/fuzz/fuzz_parser.o: tests/fuzz/fuzz_main.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)
$(BUILD)/words: $(BUILD)/tests/fuzz/fuzz_words.o $(FUZZ_OBJ)
	@$(CC) $(CFLAGS) -o $@.make $^ $(LIBS) && $@.make > $@

# Compares the machine with a GPU: docs/gpu.md. Needs no Check.
DIFF_SRC := $(filter-out tests/gpu/test_% tests/gpu/fake_% tests/gpu/vm_libcuda.c tests/gpu/counters.c,$(wildcard tests/gpu/*.c)) tests/exec/exec_case.c
$(BUILD)/tests/gpu/diff: $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(DIFF_SRC:%.c=$(BUILD)/%.o)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)

# A driver whose GPU is our machine: tests/grade/gpu.sh.
$(BUILD)/tests/gpu/vm_libcuda.so: tests/gpu/vm_libcuda.c $(wildcard harness/base/*.c harness/ptx/*.c harness/vm/*.c)
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(CC) -std=gnu11 -O1 -shared -fPIC -fvisibility=hidden -Iharness -o $@ $^ -lm -ldl

# The machine's counters beside a GPU's: docs/gpu.md.
$(BUILD)/tests/gpu/counters: $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(BUILD)/tests/gpu/counters.o
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)

# What the machine would refuse of what compilers make: tests/census/run.sh.
$(BUILD)/tests/census/census: $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(BUILD)/tests/census/census.o
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)

# Right programs without one barrier, fence or wait; right programs under many seeds. Need no Check.
RIGHT_SRC := tests/exec/exec_case.c tests/exec/exec_judge.c $(filter-out tests/mutate/test_% %_main.c,$(wildcard tests/mutate/*.c))
.PRECIOUS: $(BUILD)/%.o
$(BUILD)/tests/mutate/%: $(BUILD)/tests/mutate/%_main.o $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(RIGHT_SRC:%.c=$(BUILD)/%.o) $(BUILD)/objects.list
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $(filter %.o,$^) $(LIBS)

# The race detector beside a plain second opinion. Needs no Check.
$(BUILD)/tests/oracle/oracle: $(BUILD)/tests/oracle/oracle_main.o $(filter-out $(BUILD)/harness/cli/main.o,$(OBJ)) $(patsubst %,$(BUILD)/tests/oracle/%.o,oracle outcome program compare)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -o $@ $^ $(LIBS)

# One row for each tests/*/test_NAME.c, which defines Suite *suite_NAME(void).
SUITES = $(patsubst test_%,S(%),$(basename $(notdir $(UNITS))))
$(BUILD)/tests/suites.def: FORCE
	@mkdir -p $(@D)
	@echo '$(SUITES)' | cmp -s - $@ || echo '$(SUITES)' > $@

# Every test case gets a canary: see tests/run.c.
$(BUILD)/tests/run: $(TEST_OBJ) $(BUILD)/objects.list
	@pkg-config --exists check || { echo "the tests need Check: make setup"; exit 1; }
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(EXTRA) -Wl,--wrap=tcase_create -o $@ $(TEST_OBJ) $(shell pkg-config --libs check 2>/dev/null) $(LIBS)

-include $(OBJ:.o=.d) $(patsubst %.c,$(BUILD)/%.d,$(wildcard harness/box/*.c)) $(TESTS:%.c=$(BUILD)/%.d) $(BENCHES:=.d) $(wildcard $(BUILD)/tests/mutate/*.d)
