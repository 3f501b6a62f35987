/*
 * bitcade.h: 2048, match-3, Tetris and Go engines, as a C library.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * RESULTS. A function returns a number from 0 on, or -1 if it failed. A failed call changes no
 * game, and bitcade_last_error() says why it failed. The few functions that differ say so.
 *
 * HANDLES. Games, levels and sessions are numbers from 1 on. No number is used twice, so a call
 * with a freed handle fails. bitcade_free() frees every kind.
 *
 * THE BUFFER. Texts and bytes pass through a buffer that the library owns, one for each thread.
 *
 *   in:   bitcade_buffer(n) returns the buffer, with room for n bytes. Write there, then pass the
 *         length to the function that reads the text. bitcade_write_text() does it for a C string:
 *
 *             int64_t game = bitcade_2048_from_board(bitcade_write_text("2 4\n. 8"), seed);
 *
 *   out:  A function that "writes" puts text or bytes at the start of the calling thread's buffer,
 *         with a zero after them, and returns their length unless it says otherwise.
 *         bitcade_text() returns them as a C string:
 *
 *             if (bitcade_2048_board(game) >= 0) puts(bitcade_text());
 *
 * The buffer may move when a function writes or when bitcade_buffer() makes room, and it ends with
 * its thread. So keep no pointer into it: copy, or ask again. Only write to as many bytes as you
 * asked for. Texts are UTF-8; lines of GTP may be any bytes.
 *
 * THREADS. Any thread may use any handle. Calls with different handles run at the same time, those
 * with one handle one after the other. bitcade_stop() ends a long call from another thread.
 *
 * RESULTS REPEAT. The same seed and the same calls give the same game on every machine. Only a Go
 * session with several threads may vary, and a call that was stopped.
 */
#ifndef BITCADE_H
#define BITCADE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The library ---------------------------------------------------------------------------- */

/* Returns the calling thread's buffer, with room for `length` bytes and a zero: at most 2^24. What
 * it holds stays. Returns NULL if that is too much. */
uint8_t *bitcade_buffer(size_t length);

/* Returns the error text of the thread's last failed call, "" before the first one. It stays valid
 * until the thread's next failed call; calls that succeed keep it. */
const char *bitcade_last_error(void);

/* Frees a handle. A call that another thread has begun with it goes on to its end. */
int64_t bitcade_free(int64_t handle);

/* Tells the running call of a handle to end soon, from another thread. A search for a move of Go or
 * of the protocol bot answers with the best move so far; other calls fail with "stopped". A call
 * that starts later is not affected. */
int64_t bitcade_stop(int64_t handle);

/* Writes the version of the library, such as 0.1.0. */
int64_t bitcade_version(void);

/* Writes the name of the instruction set level that the engines run on, such as x86-64-v3. */
int64_t bitcade_isa_level(void);

/* ---- 2048 ----------------------------------------------------------------------------------- */

/* The directions. */
enum { BITCADE_LEFT = 0, BITCADE_RIGHT = 1, BITCADE_UP = 2, BITCADE_DOWN = 3 };

/* Starts a game on a board from 2 x 2 to 8 x 8, with two tiles. Returns its handle. */
int64_t bitcade_2048_new(uint32_t width, uint32_t height, uint64_t seed);

/* Starts a game from the text of a board: a line for each row, tiles separated by spaces, `.` for
 * an empty cell. Returns its handle. */
int64_t bitcade_2048_from_board(int64_t length, uint64_t seed);

/* Reads a board, or the boards of a game in order, in the forms in which people post them: rows,
 * lists, tables, one line of tiles, one digit for each rank. Writes bytes: the width, the height,
 * then for each board its cells as bitcade_2048_ranks() does and the moves that lead to the next
 * one as bitcade_2048_legal_moves() does, 0 after the last. A board that is posted twice in a row
 * counts once. Returns the number of boards. */
int64_t bitcade_2048_read(int64_t length);

/* Goes on with a game that bitcade_2048_save() wrote. Returns its handle. */
int64_t bitcade_2048_resume(int64_t length);

/* Writes the game as JSON, with its random generator. */
int64_t bitcade_2048_save(int64_t game);

/* Writes the board as text. */
int64_t bitcade_2048_board(int64_t game);

/* Writes a byte for each cell, row by row: 0 if it is empty, 1 for a 2, 2 for a 4, 3 for an 8 .. */
int64_t bitcade_2048_ranks(int64_t game);

/* Returns the legal moves: bit d is set if direction d is legal. 0 if the game is over. */
int64_t bitcade_2048_legal_moves(int64_t game);

