/* Bad calls: each fails with an error text, and no game changes. Prints the number of calls. */
#include "bitcade.h"
#include <stdio.h>
#include <stdlib.h>

static int64_t game, wide, over, swaps, level, frost, tetris, topped, timed, bot, go;
static uint64_t state;
static int count;

/* Folds the text that a call wrote into the state. */
static void fold(int64_t length) {
    if (length < 0) {
        fprintf(stderr, "%s\n", bitcade_last_error());
        exit(1);
    }
    const char *text = bitcade_text();
    for (int64_t i = 0; i < length; i++) state = (state ^ (uint8_t)text[i]) * 1099511628211u;
}

static uint64_t state_of_all(void) {
    state = 0;
    fold(bitcade_2048_save(game));
    fold(bitcade_2048_save(wide));
    fold(bitcade_match3_save(swaps));
    fold(bitcade_match3_save(frost));
    fold(bitcade_tetris_save(tetris));
    fold(bitcade_tetris_save(topped));
    fold(bitcade_realtime_tick(timed, 0));
    fold(bitcade_gtp_line(go, bitcade_write_text("showboard")));
    return state;
}

static void expect(const char *call, const char *part, int has_failed, uint64_t before) {
    if (!has_failed || strstr(bitcade_last_error(), part) == NULL) {
        fprintf(stderr, "%s: %s\n", call, bitcade_last_error());
        exit(1);
    }
    if (state_of_all() != before) {
        fprintf(stderr, "%s: changed a game\n", call);
        exit(1);
    }
    count++;
}

