/* SPDX-License-Identifier: MIT */
#include "tests/judge/laws.h"

enum {
    HUNT_CROSSLEY = LAW_HERTZ + 1,
    HERBERT_MCWHANNELL,
    LEE_WANG,
    LANKARANI_NIKRAVESH,
    GONTHIER,
    ZHIYING_QISHAO,
    HU_GUO,
    FLORES,
    WANG_LIU
};

const char *const law_names[LAWS] = {"hertz",
                                     "hunt-crossley",
                                     "herbert-mcwhannell",
                                     "lee-wang",
                                     "lankarani-nikravesh",
                                     "gonthier",
                                     "zhiying-qishao",
                                     "hu-guo",
                                     "flores",
                                     "wang-liu"};

const int law_powers[LAW_POWERS][2] = {{3, 2}, {5, 4}, {4, 3}, {9, 8}, {3, 2},
                                       {2, 1}, {5, 2}, {5, 3}, {8, 7}, {11, 5}};

double law_least_e(int law)
{
    return law == GONTHIER || law == HU_GUO || law == FLORES ? 0.3 : 0.05;
}

num law_damping(int law, num e)
{
    num one = r_si(1), loss = r_sub(one, e), square_loss = r_sub(one, r_square(e));
    switch (law) {
    case HUNT_CROSSLEY: return r_over(r_times(loss, 3), 2);
    case HERBERT_MCWHANNELL:
        return r_div(r_times(loss, 6), r_add(r_square(r_sub(r_times(e, 2), one)), r_si(3)));
    case LEE_WANG: return r_over(r_times(loss, 3), 4);
    case LANKARANI_NIKRAVESH: return r_over(r_times(square_loss, 3), 4);
    case GONTHIER: return r_div(square_loss, e);
    case ZHIYING_QISHAO:
    case WANG_LIU: return r_mul(r_over(r_times(square_loss, 3), 4), r_exp(r_times(loss, 2)));
    case HU_GUO: return r_div(r_over(r_times(loss, 3), 2), e);
    case FLORES: return r_div(r_over(r_times(loss, 8), 5), e);
    default: return r_si(0);
    }
}