/* Plays a move; a new tile appears. Returns the points it scored. */
int64_t bitcade_2048_play(int64_t game, uint32_t direction);

/* Plays random moves until the game is over. Returns the score. */
int64_t bitcade_2048_play_out(int64_t game);

/* Returns the score. */
int64_t bitcade_2048_score(int64_t game);

/* Returns the number of moves played. */
int64_t bitcade_2048_moves(int64_t game);

/* Reads a network file for 4 x 4 boards, as `bitcade 2048 train --small` writes it, for the
 * evaluations of all threads. Fails if one is already in use: one that was read, or the built-in
 * one after the first evaluation. A library without a built-in network needs it. */
int64_t bitcade_2048_read_network(int64_t length);

/* Evaluates the legal moves of a 4 x 4 game by expectimax search and the network, `depth` moves
 * ahead: 1 to 8; 2 takes some ten microseconds, 3 some hundred, 4 some milliseconds. Returns
 * the best direction. Fails if the game is over. */
int64_t bitcade_2048_evaluate(int64_t game, uint32_t depth);

/* Returns the points to expect after a move, as the last bitcade_2048_evaluate() of this position
 * found. NaN if it failed: an illegal move, or no evaluation. */
double bitcade_2048_value(int64_t game, uint32_t direction);

/* ---- Match-3 -------------------------------------------------------------------------------- */

/* How a game ended. */
enum {
    BITCADE_RUNNING = 0,
    BITCADE_WON = 1,
    BITCADE_OUT_OF_MOVES = 2,
    BITCADE_OUT_OF_TIME = 3,
    BITCADE_DEAD = 4 /* no swap is legal, and none could be made */
};

/* Starts a game of points: a board up to 16 x 16, 3 to 15 colors, a number of moves. Returns its
 * handle. */
int64_t bitcade_match3_new(uint32_t width, uint32_t height, uint32_t colors, uint32_t moves,
                           uint64_t seed);

/* Goes on with a game of points that bitcade_match3_save() wrote. Returns its handle. */
int64_t bitcade_match3_resume(int64_t length);

/* Reads the text of a level file: docs/level-files.md describes it. Returns the level's handle. An
 * error says the line and column. */
int64_t bitcade_match3_level(int64_t length);

/* Starts a game of a level. Returns its handle. The level may be freed before the game. */
int64_t bitcade_match3_level_new(int64_t level, uint64_t seed);

/* Goes on with a game of this level that bitcade_match3_save() wrote. Returns its handle. */
int64_t bitcade_match3_level_resume(int64_t level, int64_t length);

/* Lets an agent play games 0, 1, .. of a seed. The text is its name: random, greedy, careful,
 * human, or human:N,RATE. Returns the number of games it won, and writes a report as JSON: the
 * moves needed, the scores, what goals lacked, and more. */
int64_t bitcade_match3_playtest(int64_t level, int64_t length, uint32_t games, uint64_t seed);

/* Writes the game as JSON, with its random generator; a game of a level without the level. */
int64_t bitcade_match3_save(int64_t game);

/* Writes the pieces as text: a line for each row, 1-9 and a-z for colors, `!` before a piece with a
 * lock or ice, `.` for empty cells, `#` for crates, walls, voids and items. */
int64_t bitcade_match3_board(int64_t game);

/* Writes a byte for each cell, row by row: the color of a piece, plus 16, 32, 48, 64 or 80 for a
 * row, column, bomb, color or square piece, plus 128 with a lock or ice; 16 for a wall, 32 for a
 * void, 48 for a crate, 64 for an item; 0 for an empty cell. */
int64_t bitcade_match3_cells(int64_t game);

/* Writes two bytes for each cell, row by row: the layers of its crate or ice, and of its jelly. */
int64_t bitcade_match3_layers(int64_t game);

/* Writes the legal swaps, three bytes each: x, y, and 0 if the other cell is to the right, 1 if it
 * is below. Returns their number; 0 if the game is over. */
int64_t bitcade_match3_legal_swaps(int64_t game);

/* Swaps the piece at (x, y), from the upper left, with the one to the right (`down` 0) or below
 * (`down` 1), and plays the cascade. Returns its points. In a game of a level, writes what
 * happened, an event per line, to animate it. */
int64_t bitcade_match3_play(int64_t game, uint32_t x, uint32_t y, uint32_t down);

/* Returns the score. */
int64_t bitcade_match3_score(int64_t game);

/* Returns the number of moves left; of seconds in a level with a clock. */
int64_t bitcade_match3_limit_left(int64_t game);

