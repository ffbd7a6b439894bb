/* The fuzz target of the program's command lines. The first byte chooses a verb, the others are its
 * arguments, a line each.
 *
 * A verb reads its arguments by program_parse and then does its work. The linker puts the function
 * below in its place (--wrap), which reads them in the same way and then comes back here, so that
 * no verb gets to work: nothing is opened, written or run. What would end the program, such as
 * argp_error, comes back as well. */
#include "guide.h"
#include "parser.h"

#include "../reports/program.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void __wrap_program_parse(const struct argp *argp, const char *verb, int argc, char **argv,
                          void *input) __attribute__((noreturn));
void __wrap_argp_error(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void __wrap_argp_failure(const struct argp_state *state, int status, int error, const char *format,
                         ...) __attribute__((format(printf, 4, 5), noreturn));
void __wrap_argp_usage(const struct argp_state *state) __attribute__((noreturn));
void __wrap_argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags)
    __attribute__((noreturn));
void __wrap___argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags)
    __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));
_Noreturn void __real_exit(int status);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__real_open_memstream(char **text, size_t *size);
int __wrap_fclose(FILE *stream);
int __real_fclose(FILE *stream);

enum { ARGUMENTS_MOST = 64, MESSAGE_MOST = 512 };

static int (*const verbs[])(int argc, char **argv) = {
#define VERB(name) verb_##name,
    VERBS
#undef VERB
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

/* How a command line was taken. */
struct reception {
    bool parsed; /* it came to program_parse */
    bool refused;
    char message[MESSAGE_MOST]; /* argp_error's; "" where argp itself refuses */
};

static struct reception *reception; /* of the command line at hand; NULL between two */
static const struct argp *asked;    /* the verb's own */
static jmp_buf back, out_of_parser;

__attribute__((noinline)) static void command_line_goes_on(void)
{
    abort();
}

__attribute__((noinline)) static void command_line_without_reason(void)
{
    abort();
}

__attribute__((noinline)) static void command_line_differs(void)
{
    abort();
}

/* Out of the parser of a verb, back into argp, which then frees what is its own. */
static _Noreturn void refuse(const char *format, va_list arguments)
{
    vsnprintf(reception->message, sizeof reception->message, format, arguments);
    reception->refused = true;
    longjmp(out_of_parser, 1);
}

void __wrap_argp_error(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;
    (void)state;
    va_start(arguments, format);
    refuse(format, arguments);
}

void __wrap_argp_failure(const struct argp_state *state, int status, int error, const char *format,
                         ...)
{
    va_list arguments;
    (void)state;
    (void)status;
    (void)error;
    va_start(arguments, format);
    refuse(format, arguments);
}

static _Noreturn void refuse_with(const char *message)
{
    snprintf(reception->message, sizeof reception->message, "%s", message);
    reception->refused = true;
    longjmp(out_of_parser, 1);
}

void __wrap_argp_usage(const struct argp_state *state)
{
    (void)state;
    refuse_with("usage");
}

void __wrap_argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags)
{
    (void)state;
    (void)stream;
    (void)flags;
    refuse_with("usage");
}

void __wrap___argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags)
{
    (void)state;
    (void)stream;
    (void)flags;
    refuse_with("usage");
}

void __wrap_exit(int status)
{
    if (!reception) {
        __real_exit(status);
    }
    refuse_with("exit");
}

/* A verb may have made texts of its arguments, which it would free after its work. */
enum { TEXTS_MOST = 4 };
static struct {
    FILE *stream;
    char **variable; /* of the verb's, as long as the stream is open */
    char *text;
} texts[TEXTS_MOST];
static size_t text_count;

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    FILE *stream = __real_open_memstream(text, size);
    if (reception && text_count < TEXTS_MOST) {
        texts[text_count].stream = stream;
        texts[text_count++].variable = text;
    }
    return stream;
}

int __wrap_fclose(FILE *stream)
{
    int status = __real_fclose(stream);
    for (size_t i = 0; reception && i < text_count; i++) {
        if (texts[i].stream == stream) {
            texts[i].text = *texts[i].variable;
            texts[i].stream = NULL;
        }
    }
    return status;
}

static void free_texts(void)
{
    while (text_count > 0) {
        free(texts[--text_count].text);
        texts[text_count].text = NULL;
    }
}

static error_t guarded_parser(int key, char *argument, struct argp_state *state)
{
    return setjmp(out_of_parser) ? EINVAL : asked->parser(key, argument, state);
}

void __wrap_program_parse(const struct argp *argp, const char *verb, int argc, char **argv,
                          void *input)
{
    char name[32];
    struct argp guarded = *argp;
    snprintf(name, sizeof name, "truelerp %s", verb);
    argv[0] = name;
    asked = argp;
    guarded.parser = guarded_parser;
    reception->parsed = true;
    reception->refused = argp_parse(&guarded, argc, argv,
                                    ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input) != 0;
    longjmp(back, 1);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    parser_create("command_line");
    return 0;
}

static int split_lines(char *text, char **arguments)
{
    int count = 1;
    while (text && count < ARGUMENTS_MOST) {
        arguments[count++] = strsep(&text, "\n");
    }
    arguments[count] = NULL;
    return count;
}

static void read_command_line(size_t verb, const uint8_t *data, size_t size, struct reception *how)
{
    char *volatile text = parser_copy(data, size);
    static char name[] = "verb";
    char *arguments[ARGUMENTS_MOST + 1] = {name};
    *how = (struct reception){.parsed = false};
    reception = how;
    if (!setjmp(back)) {
        verbs[verb](split_lines(text, arguments), arguments);
    }
    reception = NULL;
    free_texts();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reception first, second;
    size_t verb = size > 0 ? data[0] % VERB_COUNT : 0;
    const uint8_t *rest = size > 0 ? data + 1 : data;
    size_t length = size > 0 ? size - 1 : 0;
    parser_run();
    read_command_line(verb, rest, length, &first);
    parser_check(first.parsed, "a verb reads its arguments before all else", rest, length,
                 command_line_goes_on);
    parser_check(!first.refused || first.message[0] != '\0' || length > 0,
                 "what is refused is refused for a reason", rest, length,
                 command_line_without_reason);
    read_command_line(verb, rest, length, &second);
    parser_check(first.refused == second.refused && strcmp(first.message, second.message) == 0,
                 "the same command line is taken in the same way", rest, length,
                 command_line_differs);
    guide_show_kind((unsigned)verb * 2 + first.refused);
    parser_judged();
    return 0;
}
