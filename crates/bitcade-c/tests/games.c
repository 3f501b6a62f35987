/* Plays each game to its end and prints what happened. main.rs plays the same games in Rust. The
 * argument is a level file. */
#include "bitcade.h"
#include <stdio.h>
#include <stdlib.h>

static int64_t check(int64_t result) {
    if (result < 0) {
        fprintf(stderr, "%s\n", bitcade_last_error());
        exit(1);
    }
    return result;
}

static void print(const char *name, int64_t number) {
    printf("%s %.0f\n", name, (double)check(number));
}

/* Prints the text that a call wrote. */
static void print_text(const char *name, int64_t length) {
    check(length);
    printf("%s %s\n", name, bitcade_text());
}

/* Passes what the last call wrote on to the next one. */
static int64_t passed_on(int64_t length) {
    return check(length);
}

static void play_2048(void) {
    int64_t game = check(bitcade_2048_new(5, 3, 2048));
    int64_t legal;
    while ((legal = check(bitcade_2048_legal_moves(game))) != 0) {
        uint32_t direction = 0;
        while (!(legal >> direction & 1)) direction++;
        check(bitcade_2048_play(game, direction));
    }
    print_text("board", bitcade_2048_board(game));
    print("score", bitcade_2048_score(game));
    print("moves", bitcade_2048_moves(game));
    check(bitcade_free(game));

    game = check(bitcade_2048_from_board(bitcade_write_text("2 4\n. 8\n"), 1));
    int64_t bytes = check(bitcade_2048_ranks(game));
    for (int64_t i = 0; i < bytes; i++) print("rank", bitcade_buffer(0)[i]);
    print("playout", bitcade_2048_play_out(game));
    check(bitcade_free(game));

    int64_t boards = check(bitcade_2048_read(bitcade_write_text("[[2,2],[0,0]] [[4,0],[0,2]]")));
    printf("boards %d:", (int)boards);
    for (int i = 0; i < 12; i++) printf(" %d", bitcade_buffer(0)[i]);
    printf("\n");

    game = check(bitcade_2048_new(4, 4, 7));
    for (int i = 0; i < 60; i++) {
        uint32_t best = (uint32_t)check(bitcade_2048_evaluate(game, 1 + i % 2));
        printf("value %.3f\n", bitcade_2048_value(game, best));
        check(bitcade_2048_play(game, best));
        if (i == 30) {
            int64_t copy = check(bitcade_2048_resume(passed_on(bitcade_2048_save(game))));
            check(bitcade_free(game));
            game = copy;
        }
    }
    print_text("network", bitcade_2048_board(game));
    check(bitcade_free(game));
}

static void play_match3(void) {
    int64_t game = check(bitcade_match3_new(9, 7, 5, 20, 7));
    int64_t swaps;
    while ((swaps = check(bitcade_match3_legal_swaps(game))) != 0) {
        const uint8_t *last = bitcade_buffer(0) + 3 * (swaps - 1);
        print("points", bitcade_match3_play(game, last[0], last[1], last[2]));
        if (check(bitcade_match3_limit_left(game)) == 9) {
            int64_t copy = check(bitcade_match3_resume(passed_on(bitcade_match3_save(game))));
            check(bitcade_free(game));
            game = copy;
        }
    }
    print_text("board", bitcade_match3_board(game));
    print("score", bitcade_match3_score(game));
    print("outcome", bitcade_match3_outcome(game));
    print("cell", check(bitcade_match3_cells(game)) * 100 + bitcade_buffer(0)[0]);
    check(bitcade_free(game));
}

static void play_level(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) exit(2);
    uint8_t *buffer = bitcade_buffer(1 << 16);
    int64_t length = (int64_t)fread(buffer, 1, 1 << 16, file);
    fclose(file);
    int64_t level = check(bitcade_match3_level(length));
    print("won", bitcade_match3_playtest(level, bitcade_write_text("human"), 20, 3));
    printf("report %s\n", bitcade_text());

    int64_t game = check(bitcade_match3_level_new(level, 5));
    while (check(bitcade_match3_outcome(game)) == BITCADE_RUNNING) {
        check(bitcade_match3_legal_swaps(game));
        const uint8_t *first = bitcade_buffer(0);
        check(bitcade_match3_play(game, first[0], first[1], first[2]));
        printf("events\n%s", bitcade_text());
        int64_t saved = passed_on(bitcade_match3_save(game));
        int64_t copy = check(bitcade_match3_level_resume(level, saved));
        check(bitcade_free(game));
        game = copy;
    }
    print_text("board", bitcade_match3_board(game));
    print("score", bitcade_match3_score(game));
    print("outcome", bitcade_match3_outcome(game));
    print("goal", bitcade_match3_goal_left(game, 0));
    print_text("target", bitcade_match3_goal_text(game, 0));
    int64_t layers = check(bitcade_match3_layers(game));
    int sum = 0;
    for (int64_t i = 0; i < layers; i++) sum += bitcade_buffer(0)[i];
    printf("layers %d in %d\n", sum, (int)layers);
    print("bytes", bitcade_match3_cells(game));
    print("clock", bitcade_match3_spend(game, 1));
    check(bitcade_free(level));
    check(bitcade_free(game));
}

