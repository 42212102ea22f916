/* lone_shapes.h - the shapes of lone_ops.def as code: part of the loop in lone.c, which has the
 * names used here. */
#define ONE1(name, D, A, expr)                                                                     \
  at_##name : NEEDS(KNOWN(i->a)) {                                                                 \
    A a = LANE(A, i->a);                                                                           \
    PUT(D, expr)                                                                                   \
  }
#define ONE2(name, D, A, B, expr)                                                                  \
  at_##name : NEEDS(KNOWN(i->a) & KNOWN(i->b)) {                                                   \
    A a = LANE(A, i->a);                                                                           \
    B b = LANE(B, i->b);                                                                           \
    PUT(D, expr)                                                                                   \
  }                                                                                                \
  at_##name##_RK : NEEDS(KNOWN(i->a)) {                                                            \
    A a = LANE(A, i->a);                                                                           \
    CONSTANT(B, b)                                                                                 \
    PUT(D, expr)                                                                                   \
  }                                                                                                \
  at_##name##_KR : NEEDS(KNOWN(i->b)) {                                                            \
    CONSTANT(A, a)                                                                                 \
    B b = LANE(B, i->b);                                                                           \
    PUT(D, expr)                                                                                   \
  }
#define ONE3(name, D, A, B, C, expr)                                                               \
  at_##name : NEEDS(KNOWN(i->a) & KNOWN(i->b) & KNOWN(i->c)) {                                     \
    A a = LANE(A, i->a);                                                                           \
    B b = LANE(B, i->b);                                                                           \
    C c = LANE(C, i->c);                                                                           \
    PUT(D, expr)                                                                                   \
  }                                                                                                \
  at_##name##_RKR : NEEDS(KNOWN(i->a) & KNOWN(i->c)) {                                             \
    A a = LANE(A, i->a);                                                                           \
    CONSTANT(B, b)                                                                                 \
    C c = LANE(C, i->c);                                                                           \
    PUT(D, expr)                                                                                   \
  }                                                                                                \
  at_##name##_RRK : NEEDS(KNOWN(i->a) & KNOWN(i->b)) {                                             \
    A a = LANE(A, i->a);                                                                           \
    B b = LANE(B, i->b);                                                                           \
    CONSTANT(C, c)                                                                                 \
    PUT(D, expr)                                                                                   \
  }
#define SETP(name, A, expr)                                                                        \
  at_##name : NEEDS(KNOWN(i->a) & KNOWN(i->b)) {                                                   \
    A a = LANE(A, i->a), b = LANE(A, i->b);                                                        \
    PUT_BIT((expr) ^ i->flags)                                                                     \
  }                                                                                                \
  at_##name##_RK : NEEDS(KNOWN(i->a)) {                                                            \
    A a = LANE(A, i->a);                                                                           \
    CONSTANT(A, b)                                                                                 \
    PUT_BIT((expr) ^ i->flags)                                                                     \
  }                                                                                                \
  at_##name##_KR : NEEDS(KNOWN(i->b)) {                                                            \
    CONSTANT(A, a)                                                                                 \
    A b = LANE(A, i->b);                                                                           \
    PUT_BIT((expr) ^ i->flags)                                                                     \
  }
#define PRED(name, sources, expr)                                                                  \
  at_##name : NEEDS(KNOWN(i->a) & KNOWN(i->b)) { /* b is a when there is one source */             \
    bool a = HAS_BIT(i->a), b = HAS_BIT(i->b);                                                     \
    (void)b;                                                                                       \
    PUT_BIT(expr)                                                                                  \
  }
/* Of two constants of up to 32 bits the first is the lower half of imm. */
#define SELP(name, T)                                                                              \
  at_##name : NEEDS(KNOWN(i->c)) {                                                                 \
    u32 chosen = HAS_BIT(i->c) ? i->a : i->b;                                                      \
    NEEDS(KNOWN(chosen))                                                                           \
    PUT(T, LANE(T, chosen))                                                                        \
  }                                                                                                \
  at_##name##_KK : NEEDS(KNOWN(i->c)) PUT(T, i->imm >> (HAS_BIT(i->c) ? 0 : 32))
#define SPECIAL(name)
