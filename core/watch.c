/* SPDX-License-Identifier: MIT */
#include "core/watch.h"

#include <string.h>

bool ic_same_guard(const ic_guard *a, const ic_guard *b)
{
    return a == b || (a->value == b->value && strcmp(a->name, b->name) == 0);
}

bool ic_same_watch(ic_watch a, ic_watch b)
{
    if (a.observer != NULL || b.observer != NULL) return a.observer == b.observer;
    return a.guard != NULL && b.guard != NULL && ic_same_guard(a.guard, b.guard);
}

bool ic_same_function(ic_watch a, ic_watch b)
{
    if (a.guard != NULL && b.guard != NULL) return a.guard->value == b.guard->value;
    return a.observer != NULL && b.observer != NULL &&
           a.observer->observer.value == b.observer->observer.value &&
           a.observer->context == b.observer->context;
}
