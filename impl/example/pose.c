/* A character's pose from two clips, one fading into the other.
 *
 *     cc pose.c $(pkg-config --cflags --libs truelerp) -o pose && ./pose
 *
 * A clip has a track for the position, key by key a rotation for every bone, and a curve for the
 * eyelids. Everything that is built here lives in memory of the caller: the library allocates none.
 */
#include <truelerp.h>

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 4, BONES = 2 };

/* How closely a character is looked at: the order of its track. */
enum role { BACKGROUND = 1, SECONDARY = 2, MAIN = 3 };

struct clip {
    const char *name;
    double times[KEYS];
    double positions[KEYS][3];
    double rotations[KEYS][BONES][4]; /* x, y, z, w; any length but 0 will do */
    tl_key eyelid[3];                 /* 0 open, 1 shut */
    tl_wrap eyelid_after;
};

/* What is built of it. */
struct player {
    const struct clip *clip;
    tl_track_table position;
    tl_curve_table eyelid;
    double *memory;
};

struct pose {
    double position[3];
    double rotations[BONES][4];
};

/* Four steps, the spine swaying, an eye blinking every half second. */
static const struct clip walk = {
    "walk",
    {0, 0.5, 0.9, 1.5},
    {{0, 1, 0}, {0.6, 1.05, 0.02}, {1.1, 1, -0.02}, {1.8, 1.04, 0}},
    {{{0, 0, 0.05, 1}, {0.3, 0, 0, 1}},
     {{0, 0.1, -0.05, 1}, {-0.3, 0, 0, 1}},
     {{0, 0, 0.05, 1}, {0.3, 0, 0, 1}},
     {{0, -0.1, -0.05, 1}, {-0.3, 0, 0, 1}}},
    {{.time = 0, .value = 0},
     {.time = 0.1, .value = 1},
     {.time = 0.5, .value = 0, .in_weight = 0.8, .weighted_mode = TL_WEIGHTED_IN}},
    TL_LOOP,
};

/* Standing, an arm up, over the other side of the sphere of rotations and back; eyes half shut. */
static const struct clip wave = {
    "wave",
    {0, 0.4, 1, 1.5},
    {{1.2, 1, 0.1}, {1.2, 1.02, 0.1}, {1.25, 1, 0.12}, {1.3, 1, 0.1}},
    {{{0, 0, 0, 1}, {0, 0, 0, 1}},
     {{0, 0.2, 0, 1}, {0, 0, 0.7, 0.7}},
     {{0, 0.2, 0, 1}, {0, 0.3, 1, 0.1}},
     {{0, 0, 0, 1}, {0, 0, -0.7, -0.7}}},
    {{.time = 0, .value = 0.2, .out_tangent = 1},
     {.time = 1, .value = 0.6},
     {.time = 1.5, .value = 0.5}},
    TL_CLAMP,
};

/* From walk to wave, slowly at first and at the end. */
static const tl_key fade[] = {
    {.time = 0.3, .value = 0, .out_weight = 0.6, .weighted_mode = TL_WEIGHTED_OUT},
    {.time = 1.2, .value = 1},
};

static void check(const char *what, tl_status status, const size_t at[2])
{
    if (status == TL_OK) {
        return;
    }
    fprintf(stderr, "%s: %s", what, tl_status_text(status));
    for (int i = 0; i < 2 && at[i] != TL_NO_INDEX; i++) {
        fprintf(stderr, "%s %zu", i == 0 ? ": key" : " and", at[i]);
    }
    fputc('\n', stderr);
    exit(1);
}

static void play(struct player *player, const struct clip *clip, enum role role)
{
    const size_t eyelids = sizeof clip->eyelid / sizeof clip->eyelid[0];
    const size_t track_size = tl_track_size(role, KEYS, 3);
    size_t at[2];
    player->clip = clip;
    player->memory = malloc((track_size + tl_curve_size(eyelids)) * sizeof(double));
    if (!player->memory) {
        exit(1);
    }
    check(clip->name,
          tl_track_build(&player->position, role, clip->times, clip->positions[0], KEYS, 3,
                         player->memory, at),
          at);
    check(clip->name,
          tl_curve_build(&player->eyelid, clip->eyelid, eyelids, TL_CLAMP, clip->eyelid_after,
                         player->memory + track_size, at),
          at);
}

static void pose_at(const struct player *player, double t, struct pose *pose)
{
    const struct clip *clip = player->clip;
    tl_track(&player->position, t, pose->position);
    size_t key = 0;
    while (key + 2 < KEYS && t >= clip->times[key + 1]) {
        key++;
    }
    double share = (t - clip->times[key]) / (clip->times[key + 1] - clip->times[key]);
    for (size_t bone = 0; bone < BONES; bone++) {
        tl_slerp4(clip->rotations[key][bone], clip->rotations[key + 1][bone], share,
                  pose->rotations[bone]);
    }
}

static void blend(const struct pose *a, const struct pose *b, double weight, struct pose *result)
{
    for (size_t i = 0; i < 3; i++) {
        result->position[i] = tl_lerp(a->position[i], b->position[i], weight);
    }
    for (size_t bone = 0; bone < BONES; bone++) {
        tl_slerp4(a->rotations[bone], b->rotations[bone], weight, result->rotations[bone]);
    }
}

static void print_row(const struct player players[2], const tl_curve_table *weight, double t)
{
    struct pose from, to, pose;
    double w = tl_curve(weight, t);
    pose_at(&players[0], t, &from);
    pose_at(&players[1], t, &to);
    blend(&from, &to, w, &pose);
    printf("%5.2f  %5.3f  %6.3f %6.3f %6.3f ", t, w, pose.position[0], pose.position[1],
           pose.position[2]);
    for (size_t bone = 0; bone < BONES; bone++) {
        const double *q = pose.rotations[bone];
        printf(" %6.3f %6.3f %6.3f %6.3f ", q[0], q[1], q[2], q[3]);
    }
    printf(" %5.3f\n", tl_crossfade(&players[0].eyelid, &players[1].eyelid, t, w));
}

static void show(const char *title, enum role role)
{
    struct player players[2];
    tl_curve_table weight;
    double memory[64];
    size_t at[2];
    play(&players[0], &walk, role);
    play(&players[1], &wave, role);
    if (tl_curve_size(2) > sizeof memory / sizeof memory[0]) {
        exit(1);
    }
    check("fade", tl_curve_build(&weight, fade, 2, TL_CLAMP, TL_CLAMP, memory, at), at);
    printf("%s\n%5s  %5s  %6s %6s %6s  %27s  %27s  %5s\n", title, "t", "blend", "x", "y", "z",
           "spine  x, y, z, w", "arm  x, y, z, w", "lids");
    for (int frame = 0; frame <= 15; frame++) {
        print_row(players, &weight, frame / 10.0);
    }
    free(players[0].memory);
    free(players[1].memory);
}

int main(void)
{
    show("main character", MAIN);
    putchar('\n');
    show("background character: straight from key to key", BACKGROUND);
    return 0;
}
