/* forms_table.h - the table of forms. {A|B} are alternatives. The signature says OUTPUTS<INPUTS: h
 * r d p are 16, 32, 64 bits and predicates of plain integers, f g k the same bits holding f32, f64,
 * f16, b x y bf16 and pairs of f16 and bf16; w is the last type written in the text, v the first, 2
 * twice the last. Without '$' operands are appended. %a, %sa, %l: addresses of 32 bytes that belong
 * to the thread alone (global, shared, local). Order of modifiers: as the PTX ISA has it; what the
 * driver's assembler refuses is reported. */
#define INT6   "{.u16|.s16|.u32|.s32|.u64|.s64}"
#define INT8   "{.u8|.s8|.u16|.s16|.u32|.s32|.u64|.s64}"
#define BITS3  "{.b16|.b32|.b64}"
#define ROUNDS "{|.rn|.rz|.rm|.rp}"
#define ROUND  "{.rn|.rz|.rm|.rp}"
#define WHOLE  "{.rni|.rzi|.rmi|.rpi}"
#define CMPS   "{.eq|.ne|.lt|.le|.gt|.ge}"
#define CMPU   "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs}"
#define CMPF   "{.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}"
#define CMPF4  "{.eq|.lt|.geu|.nan}"
#define SPACES "{.global|.shared|.local}"
#define SIGNS  "{.u32|.s32}"
#define TWO32  1e300 /* no bound is stated */

