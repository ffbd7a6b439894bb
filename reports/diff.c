#include "program.h"
int verb_diff(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_USAGE;
}