/* Returns how much a goal of the level lacks, 0 if it is reached. Goals count from 0. */
int64_t bitcade_match3_goal_left(int64_t game, uint32_t goal);

/* Writes what a goal of the level counts: `score`, `color N`, `locked`, `jelly`, `crates`, `ice`,
 * `items`, `set off` or `made`. */
int64_t bitcade_match3_goal_text(int64_t game, uint32_t goal);

/* Counts seconds in a level with a clock. Returns the limit left. */
int64_t bitcade_match3_spend(int64_t game, uint32_t seconds);

/* Returns how the game ended, BITCADE_RUNNING if it goes on. */
int64_t bitcade_match3_outcome(int64_t game);

/* ---- Tetris --------------------------------------------------------------------------------- */

/* The bytes of a turn, as bitcade_tetris_legal_turns() writes it. */
enum {
    BITCADE_TURN_HOLD = 0,        /* 1 to hold the piece in play first */
    BITCADE_TURN_PIECE = 1,       /* I 0, O 1, T 2, S 3, Z 4, J 5, L 6 */
    BITCADE_TURN_ORIENTATION = 2, /* north 0, east 1, south 2, west 3 */
    BITCADE_TURN_X = 3,           /* the piece's center, from the left */
    BITCADE_TURN_Y = 4,           /* .. and from the floor */
    BITCADE_TURN_SPIN = 5,        /* none 0, mini 1, full 2 */
    BITCADE_TURN_CELLS = 6,       /* x and y of the four cells */
    BITCADE_TURN_BYTES = 14
};

/* Starts a game by the guideline: a bag of seven pieces, a preview of five, a hold. Returns its
 * handle. */
int64_t bitcade_tetris_new(uint64_t seed);

/* Goes on with a game that bitcade_tetris_save() wrote. Returns its handle. */
int64_t bitcade_tetris_resume(int64_t length);

/* Writes the game as JSON, with its random generator. */
int64_t bitcade_tetris_save(int64_t game);

/* Writes the board as text: a line for each row from the highest with a cell, `#` and `.`. */
int64_t bitcade_tetris_board(int64_t game);

/* Writes the letters of the piece in play and of the preview. */
int64_t bitcade_tetris_queue(int64_t game);

/* Returns the letter of the held piece, 0 without one. */
int64_t bitcade_tetris_held(int64_t game);

/* Writes the legal turns, BITCADE_TURN_BYTES each: every reachable place of the piece in play, then
 * of the piece after a hold. Returns their number; 0 if the game is over. */
int64_t bitcade_tetris_legal_turns(int64_t game);

/* Writes a legal turn, by its number from 0, as text: `hold T south 4 1 full`. */
int64_t bitcade_tetris_turn_text(int64_t game, uint32_t turn);

/* Writes the keys of a legal turn from the spawn to the lock, with blanks between them: `hold`,
 * `left`, `right`, `cw`, `ccw`, `soft-drop` (one row), `hard-drop`. */
int64_t bitcade_tetris_keys(int64_t game, uint32_t turn);

/* Plays a legal turn, by its number from 0. Returns the number of lines it cleared, and writes the
 * clear, the attack and the end of the game as JSON. */
int64_t bitcade_tetris_play(int64_t game, uint32_t turn);

/* Receives lines of garbage with a hole in a column from 0 to 9; they wait for a turn without a
 * clear. Returns how many entered at once. */
int64_t bitcade_tetris_receive(int64_t game, uint32_t lines, uint32_t column);

/* Returns the number of pieces locked. */
int64_t bitcade_tetris_pieces(int64_t game);

/* Returns 1 if the game is over, 0 if not. */
int64_t bitcade_tetris_is_over(int64_t game);

/* Lets the bot search `nodes` placements: 1 to 4,000,000; 5,000 take about a millisecond. Returns
 * the number of the turn it chooses. Fails if the game is over. */
int64_t bitcade_tetris_best(int64_t game, uint64_t nodes);

/* Lets the bot search `nodes` placements, as bitcade_tetris_best(). Writes a JSON list of turns,
 * best first: the number of each, the pieces that its lookahead reaches, and its value there in
 * hundredths of a line. Returns how many. Fails if the game is over. */
int64_t bitcade_tetris_rank(int64_t game, uint64_t nodes);

/* Searches for a perfect clear of at most `lines` by the known pieces, trying 1 to 4,000,000
 * placements. Writes the numbers of its turns, each among the legal ones of its time, as a JSON
 * list. Returns how many, or 0 if these pieces make none. Fails if it is undecided by then. */
