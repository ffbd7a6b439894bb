#include "deck.h"
#include "encode.h"

#include "../corpus/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 4096, DRAWS_MOST = 100 * CARDS, BYTES_MOST = 1 << 16 };

struct card {
    uint8_t *bytes;
    size_t size;
};

static struct card cards[CARDS];
static size_t card_count;

static void prepare(const struct function *function, size_t most)
{
    static uint8_t bytes[BYTES_MOST];
    const struct domains *domains = domains_of(function);
    struct values inputs = {0};
    most = most < sizeof bytes ? most : sizeof bytes;
    for (uint64_t number = 0; number < DRAWS_MOST && card_count < CARDS; number++) {
        draw_case(1, function, &domains->list[domains->typical], number, &inputs);
        size_t size = encode_case(function, &inputs, bytes, most);
        uint8_t *copy = size > 0 ? malloc(size) : NULL;
        if (copy) {
            memcpy(copy, bytes, size);
            cards[card_count++] = (struct card){copy, size};
        }
    }
    values_free(&inputs);
    if (card_count == 0) {
        fprintf(stderr, "%s: no everyday case takes only %zu bytes\n", function->name, most);
        exit(2);
    }
}

size_t deck_deal(const struct function *function, uint8_t *data, size_t most)
{
    static size_t next;
    if (card_count == 0) {
        prepare(function, most);
    }
    const struct card *card = &cards[next++ % card_count];
    size_t size = card->size < most ? card->size : most;
    memcpy(data, card->bytes, size);
    return size;
}