/* A bad handle first, so that the error text is not that of the call before. */
#define FAILS(part, failure) \
    do { \
        uint64_t before = state_of_all(); \
        bitcade_free(0); \
        expect(#failure, part, failure, before); \
    } while (0)
#define REFUSED(part, call) FAILS(part, (call) == -1)
#define TEXT(text) bitcade_write_text(text)

/* Writes bytes that may hold zeros. */
static int64_t bytes(const char *data, size_t length) {
    memcpy(bitcade_buffer(length), data, length);
    return (int64_t)length;
}

/* Writes the network of the crate g2048. */
static int64_t network(void) {
    FILE *file = fopen("../g2048/src/network/builtin.net", "rb");
    if (file == NULL) exit(4);
    int64_t length = (int64_t)fread(bitcade_buffer(1 << 22), 1, 1 << 22, file);
    fclose(file);
    return length;
}

static void refuse_handles(void) {
    int64_t stale = bitcade_2048_new(4, 4, 1);
    if (bitcade_free(stale) != 0) exit(3);
    REFUSED("handle -1: none of this number, or freed", bitcade_free(-1));
    REFUSED("handle 9223372036854775807", bitcade_free(INT64_MAX));
    REFUSED("or freed", bitcade_free(stale));
    REFUSED("or freed", bitcade_stop(stale));
    REFUSED("or freed", bitcade_2048_board(stale));
    REFUSED("or freed", bitcade_2048_play(stale, BITCADE_LEFT));
    FAILS("or freed", bitcade_2048_value(stale, 0) != bitcade_2048_value(stale, 0));
    REFUSED("not a game of 2048", bitcade_2048_score(swaps));
    REFUSED("not a game of match-3", bitcade_match3_board(level));
    REFUSED("not a level of match-3", bitcade_match3_level_new(frost, 1));
    REFUSED("not a level of match-3", bitcade_match3_playtest(swaps, TEXT("random"), 1, 1));
    REFUSED("not a game of Tetris", bitcade_tetris_pieces(game));
    REFUSED("not a Go session", bitcade_gtp_line(bot, TEXT("name")));
    REFUSED("not a bot", bitcade_tbp_line(go, TEXT("{\"type\":\"stop\"}"), 1));
}

static void refuse_lengths(void) {
    FAILS("expected at most 16777216", bitcade_buffer(SIZE_MAX) == NULL);
    FAILS("16777217 bytes", bitcade_buffer((1 << 24) + 1) == NULL);
    REFUSED("-1 bytes", bitcade_2048_from_board(TEXT(NULL), 1));
    REFUSED("-9223372036854775808 bytes", bitcade_2048_from_board(INT64_MIN, 1));
    REFUSED("the thread's buffer has", bitcade_match3_level(INT64_MAX));
    REFUSED("1000000 bytes", bitcade_gtp_line(go, 1000000));
    REFUSED("-5 bytes", bitcade_tbp_line(bot, -5, 1));
}

static void refuse_texts(void) {
    REFUSED("invalid utf-8", bitcade_2048_from_board(TEXT("2 \xff"), 1));
    REFUSED("invalid utf-8", bitcade_match3_level(TEXT("name = \"\xc3\"")));
    REFUSED("utf-8", bitcade_match3_playtest(level, TEXT("\x80"), 1, 1));
    REFUSED("utf-8", bitcade_tbp_line(bot, TEXT("\xed\xa0\x80"), 1));
    REFUSED("line 1, column 3", bitcade_2048_from_board(TEXT("2 6\n. 2"), 1));
    REFUSED("column", bitcade_2048_from_board(bytes("2 \0\n2 2", 7), 1));
    REFUSED("line", bitcade_2048_from_board(TEXT(""), 1));
    REFUSED("line 2, column 1: expected", bitcade_2048_read(TEXT("2 4\n3 99")));
    REFUSED("line 4, column 1: expected the board after",
            bitcade_2048_read(TEXT("2 2\n2 2\n\n4 8\n2 2")));
    REFUSED("2048-sml", bitcade_2048_read_network(TEXT("no network")));
    REFUSED("v115@", bitcade_fumen_decode(TEXT("v114@vhAAgH")));
    REFUSED("missing field `board`", bitcade_fumen_encode(TEXT("[{}]")));
    REFUSED("missing field `game`", bitcade_2048_resume(TEXT("{}")));
    REFUSED("line 1 column", bitcade_match3_resume(TEXT("[]")));
    REFUSED("EOF", bitcade_tetris_resume(TEXT("{\"game\":")));
    REFUSED("unknown field", bitcade_2048_resume(TEXT("{\"gamer\":1}")));
    REFUSED("field `specials`", bitcade_match3_level_resume(level, bitcade_2048_save(game)));
    REFUSED("line 1, column 11", bitcade_match3_level(TEXT("version = 9")));
    REFUSED("found \"genius\"", bitcade_match3_playtest(level, TEXT("genius"), 1, 1));
    REFUSED("missing field `move`", bitcade_tbp_line(bot, TEXT("{\"type\":\"play\"}"), 1));
}

static void refuse_numbers(void) {
    REFUSED("2", bitcade_2048_new(1, 4, 1));
    REFUSED("8", bitcade_2048_new(4, UINT32_MAX, 1));
    REFUSED("direction 4: expected 0 to 3", bitcade_2048_play(game, 4));
    REFUSED("expected a direction in which a tile moves", bitcade_2048_play(game, BITCADE_LEFT));
    REFUSED("depth 0: expected 1 to 8", bitcade_2048_evaluate(game, 0));
    REFUSED("depth 9", bitcade_2048_evaluate(game, 9));
    REFUSED("a board of 5x3: the network is for 4x4", bitcade_2048_evaluate(wide, 1));
    REFUSED("the game is over", bitcade_2048_evaluate(over, 1));
    FAILS("not evaluated", bitcade_2048_value(game, 1) != bitcade_2048_value(game, 1));
    int64_t played = bitcade_2048_new(4, 4, 1);
    uint32_t best = (uint32_t)bitcade_2048_evaluate(played, 1);
    bitcade_2048_play(played, best);
    FAILS("not evaluated", bitcade_2048_value(played, best) != bitcade_2048_value(played, best));
    REFUSED("a network is already in use", bitcade_2048_read_network(network()));
    FAILS("direction 7", bitcade_2048_value(game, 7) != bitcade_2048_value(game, 7));
    REFUSED("17", bitcade_match3_new(17, 8, 6, 30, 1));
    REFUSED("colors", bitcade_match3_new(8, 8, 2, 30, 1));
    REFUSED("colors", bitcade_match3_new(8, 8, 300, 30, 1));
    REFUSED("(99, 0) is outside the board", bitcade_match3_play(swaps, 99, 0, 0));
    REFUSED("outside", bitcade_match3_play(frost, UINT32_MAX, UINT32_MAX, 1));
    REFUSED("goal 9", bitcade_match3_goal_text(frost, 9));
    REFUSED("goal 0", bitcade_match3_goal_text(swaps, 0));
    REFUSED("not a game of match-3", bitcade_match3_layers(level));
    REFUSED("down 2", bitcade_match3_play(swaps, 0, 0, 2));
    REFUSED("goal 99", bitcade_match3_goal_left(frost, 99));
    REFUSED("goal 0", bitcade_match3_goal_left(swaps, 0));
    REFUSED("no clock", bitcade_match3_spend(swaps, 1));
    REFUSED("turn 9999: the game has", bitcade_tetris_play(tetris, 9999));
    REFUSED("turn 4294967295", bitcade_tetris_turn_text(tetris, UINT32_MAX));
    REFUSED("turn 9999", bitcade_tetris_keys(tetris, 9999));
    REFUSED("0 nodes", bitcade_tetris_rank(tetris, 0));
    REFUSED("the game is over", bitcade_tetris_rank(topped, 10));
    REFUSED("item 1", bitcade_contest_replay(bitcade_write_text("D19")));
    REFUSED("0 nodes", bitcade_tetris_perfect_clear(tetris, 4, 0));
    REFUSED("undecided after 3 placements", bitcade_tetris_perfect_clear(tetris, 4, 3));
    REFUSED("key 7: expected 0 to 6", bitcade_realtime_key(timed, 7, 1));
    REFUSED("3601 ticks: expected at most 3600", bitcade_realtime_tick(timed, 3601));
    REFUSED("column below 10, found 10", bitcade_realtime_receive(timed, 1, 10));
    REFUSED("not a real-time game of Tetris", bitcade_realtime_tick(tetris, 1));
    REFUSED("turn 0: the game has 0", bitcade_tetris_play(topped, 0));
    REFUSED("column below 10, found 10", bitcade_tetris_receive(tetris, 1, 10));
    REFUSED("found 255", bitcade_tetris_receive(tetris, 1, 256));
    REFUSED("the game is over", bitcade_tetris_receive(topped, 1, 0));
    REFUSED("0 nodes: expected 1 to 4000000", bitcade_tetris_best(tetris, 0));
    REFUSED("18446744073709551615 nodes", bitcade_tetris_best(tetris, UINT64_MAX));
    REFUSED("the game is over", bitcade_tetris_best(topped, 10));
    REFUSED("0 nodes", bitcade_tbp_line(bot, TEXT("{\"type\":\"suggest\"}"), 0));
    REFUSED("0 playouts", bitcade_gtp_new(0, 1, 0, 1));
    REFUSED("nodes: expected at most 67108864", bitcade_gtp_new(1, 1, UINT32_MAX, 1));
}

int main(void) {
    game = bitcade_2048_from_board(TEXT("2 4 8 2\n4 8 2 4\n2 4 8 2\n. . . ."), 1);
    wide = bitcade_2048_new(5, 3, 1);
    over = bitcade_2048_from_board(TEXT("2 4 2 4\n4 2 4 2\n2 4 2 4\n4 2 4 2"), 1);
    swaps = bitcade_match3_new(8, 8, 6, 30, 1);
    level = bitcade_match3_level(TEXT("version = 1\ncolors = 4\nmoves = 20\n"
        "goals = [{ score = 500 }]\npieces = '''\n\?\?\?\?\n\?\?\?\?\n\?\?\?\?\n\?\?\?\?'''\n"));
    frost = bitcade_match3_level_new(level, 1);
    tetris = bitcade_tetris_new(1);
    topped = bitcade_tetris_new(2);
    while (bitcade_tetris_is_over(topped) == 0) bitcade_tetris_play(topped, 0);
    timed = bitcade_realtime_new(1);
    bot = bitcade_tbp_new();
    go = bitcade_gtp_new(10, 1, 4096, 1);
    refuse_handles();
    refuse_lengths();
    refuse_texts();
    refuse_numbers();
    printf("%d\n", count);
    return 0;
}
