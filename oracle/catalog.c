#include "function.h"

#include <string.h>

#define FUNCTION(name) extern const struct function oracle_##name;
#include "catalog.def"
#undef FUNCTION

const struct function *const catalog[] = {
#define FUNCTION(name) &oracle_##name,
#include "catalog.def"
#undef FUNCTION
};

enum {
#define FUNCTION(name) POSITION_##name,
#include "catalog.def"
#undef FUNCTION
    FUNCTION_COUNT
};

const size_t catalog_count = FUNCTION_COUNT;

const struct function *catalog_find(const char *name)
{
    for (size_t i = 0; i < catalog_count; i++) {
        if (strcmp(catalog[i]->name, name) == 0) {
            return catalog[i];
        }
    }
    return NULL;
}
