/* Random games of Connect Four on bitboards: the floor that the compiled rules are measured against. */
#include <stdint.h>

static uint64_t state;

static inline uint64_t bits(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline int won(uint64_t b)
{
    static const int steps[4] = {1, 7, 6, 8};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = b & (b >> steps[i]);
        if (pairs & (pairs >> 2 * steps[i]))
            return 1;
    }
    return 0;
}

/* Plays n games and returns the sum of the first player's scores. */
int64_t playouts(uint64_t seed, int64_t n)
{
    int64_t total = 0;
    state = seed;
    for (int64_t i = 0; i < n; i++) {
        uint64_t mine = 0, all = 0;
        for (int stones = 0; stones < 42; stones++) {
            int column;
            do
                column = (int)(((bits() >> 32) * 7) >> 32);
            while ((all >> (column * 7 + 5)) & 1);
            uint64_t after = all | (all + (UINT64_C(1) << (column * 7)));
            uint64_t moved = mine ^ after ^ all;
            mine ^= all;
            all = after;
            if (won(moved)) {
                total += stones & 1 ? -1 : 1;
                break;
            }
        }
    }
    return total;
}
