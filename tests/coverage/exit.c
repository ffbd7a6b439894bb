/* In builds that count coverage: processes that end by _exit, as the report's workers and the
 * shelter of a foreign library do, write their counters first. This definition comes before the C
 * library's own. */
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void); /* gcc's own: NOLINT(bugprone-reserved-identifier) */

void _exit(int code) /* NOLINT(readability-inconsistent-declaration-parameter-name) */
{
    __gcov_dump();
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}
