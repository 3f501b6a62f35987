/* Plays a little of each game. The README has the commands that build it. */
#include "bitcade.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns a call's result, or ends the program with its error text. */
static int64_t check(int64_t result) {
    if (result < 0) {
        fprintf(stderr, "tour: %s\n", bitcade_last_error());
        exit(1);
    }
    return result;
}

/* A game of 2048, played by the network. */
static void play_2048(void) {
    int64_t game = check(bitcade_2048_new(4, 4, 7));
    while (check(bitcade_2048_legal_moves(game)) != 0 && check(bitcade_2048_moves(game)) < 1000) {
        check(bitcade_2048_play(game, (uint32_t)check(bitcade_2048_evaluate(game, 1))));
    }
    check(bitcade_2048_board(game));
    printf("2048: %d points\n%s\n\n", (int)check(bitcade_2048_score(game)), bitcade_text());
    check(bitcade_free(game));
}

/* The first swap of a board of match-3. */
static void swap_match3(void) {
    int64_t game = check(bitcade_match3_new(8, 8, 6, 30, 7));
    check(bitcade_match3_legal_swaps(game));
    uint8_t swap[3];
    memcpy(swap, bitcade_buffer(0), sizeof swap);
    int points = (int)check(bitcade_match3_play(game, swap[0], swap[1], swap[2]));
    check(bitcade_match3_board(game));
    printf("match-3: the swap at (%d, %d) scores %d points\n%s\n\n", swap[0], swap[1], points,
           bitcade_text());
    check(bitcade_free(game));
}

/* The bot's first placement in a game of Tetris. */
static void place_tetris(void) {
    int64_t game = check(bitcade_tetris_new(7));
    uint32_t best = (uint32_t)check(bitcade_tetris_best(game, 5000));
    check(bitcade_tetris_turn_text(game, best));
    printf("Tetris: %s\n", bitcade_text());
    check(bitcade_tetris_play(game, best));
    check(bitcade_tetris_board(game));
    printf("%s\n\n", bitcade_text());
    check(bitcade_free(game));
}

/* The engine's first move on 9 x 9. */
static void move_go(void) {
    int64_t session = check(bitcade_gtp_new(500, 1, 1 << 16, 7));
    check(bitcade_gtp_line(session, bitcade_write_text("genmove b")));
    printf("Go: Black plays %s", bitcade_text());
    check(bitcade_gtp_line(session, bitcade_write_text("showboard")));
    printf("%s", bitcade_text());
    check(bitcade_free(session));
}

int main(void) {
    play_2048();
    swap_match3();
    place_tetris();
    move_go();
    return 0;
}