int64_t bitcade_tetris_perfect_clear(int64_t game, uint32_t lines, uint64_t nodes);

/* Replays a record of the contest of 2021. Writes 48 bytes for each piece, in little-endian order:
 * the score in 8, then the twenty rows of the board from the top in 2 each, bit 0 = column 0.
 * Returns the number of pieces. */
int64_t bitcade_contest_replay(int64_t length);

/* Reads a fumen, also as a link or inside other text. Writes a JSON list of its pages: the board as
 * text, the piece that locks, its cells, the comment. */
int64_t bitcade_fumen_decode(int64_t length);

/* Reads such a list and writes the fumen. Cells may be missing. */
int64_t bitcade_fumen_encode(int64_t length);

/* The keys of a real-time game. */
enum {
    BITCADE_KEY_LEFT = 0,
    BITCADE_KEY_RIGHT = 1,
    BITCADE_KEY_SOFT_DROP = 2,
    BITCADE_KEY_HARD_DROP = 3,
    BITCADE_KEY_CW = 4,
    BITCADE_KEY_CCW = 5,
    BITCADE_KEY_HOLD = 6
};

/* Starts an endless game in real time, 60 ticks a second. Returns its handle. */
int64_t bitcade_realtime_new(uint64_t seed);

/* Presses a key, or releases it if `down` is 0. It acts in the next tick. */
int64_t bitcade_realtime_key(int64_t game, uint32_t key, uint32_t down);

/* Receives lines of garbage with a hole in a column from 0 to 9. */
int64_t bitcade_realtime_receive(int64_t game, uint32_t lines, uint32_t column);

/* Runs up to 3,600 ticks, also none, and writes as JSON what a screen shows: the board, the piece
 * in play and its ghost with their cells, next and held pieces, score, lines, level, the lines sent
 * during these ticks, the garbage that waits, and whether the game is over. */
int64_t bitcade_realtime_tick(int64_t game, uint32_t ticks);

/* Starts a session of the Tetris Bot Protocol. Returns its handle. */
int64_t bitcade_tbp_new(void);

/* Writes the bot's first message, `info`. */
int64_t bitcade_tbp_info(void);

/* Reads a message, one JSON object, and writes the answer; nothing if it has none. Before the
 * answer to `suggest`, the bot searches `nodes` placements: 1 to 4,000,000. After an unreadable
 * message, which is an error, the session has no game until the next `start`. */
int64_t bitcade_tbp_line(int64_t session, int64_t length, uint64_t nodes);

/* ---- Go ------------------------------------------------------------------------------------- */

/* Starts a session of the Go Text Protocol, version 2, with a game on 9 x 9. A move takes
 * `playouts` playouts from 1 on, on `threads` threads (0 and 1: one), in a tree of up to
 * `max_nodes` nodes of 32 bytes (0: 2^22; at most 2^26). Returns its handle. */
int64_t bitcade_gtp_new(uint64_t playouts, uint32_t threads, uint32_t max_nodes, uint64_t seed);

/* Reads a line of the protocol, with or without its line ending, and writes the response: `= ..` or
 * `? ..`, with its empty line; nothing for a line without a command. A refused command is a
 * response, not a failure. An analysis is one report. There is no clock and no file: `loadsgf` is
 * refused, `time_settings` have no effect. */
int64_t bitcade_gtp_line(int64_t session, int64_t length);

/* ---- Digests -------------------------------------------------------------------------------- */

/* Each writes 16 hexadecimal digits: the results of a fixed workload of some seconds at most, the
 * same on every machine and in every build of a version. */
int64_t bitcade_2048_digest(void);
int64_t bitcade_match3_digest(void);
int64_t bitcade_tetris_digest(void);
int64_t bitcade_tetris_ai_digest(void);
int64_t bitcade_go_digest(void);

#ifdef __cplusplus
}
#endif

/* ---- Helpers, not in the library ------------------------------------------------------------ */

/* Copies a C string to the thread's buffer. Returns its length, for the function that reads it. */
static inline int64_t bitcade_write_text(const char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    uint8_t *buffer = bitcade_buffer(length);
    if (text == NULL || buffer == NULL) return -1;
    memcpy(buffer, text, length);
    return (int64_t)length;
}

/* Returns what the thread's last call wrote, as a C string. It ends at the first zero byte. */
static inline const char *bitcade_text(void) {
    const char *text = (const char *)bitcade_buffer(0);
    return text == NULL ? "" : text;
}

#endif
