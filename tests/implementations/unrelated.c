/* A shared object that has none of the functions. */
int unrelated(void);

int unrelated(void)
{
    return 1;
}