static const struct row {
  const char *text, *signature;
  u32 flags;
  double ulps, error;
} rows[] = {
    /* integers */
    {"{add|sub|div|rem|min|max}" INT6, "w<ww", 0, 0, 0},
    {"{add|sub}.sat.s32", "w<ww", 0, 0, 0},
    {"{min|max}.relu.s32", "w<ww", 0, 0, 0},
    {"mul{.lo|.hi}" INT6, "w<ww", 0, 0, 0},
    {"mul.wide{.u16|.s16|.u32|.s32}", "2<ww", 0, 0, 0},
    {"mad{.lo|.hi}" INT6, "w<www", 0, 0, 0},
    {"mad.hi.sat.s32", "w<www", 0, 0, 0},
    {"mad.wide{.u16|.s16|.u32|.s32}", "2<ww2", 0, 0, 0},
    {"mul24{.lo|.hi}{.u32|.s32}", "w<ww", 0, 0, 0},
    {"mad24{.lo|.hi}{.u32|.s32}", "w<www", 0, 0, 0},
    {"mad24.hi.sat.s32", "w<www", 0, 0, 0},
    {"sad" INT6, "w<www", 0, 0, 0},
    {"{neg|abs}{.s16|.s32|.s64}", "w<w", 0, 0, 0},
    {"{popc|clz}{.b32|.b64}", "r<w", 0, 0, 0},
    {"bfind{|.shiftamt}{.u32|.s32|.u64|.s64}", "r<w", 0, 0, 0},
    {"brev{.b32|.b64}", "w<w", 0, 0, 0},
    {"bfe{.u32|.s32|.u64|.s64}", "w<wrr", 0, 0, 0},
    {"bfi{.b32|.b64}", "w<wwrr", 0, 0, 0},
    {"fns.b32", "r<rrr", ALONE, 0, 0},
    {"bmsk{.clamp|.wrap}.b32", "r<rr", 0, 0, 0},
    {"szext{.clamp|.wrap}{.u32|.s32}", "r<rr", 0, 0, 0},
    {"{vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4}{.u32|.s32}{.u32|.s32}{.u32|.s32}{|.sat|.add}",
     "r<rrr", 0, 0, 0},
    {"vset4{.u32|.s32}{.u32|.s32}" CMPS "{|.add}", "r<rrr", 0, 0, 0},
    {"dp4a{.u32|.s32}{.u32|.s32}", "r<rrr", 0, 0, 0},
    {"dp2a{.lo|.hi}{.u32|.s32}{.u32|.s32}", "r<rrr", 0, 0, 0},
    {"add.cc.{u32|s32} $0, $3, $4; addc.cc.u32 $1, $5, $6; addc.u32 $2, $3, $6;", "rrr<rrrr", 0, 0,
     0},
    {"sub.cc.{u32|s32} $0, $3, $4; subc.cc.u32 $1, $5, $6; subc.u32 $2, $3, $6;", "rrr<rrrr", 0, 0,
     0},
    {"add.cc.u64 $0, $3, $4; addc.cc.u64 $1, $5, $6; addc.u64 $2, $3, $6;", "ddd<dddd", 0, 0, 0},
    {"sub.cc.u64 $0, $3, $4; subc.cc.u64 $1, $5, $6; subc.u64 $2, $3, $6;", "ddd<dddd", 0, 0, 0},
    {"mad{.lo|.hi}.cc{.u32|.s32} $0, $2, $3, $4; madc{.lo|.hi}.u32 $1, $2, $3, $4;", "rr<rrr", 0, 0,
     0},
    {"mad{.lo|.hi}.cc.u64 $0, $2, $3, $4; madc{.lo|.hi}.u64 $1, $2, $3, $4;", "dd<ddd", 0, 0, 0},
    /* bits */
    {"{and|or|xor}" BITS3, "w<ww", 0, 0, 0},
    {"{not|cnot}" BITS3, "w<w", 0, 0, 0},
    {"{and|or|xor}.pred", "p<pp", 0, 0, 0},
    {"not.pred", "p<p", 0, 0, 0},
    {"lop3.b32 $0, $1, $2, $3, {0x80|0xfe|0x96|0xe8|0xca|0x1b|0x35|0};", "r<rrr", 0, 0, 0},
    {"lop3{.or|.and}.b32 $0|$1, $2, $3, $4, {0x96|0xe8}, $5;", "rp<rrrp", 0, 0, 0},
    {"shl" BITS3, "w<wr", 0, 0, 0},
    {"shr{.b16|.b32|.b64|.u16|.s16|.u32|.s32|.u64|.s64}", "w<wr", 0, 0, 0},
    {"shf{.l|.r}{.clamp|.wrap}.b32", "r<rrr", 0, 0, 0},
    {"prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "r<rrr", 0, 0, 0},
    {"mov.b32 $0, {$1, $2};", "r<hh", 0, 0, 0},
    {"mov.b32 {$0, $1}, $2;", "hh<r", 0, 0, 0},
    {"mov.b64 $0, {$1, $2};", "d<rr", 0, 0, 0},
    {"mov.b64 {$0, $1}, $2;", "rr<d", 0, 0, 0},
    {"mov.b64 $0, {$1, $2, $3, $4};", "d<hhhh", 0, 0, 0},
    /* floats, exact */
    {"{add|sub|mul}" ROUNDS "{|.ftz}{|.sat}.f32", "w<ww", 0, 0, 0},
    {"fma" ROUND "{|.ftz}{|.sat}.f32", "w<www", 0, 0, 0},
    {"mad" ROUND "{|.ftz}{|.sat}.f32", "w<www", 0, 0, 0},
    {"{add|sub|mul}" ROUNDS ".f64", "w<ww", NANS, 0, 0},
    {"fma" ROUND ".f64", "w<www", NANS, 0, 0},
    {"mad" ROUND ".f64", "w<www", NANS, 0, 0},
    {"div" ROUND "{|.ftz}.f32", "w<ww", 0, 0, 0},
    {"{rcp|sqrt}" ROUND "{|.ftz}.f32", "w<w", 0, 0, 0},
    {"div" ROUND ".f64", "w<ww", NANS, 0, 0},
    {"{rcp|sqrt}" ROUND ".f64", "w<w", NANS, 0, 0},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f32", "w<ww", 0, 0, 0},
    {"{min|max}.f64", "w<ww", NANS, 0, 0},
    {"{abs|neg}{|.ftz}.f32", "w<w", NANS, 0, 0},
    {"{abs|neg}.f64", "w<w", NANS, 0, 0},
    {"copysign{.f32|.f64}", "w<ww", 0, 0, 0},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}{.f32|.f64}", "p<w", 0, 0, 0},
    /* halves */
    {"{add|sub|mul}{|.rn}{|.ftz}{|.sat}{.f16|.f16x2}", "w<ww", 0, 0, 0},
    {"{add|sub|mul}{|.rn}{.bf16|.bf16x2}", "w<ww", 0, 0, 0},
    {"fma.rn{|.ftz}{|.sat|.relu}{.f16|.f16x2}", "w<www", 0, 0, 0},
    {"fma.rn{|.relu}{.bf16|.bf16x2}", "w<www", 0, 0, 0},
    {"{abs|neg}{|.ftz}{.f16|.f16x2}", "w<w", NANS, 0, 0},
    {"{abs|neg}{.bf16|.bf16x2}", "w<w", NANS, 0, 0},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}{.f16|.f16x2}", "w<ww", 0, 0, 0},
    {"{min|max}{|.NaN}{|.xorsign.abs}{.bf16|.bf16x2}", "w<ww", 0, 0, 0},
    {"fma.rn.oob{|.relu}{.f16|.f16x2|.bf16|.bf16x2}", "w<www", 0, 0, 0},
    /* pairs of integers, video instructions (a part of d with .sat is left out: see
       ops_video_one.c) */
    {"add{.u16x2|.s16x2}", "r<rr", 0, 0, 0},
    {"{min|max}{.u16x2|.s16x2|.relu.s16x2}", "r<rr", 0, 0, 0},
    {"{vadd|vsub|vabsdiff|vmin|vmax|vavrg}{2|4}" SIGNS SIGNS SIGNS "{|.sat|.add}", "r<rrr", 0, 0,
     0},
    {"{vadd|vsub|vmax}2.s32.u32.s32{|.sat} $0{|.h1}, $1.h12, $2.h30, $3;", "r<rrr", 0, 0, 0},
    {"{vadd|vabsdiff|vavrg}4.u32.s32.u32{|.add} $0{.b20|.b3}, $1.b7016, $2.b4321, $3;", "r<rrr", 0,
     0, 0},
    {"vset{2|4}" SIGNS SIGNS CMPS "{|.add}", "r<rrr", 0, 0, 0},
    {"vset" SIGNS SIGNS CMPS " $0, {$1, $2|$1.b3, $2.h1};", "r<rr", 0, 0, 0},
    /* Scalar video instructions are sequences of the driver's assembler, whose saturation and wide
     * intermediate results are not the ISA's (docs/gpu.md): never inside of programs. */
    {"{vadd|vsub|vabsdiff|vmin|vmax}" SIGNS SIGNS SIGNS
     "{|.sat} $0, {$1, $2|$1.b2, $2.h1|$1.h0, $2.b3};",
     "r<rr", ALONE, 0, 0},
    {"{vadd|vsub|vabsdiff|vmin|vmax}" SIGNS SIGNS SIGNS "{|.sat}.add", "r<rrr", ALONE, 0, 0},
    {"{vshl|vshr}{.u32.u32|.s32.s32}.u32{|.sat}{.clamp|.wrap} $0, $1, {$2|$2.b1};", "r<rr", ALONE,
     0, 0},
    {"vmad{.s32.s32.u32|.s32.s32.s32|.u32.u32.u32}{|.sat}{|.shr7|.shr15} $0, {$1, $2|$1.h1, "
     "$2.b0}, $3;",
     "r<rrr", ALONE, 0, 0},
    /* comparisons and choices */
    {"setp" CMPS "{.s16|.s32|.s64}", "p<ww", 0, 0, 0},
    {"setp" CMPU "{.u16|.u32|.u64}", "p<ww", 0, 0, 0},
    {"setp{.eq|.ne}" BITS3, "p<ww", 0, 0, 0},
    {"setp" CMPF "{|.ftz}{.f32|.f16}", "p<ww", 0, 0, 0},
    {"setp" CMPF "{.f64|.bf16}", "p<ww", 0, 0, 0},
    {"setp" CMPF4 "{|.ftz}.f16x2 $0|$1, $2, $3;", "pp<ww", 0, 0, 0},
    {"setp" CMPF4 ".bf16x2 $0|$1, $2, $3;", "pp<ww", 0, 0, 0},
    {"setp{.lt|.ge}{.and|.or|.xor}{.u16|.s32|.u64|.f32|.f64} $0|$1, $2, $3, {$4|!$4};", "pp<wwp", 0,
     0, 0},
    {"set" CMPS "{.u32|.s32|.f32}" INT6, "v<ww", 0, 0, 0},
    {"set" CMPF "{|.ftz}{.u32|.s32|.f32}.f32", "v<ww", 0, 0, 0},
    {"set" CMPF4 "{.u32|.s32|.f32}.f64", "v<ww", 0, 0, 0},
    {"set" CMPF4 "{|.ftz}{.f16|.u16|.s16|.u32|.s32}.f16", "v<ww", 0, 0, 0},
    {"set" CMPF4 "{|.ftz}.f16x2.f16x2", "v<ww", 0, 0, 0},
    {"set" CMPF4 "{.bf16|.u16|.s16|.u32|.s32}.bf16", "v<ww", 0, 0, 0},
    {"set" CMPF4 ".bf16x2.bf16x2", "v<ww", 0, 0, 0},
    {"set{.lt|.ge}{.and|.or|.xor}{.u32|.s32|.f32}{.s32|.u64|.f32|.f64}", "v<wwp", 0, 0, 0},
    {"selp{.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64}", "w<wwp", 0, 0, 0},
    {"slct{.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64}.s32", "v<vvw", 0, 0, 0},
    {"slct{|.ftz}{.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64}.f32", "v<vvw", 0, 0, 0},
    /* conversions */
    {"cvt" INT8 INT8, "v<w", 0, 0, 0},
    {"cvt.sat{.u8.s8|.s8.u8}", "v<w", 0, 0, 0}, /* only where something can be out of range */
    {"cvt.sat{.u8|.s8}" INT6, "v<w", 0, 0, 0},
    {"cvt.sat.u16{.s8|.s16|.u32|.s32|.u64|.s64}", "v<w", 0, 0, 0},
    {"cvt.sat.s16{.u16|.u32|.s32|.u64|.s64}", "v<w", 0, 0, 0},
    {"cvt.sat.u32{.s8|.s16|.s32|.u64|.s64}", "v<w", 0, 0, 0},
    {"cvt.sat.s32{.u32|.u64|.s64}", "v<w", 0, 0, 0},
    {"cvt.sat{.u64.s8|.u64.s16|.u64.s32|.u64.s64|.s64.u64}", "v<w", 0, 0, 0},
    {"cvt" WHOLE "{|.sat}" INT8 "{.f16|.f32|.f64}", "v<w", 0, 0, 0},
    {"cvt" WHOLE INT6 ".bf16", "v<w", 0, 0, 0},
    {"cvt" WHOLE ".ftz{|.sat}" INT8 ".f32", "v<w", 0, 0, 0},
    {"cvt" ROUND "{|.sat}{.f16|.f32|.f64}" INT8, "v<w", 0, 0, 0},
    {"cvt" ROUND ".bf16" INT6, "v<w", 0, 0, 0},
    {"cvt" ROUND "{|.ftz}{|.sat}.f32.f64", "v<w", 0, 0, 0},
    {"cvt{|.ftz}{|.sat}.f64.f32", "v<w", NANS, 0, 0},
    {"cvt{|.ftz}{|.sat}.f32.f16", "v<w", NANS, 0, 0},
    {"cvt" ROUND "{|.ftz}{|.sat}.f16.f32", "v<w", 0, 0, 0},
    {"cvt" ROUND "{|.sat}.f16.f64", "v<w", 0, 0, 0},
    {"cvt{|.sat}.f64.f16", "v<w", NANS, 0, 0},
    {"cvt" WHOLE "{|.ftz}{|.sat}.f32.f32", "v<w", NANS, 0, 0},
    {"cvt" WHOLE "{|.sat}{.f64.f64|.f16.f16}", "v<w", NANS, 0, 0},
    {"cvt{|.ftz}{|.sat}.f32.f32", "v<w", NANS, 0, 0},
    {"cvt{|.sat}{.f64.f64|.f16.f16}", "v<w", NANS, 0, 0},
    {"cvt{.rn|.rz}{|.relu}{|.satfinite}{.f16.f32|.bf16.f32}", "v<w", 0, 0, 0},
    {"cvt{.f32.bf16|.f64.bf16}", "v<w", NANS, 0, 0},
    {"cvt" ROUND "{.bf16.f16|.bf16.f64|.f16.bf16}", "v<w", NANS, 0, 0},
    {"cvt{.rn|.rz}{|.relu}{|.satfinite}{.f16x2|.bf16x2}.f32", "v<ww", 0, 0, 0},
    {"cvt.rna{|.satfinite}.tf32.f32", "v<w", NANS, 0, 0},
    {"cvt{.rn|.rz}{|.relu}.tf32.f32", "v<w", NANS, 0, 0},
    {"cvt.rn.satfinite{|.relu}{.e4m3x2|.e5m2x2}.f32", "h<ff", 0, 0, 0},
    {"cvt.rn.satfinite{|.relu}{.e4m3x2|.e5m2x2}.f16x2", "h<w", 0, 0, 0},
    {"cvt.rn{|.relu}.f16x2{.e4m3x2|.e5m2x2}", "v<h", 0, 0, 0},
    {"cvt.pack.sat{.u16|.s16}.s32", "r<rr", 0, 0, 0},
    {"cvt.pack.sat{.u8|.s8|.u4|.s4|.u2|.s2}.s32.b32", "r<rrr", 0, 0, 0},
    /* memory: widths and sign extension */
    {"st.global.b64 [%a], $1; ld.global{.u8|.s8|.u16|.s16|.u32|.s32|.b64} $0, [%a];", "d<d", 0, 0,
     0},
    {"st.global.b64 [%a], $1; ld.global{.u8|.s8|.u16|.s16|.u32|.b32} $0, [%a+4];", "r<d", 0, 0, 0},
    {"st.shared.b64 [%sa], $1; ld.shared{.u8|.s8|.u16|.s16|.b16} $0, [%sa+2];", "h<d", 0, 0, 0},
    {"st.local.b64 [%l], $1; ld.local{.u8|.s8|.u16|.s16|.u32|.s32|.b64} $0, [%l];", "d<d", 0, 0, 0},
    {"st.global.b64 [%a], $1; st.global{.b8|.b16|.b32} [%a+4], $2; ld.global.b64 $0, [%a];", "d<dd",
     0, 0, 0},
    {"st.shared.b64 [%sa], $1; st.shared{.b8|.u16|.b32} [%sa], $2; ld.shared.b64 $0, [%sa];",
     "d<dr", 0, 0, 0},
    {"st.global.v2{.b32|.u32|.f32} [%a], {$2, $3}; ld.global.v2.b32 {$0, $1}, [%a];", "rr<rr", 0, 0,
     0},
    {"st.shared.v4.b16 [%sa], {$2, $3, $2, $3}; ld.shared.v2.b32 {$0, $1}, [%sa];", "rr<hh", 0, 0,
     0},
    {"st.local.v2.b64 [%l], {$2, $3}; ld.local.v4.b32 {$0, $1, $0, $1}, [%l];", "rr<dd", ALONE, 0,
     0},
    {"st.global.v4.b8 [%a], {$1, $2, $3, $1}; ld.global.b32 $0, [%a];", "r<rrr", 0, 0, 0},
    /* atomics on memory of the thread's own: results too */
    {"st.global.b32 [%a], $2; atom.global{.add|.min|.max}{.u32|.s32} $0, [%a], $3; ld.global.b32 "
     "$1, [%a];",
     "rr<rr", 0, 0, 0},
    {"st.global.b32 [%a], $2; atom.global{.and.b32|.or.b32|.xor.b32|.exch.b32|.inc.u32|.dec.u32} "
     "$0, [%a], $3; ld.global.b32 $1, [%a];",
     "rr<rr", 0, 0, 0},
    {"st.shared.b32 [%sa], $2; "
     "atom.shared{.add.u32|.min.s32|.max.u32|.and.b32|.exch.b32|.inc.u32|.dec.u32} $0, [%sa], $3; "
     "ld.shared.b32 $1, [%sa];",
     "rr<rr", 0, 0, 0},
    {"st.global.b64 [%a], $2; "
     "atom.global{.add.u64|.min.u64|.max.u64|.min.s64|.max.s64|.and.b64|.or.b64|.xor.b64|.exch.b64}"
     " $0, [%a], $3; ld.global.b64 $1, [%a];",
     "dd<dd", 0, 0, 0},
    {"st.shared.b64 [%sa], $2; atom.shared{.add.u64|.min.u64|.max.s64|.xor.b64|.exch.b64} $0, "
     "[%sa], $3; ld.shared.b64 $1, [%sa];",
     "dd<dd", 0, 0, 0},
    {"st.global.b32 [%a], $2; atom.global.cas.b32 $0, [%a], {$2|$3}, $4; ld.global.b32 $1, [%a];",
     "rr<rrr", 0, 0, 0},
    {"st.shared.b64 [%sa], $2; atom.shared.cas.b64 $0, [%sa], {$2|$3}, $4; ld.shared.b64 $1, "
     "[%sa];",
     "dd<ddd", 0, 0, 0},
    {"st.global.b32 [%a], $2; atom.global.add.f32 $0, [%a], $3; ld.global.b32 $1, [%a];", "ff<ff",
     NANS, 0, 0},
    {"st.shared.b32 [%sa], $2; atom.shared.add.f32 $0, [%sa], $3; ld.shared.b32 $1, [%sa];",
     "ff<ff", NANS, 0, 0},
    {"st.global.b32 [%a], $1; red.global.add.f32 [%a], $2; ld.global.b32 $0, [%a];", "f<ff", NANS,
     0, 0},
    {"st.b32 [%a], $2; atom.add.f32 $0, [%a], $3; ld.b32 $1, [%a];", "ff<ff", NANS, 0, 0},
    {"cvt.u64.u32 %x0, %sa; cvta.shared.u64 %x0, %x0; st.b32 [%x0], $2; atom.add.f32 $0, [%x0], "
     "$3; ld.b32 $1, [%x0];",
     "ff<ff", NANS, 0, 0},
    {"st.global.v2.b32 [%a], {$4, $5}; atom.global.v2.f32.add {$0, $1}, [%a], {$6, $7}; "
     "ld.global.v2.b32 {$2, $3}, [%a];",
     "ffff<ffff", NANS, 0, 0},
    {"st.global.b16 [%a], $2; atom.global.add.noftz.f16 $0, [%a], $3; ld.global.b16 $1, [%a];",
     "kk<kk", NANS, 0, 0},
    {"st.global.b16 [%a], $2; atom.global.add.noftz.bf16 $0, [%a], $3; ld.global.b16 $1, [%a];",
     "bb<bb", NANS, 0, 0},
    {"st.global.b32 [%a], $2; atom.global.add.noftz.f16x2 $0, [%a], $3; ld.global.b32 $1, [%a];",
     "xx<xx", NANS, 0, 0},
    {"st.global.b32 [%a], $2; atom.global.add.noftz.bf16x2 $0, [%a], $3; ld.global.b32 $1, [%a];",
     "yy<yy", NANS, 0, 0},
    {"st.shared.b32 [%sa], $2; atom.shared.add.noftz.f16x2 $0, [%sa], $3; ld.shared.b32 $1, [%sa];",
     "xx<xx", NANS, 0, 0},
    {"st.global.v2.b32 [%a], {$4, $5}; atom.global.v2.f16x2{.add|.min|.max}.noftz {$0, $1}, [%a], "
     "{$6, $7}; ld.global.v2.b32 {$2, $3}, [%a];",
     "xxxx<xxxx", NANS, 0, 0},
    {"st.global.b64 [%a], $2; atom.global.add.f64 $0, [%a], $3; ld.global.b64 $1, [%a];", "gg<gg",
     NANS, 0, 0},
    {"st.global.b32 [%a], $1; red.global{.add.u32|.min.s32|.max.u32|.or.b32|.inc.u32|.dec.u32} "
     "[%a], $2; ld.global.b32 $0, [%a];",
     "r<rr", 0, 0, 0},
    /* approximations: the bound is twice the ISA's, the machine may err to the other side */
    {"rcp.approx{|.ftz}.f32", "w<w", APPROX, 2, 0},
    {"sqrt.approx{|.ftz}.f32", "w<w", APPROX, 3, 0},
    {"rsqrt.approx{|.ftz}.f32", "w<w", APPROX, 4, 0},
    {"{rcp|rsqrt}.approx.ftz.f64", "w<w", APPROX, 0x1p34, 0},
    {"rsqrt.approx.f64", "w<w", APPROX, 1024, 0}, /* no bound is stated: 512 was seen */
    {"div{.approx|.full}{|.ftz}.f32", "w<ww", APPROX, 4, 0},
    {"{sin|cos}.approx{|.ftz}.f32", "w<w", APPROX | SMALL, 0, 0x1p-19},
    {"lg2.approx{|.ftz}.f32", "w<w", APPROX, 4, 0x1p-21},
    {"ex2.approx{|.ftz}.f32", "w<w", APPROX, 4, 0},
    {"tanh.approx.f32", "w<w", APPROX, 0x1p14, 0},
    {"{ex2|tanh}.approx{.f16|.f16x2}", "w<w", APPROX, 3, 0},
    {"ex2.approx.ftz{.bf16|.bf16x2}", "w<w", APPROX, 2, 0},
    {"tanh.approx{.bf16|.bf16x2}", "w<w", APPROX, 2, 0},
};
