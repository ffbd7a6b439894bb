#include "gate_result.h"

#include <stdlib.h>
#include <string.h>

struct gate_check *gate_add_check(struct gate *gate, const char *stage, const char *function,
                                  const char *domain)
{
    gate->checks = program_grown(gate->checks, gate->check_count, sizeof *gate->checks);
    struct gate_check *check = &gate->checks[gate->check_count++];
    *check = (struct gate_check){.stage = stage};
    snprintf(check->function, sizeof check->function, "%s", function);
    snprintf(check->domain, sizeof check->domain, "%s", domain);
    return check;
}

struct gate_finding *gate_add_finding(struct gate_check *check, const char *kind,
                                      enum exit_code exit_code, const char *text, char *command)
{
    check->findings = program_grown(check->findings, check->finding_count, sizeof *check->findings);
    struct gate_finding *finding = &check->findings[check->finding_count++];
    *finding = (struct gate_finding){.kind = kind,
                                     .exit_code = exit_code,
                                     .text = text ? strdup(text) : NULL,
                                     .command = command};
    return finding;
}

void gate_set_differences(struct gate_finding *finding, const struct difference *differences,
                          size_t count)
{
    finding->differences = reallocarray(NULL, count, sizeof *differences);
    if (!finding->differences) {
        complain("not enough memory");
        exit(EXIT_UNTRUSTED);
    }
    memcpy(finding->differences, differences, count * sizeof *differences);
    finding->difference_count = count;
}

void gate_free(struct gate *gate)
{
    for (size_t i = 0; i < gate->check_count; i++) {
        struct gate_check *check = &gate->checks[i];
        for (size_t k = 0; k < check->finding_count; k++) {
            free(check->findings[k].text);
            free(check->findings[k].differences);
            free(check->findings[k].command);
        }
        free(check->findings);
        free(check->skipped);
    }
    for (size_t i = 0; i < gate->stage_count; i++) {
        free(gate->stages[i].skipped);
    }
    free(gate->checks);
    gate->checks = NULL;
    gate->check_count = 0;
    gate->stage_count = 0;
}

enum exit_code gate_check_exit(const struct gate_check *check)
{
    enum exit_code exit_code = EXIT_WITHIN;
    for (size_t i = 0; i < check->finding_count; i++) {
        exit_code = exit_worse(exit_code, check->findings[i].exit_code);
    }
    return exit_code;
}

size_t gate_count(const struct gate *gate, enum exit_code exit_code)
{
    size_t count = 0;
    for (size_t i = 0; i < gate->check_count; i++) {
        const struct gate_check *check = &gate->checks[i];
        for (size_t k = 0; k < check->finding_count; k++) {
            count += check->findings[k].exit_code == exit_code;
        }
    }
    return count;
}

void gate_write_difference(FILE *stream, const struct difference *difference)
{
    fprintf(stream, "%s %s -> %s (%s)", difference->figure, difference->before, difference->now,
            change_name(difference->change));
}

void gate_print_difference(FILE *stream, const struct difference *difference)
{
    fprintf(stream, "  %-14s %s -> %s (%s)\n", difference->figure, difference->before,
            difference->now, change_name(difference->change));
}

void gate_write_finding(FILE *stream, const struct gate_finding *finding)
{
    const char *separator = "";
    if (finding->text) {
        fputs(finding->text, stream);
        separator = ": ";
    }
    for (size_t i = 0; i < finding->difference_count; i++) {
        fputs(separator, stream);
        gate_write_difference(stream, &finding->differences[i]);
        separator = ", ";
    }
}
