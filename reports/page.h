/* The parts of accuracy.html, and baseline.json, put into the program at build time by embed.cmake.
 */
#ifndef TRUELERP_REPORTS_PAGE_H
#define TRUELERP_REPORTS_PAGE_H

#include <stddef.h>

struct page_file {
    const char *name; /* "page.css" */
    const unsigned char *text;
    size_t size;
};

/* The first one is the page itself, where {{NAME}} stands for the file of that name. */
extern const struct page_file page_files[];
extern const size_t page_file_count;

#endif
