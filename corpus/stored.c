#include "stored.h"

#include <string.h>

const struct stored_file *stored_cases(const struct function *function)
{
    for (size_t i = 0; i < stored_file_count; i++) {
        if (strcmp(stored_files[i].name, function->name) == 0) {
            return &stored_files[i];
        }
    }
    return NULL;
}
