/* truelerp draw: cases of a domain as CSV, the same that `truelerp report` draws. */
#include "program.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *function;
    const char *domain;
    uint64_t seed, first, count;
    bool decimal;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 's':
        request->seed = option_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case 'c':
        request->first = option_number(state, "--case", argument, 0, UINT64_MAX);
        return 0;
    case 'n':
        request->count = option_number(state, "--count", argument, 1, UINT64_MAX);
        return 0;
    case 'd':
        request->decimal = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            argp_error(state, "one domain at a time: '%s' is too much", argument);
        }
        *(state->arg_num == 0 ? &request->function : &request->domain) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->domain) {
            argp_error(state, "which function and domain? (truelerp list shows them)");
        }
        if (request->first > UINT64_MAX - request->count) {
            argp_error(state, "there is no case beyond %" PRIu64, UINT64_MAX);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct domain *domain_named(const struct function *function, const char *name)
{
    const struct domain *domain = domain_find(function, name);
    if (domain) {
        return domain;
    }
    const struct domains *domains = domains_of(function);
    complain("%s has no domain '%s'", function->name, name);
    fputs("Domains:", stderr);
    for (size_t i = 0; i < domains->count; i++) {
        fprintf(stderr, " %s", domains->list[i].name);
    }
    fputc('\n', stderr);
    return NULL;
}

int verb_draw(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"case", 'c', "I", 0, "The first case's number (default 0)", 0},
        {"count", 'n', "N", 0, "How many (default 1)", 0},
        {"seed", 's', "S", 0, "Seed (default 1, as of report)", 0},
        {"decimal", 'd', NULL, 0, "The shortest decimal that reads back, not hexadecimal", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "FUNCTION DOMAIN",
        "Writes cases of a domain as CSV, for `truelerp eval FUNCTION -` or for tests elsewhere.",
        NULL,
        NULL,
        NULL};
    struct request request = {.seed = 1, .count = 1};
    program_parse(&argp, "draw", argc, argv, &request);
    if (program_environment() != EXIT_WITHIN) {
        return EXIT_UNTRUSTED;
    }
    const struct function *function = program_function(request.function);
    const struct domain *domain = function ? domain_named(function, request.domain) : NULL;
    if (!domain) {
        return EXIT_USAGE;
    }
    struct values inputs = {0};
    case_write_header(stdout, function);
    putchar('\n');
    for (uint64_t i = 0; i < request.count && !ferror(stdout); i++) {
        draw_case(request.seed, function, domain, request.first + i, &inputs);
        case_write(stdout, function, &inputs, !request.decimal);
        putchar('\n');
    }
    values_free(&inputs);
    return EXIT_WITHIN;
}
