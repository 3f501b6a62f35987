/* One thread searches without an end while another one plays a game with another handle, then stops
 * the search. */
#define _POSIX_C_SOURCE 200809L
#include "bitcade.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int64_t session;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_done;
static char answer[64];
static const char *first_error = "nothing";

static int done(void) {
    pthread_mutex_lock(&lock);
    int result = is_done;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *search(void *unused) {
    (void)unused;
    /* The other thread's failure is not this one's. */
    if (bitcade_last_error()[0] != 0) first_error = bitcade_last_error();
    if (bitcade_gtp_line(session, bitcade_write_text("genmove b")) > 0) {
        strncpy(answer, bitcade_text(), sizeof answer - 1);
    }
    pthread_mutex_lock(&lock);
    is_done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    /* Ends the program if a call waits for the search, or the search for nothing. */
#ifndef _WIN32
    alarm(120);
#endif
    session = bitcade_gtp_new(UINT64_MAX, 1, 4096, 1);
    int64_t game = bitcade_2048_new(4, 4, 1);
    bitcade_free(0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, search, NULL) != 0) return 2;
    for (int i = 0; i < 200 && !done(); i++) {
        if (bitcade_2048_play(game, (uint32_t)bitcade_2048_evaluate(game, 1)) < 0) return 3;
    }
    printf("200 moves during the search: %s\n", done() ? "no" : "yes");
    bitcade_2048_board(game);
    char before[256] = "";
    strncpy(before, bitcade_text(), sizeof before - 1);
    /* A stop before the search begins has no effect. */
    while (!done()) bitcade_stop(session);
    pthread_join(thread, NULL);
    printf("own buffer: %s\n", strcmp(before, bitcade_text()) == 0 ? "yes" : "no");
    printf("own error: %s\n", first_error);
    printf("answer: %.2s\n", answer);
    return 0;
}
