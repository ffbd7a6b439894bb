/* accuracy.html: one page that needs nothing else. The data are accuracy.json's, and the names of
 * the functions that the implementation lacks. */
#include "page.h"
#include "render.h"

#include <string.h>

/* Inside a script element, "</script" or "<!--" in a text would end or change it. */
static void write_data(FILE *stream, struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_NOSLASHESCAPE);
    for (; *text; text++) {
        if (*text == '<') {
            fputs("\\u003c", stream);
        } else {
            fputc(*text, stream);
        }
    }
}

static const struct page_file *find_file(const char *name, size_t length)
{
    for (size_t i = 0; i < page_file_count; i++) {
        if (strlen(page_files[i].name) == length &&
            strncmp(page_files[i].name, name, length) == 0) {
            return &page_files[i];
        }
    }
    return NULL;
}

static struct json_object *missing_functions(const struct report *report)
{
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < catalog_count; i++) {
        if (report_lacks(report, catalog[i])) {
            json_object_array_add(array, json_text(catalog[i]->name));
        }
    }
    return array;
}

static void write_place(FILE *stream, const char *name, size_t length, const struct report *report,
                        struct json_object *json)
{
    const struct page_file *file = find_file(name, length);
    if (file) {
        fwrite(file->text, 1, file->size, stream);
    } else if (strncmp(name, "missing", length) == 0) {
        struct json_object *missing = missing_functions(report);
        write_data(stream, missing);
        json_object_put(missing);
    } else {
        write_data(stream, json);
    }
}

void render_html(FILE *stream, const struct report *report, struct json_object *json)
{
    const char *text = (const char *)page_files[0].text;
    const char *end = text + page_files[0].size;
    while (text < end) {
        const char *open = memmem(text, (size_t)(end - text), "{{", 2);
        const char *close = open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;
        const char *stop = close ? open : end;
        fwrite(text, 1, (size_t)(stop - text), stream);
        if (close) {
            write_place(stream, open + 2, (size_t)(close - open - 2), report, json);
        }
        text = close ? close + 2 : end;
    }
}