static void play_tetris(void) {
    int64_t game = check(bitcade_tetris_new(7));
    for (int i = 0; i < 30; i++) {
        uint32_t best = (uint32_t)check(bitcade_tetris_best(game, 300));
        print_text("turn", bitcade_tetris_turn_text(game, best));
        if (i == 0) {
            print_text("keys", bitcade_tetris_keys(game, best));
            print("perfect clear", bitcade_tetris_perfect_clear(game, UINT32_MAX, 1000000));
            print("ranked", bitcade_tetris_rank(game, 300));
            printf("first %d\n", atoi(strstr(bitcade_text(), "\"turn\":") + 7) == (int)best);
        }
        check(bitcade_tetris_play(game, best));
        printf("result %s\n", bitcade_text());
    }
    print_text("queue", bitcade_tetris_queue(game));
    print("held", bitcade_tetris_held(game));
    print("entered", bitcade_tetris_receive(game, 2, 9));
    int64_t copy = check(bitcade_tetris_resume(passed_on(bitcade_tetris_save(game))));
    check(bitcade_free(game));
    while (!check(bitcade_tetris_is_over(copy))) {
        int64_t turns = check(bitcade_tetris_legal_turns(copy));
        const uint8_t *last = bitcade_buffer(0) + BITCADE_TURN_BYTES * (turns - 1);
        for (int i = 0; i < BITCADE_TURN_BYTES; i++) printf("%d ", (int8_t)last[i]);
        print("lines", bitcade_tetris_play(copy, (uint32_t)turns - 1));
    }
    print_text("board", bitcade_tetris_board(copy));
    print("pieces", bitcade_tetris_pieces(copy));
    check(bitcade_free(copy));
}

static void play_in_real_time(void) {
    int64_t game = check(bitcade_realtime_new(7));
    check(bitcade_realtime_receive(game, 2, 3));
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t key = i % 7;
        check(bitcade_realtime_key(game, key, 1));
        check(bitcade_realtime_tick(game, 5));
        check(bitcade_realtime_key(game, key, 0));
    }
    print_text("screen", bitcade_realtime_tick(game, 0));
    check(bitcade_free(game));
}

static void read_fumens(void) {
    int64_t pages = passed_on(bitcade_fumen_decode(bitcade_write_text("v115@vhAVQJ")));
    print_text("fumen", bitcade_fumen_encode(pages));
}

static void replay_the_contest(void) {
    int64_t pieces = check(bitcade_contest_replay(bitcade_write_text("N,D19,N,L2,D3")));
    const uint8_t *bytes = bitcade_buffer(0);
    uint64_t sum = 0;
    for (int64_t i = 0; i < 48 * pieces; i++) {
        sum = sum * 31 + bytes[i];
    }
    printf("contest %lld %llu\n", (long long)pieces, (unsigned long long)sum);
}

static void talk_to_the_bot(void) {
    int64_t bot = check(bitcade_tbp_new());
    char start[8192] = "{\"type\":\"start\",\"queue\":[\"T\",\"I\",\"S\"],\"board\":[";
    for (int i = 0; i < 400; i++) {
        strcat(start, i % 10 == 0 ? i == 0 ? "[null" : "],[null" : ",null");
    }
    strcat(start, "]]}");
    print_text("info", bitcade_tbp_info());
    print_text("rules", bitcade_tbp_line(bot, bitcade_write_text("{\"type\":\"rules\"}"), 1));
    print_text("start", bitcade_tbp_line(bot, bitcade_write_text(start), 1));
    int64_t length = bitcade_write_text("{\"type\":\"suggest\"}");
    print_text("suggest", bitcade_tbp_line(bot, length, 500));
    check(bitcade_free(bot));
}

static void play_go(void) {
    int64_t session = check(bitcade_gtp_new(60, 1, 4096, 7));
    const char *lines[] = {"boardsize 5", "komi 0.5", "lz-analyze b 10", "# a remark"};
    for (int i = 0; i < 4; i++) {
        print_text(lines[i], bitcade_gtp_line(session, bitcade_write_text(lines[i])));
    }
    for (int i = 0; i < 80; i++) {
        const char *line = i % 2 == 0 ? "genmove b" : "genmove w";
        print_text(line, bitcade_gtp_line(session, bitcade_write_text(line)));
    }
    print_text("end", bitcade_gtp_line(session, bitcade_write_text("final_score\r\n")));
    check(bitcade_free(session));
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    play_2048();
    play_match3();
    play_level(arguments[1]);
    play_tetris();
    play_in_real_time();
    read_fumens();
    replay_the_contest();
    talk_to_the_bot();
    play_go();
    print_text("digest", bitcade_2048_digest());
    print_text("digest", bitcade_match3_digest());
    print_text("digest", bitcade_tetris_digest());
    print_text("digest", bitcade_tetris_ai_digest());
    print_text("digest", bitcade_go_digest());
    print_text("version", bitcade_version());
    print_text("level", bitcade_isa_level());
    return 0;
}
