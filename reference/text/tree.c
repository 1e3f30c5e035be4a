/* SPDX-License-Identifier: MIT */
/* Memory, and YAML as a tree. */
#include "reference/text/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 32, MOST_BYTES = 1 << 20 };

void ic_text_refuse(ic_text_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error->text, sizeof r->error->text, format, arguments);
    va_end(arguments);
    longjmp(r->refused, 1);
}

void *ic_text_take(ic_text_reader *r, size_t n, size_t size)
{
    if (n >= (size_t)MOST_BYTES * 16 / size) ic_text_refuse(r, "the text needs too much memory");
    void **block = calloc(1, sizeof(void *) * 2 + n * size);
    if (block == NULL) flint_abort(); /* like FLINT, without memory */
    block[0] = r->blocks;
    r->blocks = block;
    return block + 2;
}

const char *ic_text_copy(ic_text_reader *r, const char *text, size_t length)
{
    char *copy = ic_text_take(r, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

static void *take_pointers(ic_text_reader *r, size_t n)
{
    return ic_text_take(r, n, sizeof(void *));
}

static ic_text_tree *tree_of(ic_text_reader *r, yaml_document_t *document, int number, int depth)
{
    ic_text_tree *tree = ic_text_take(r, 1, sizeof *tree);
    const yaml_node_t *node = yaml_document_get_node(document, number);
    if (node == NULL || depth > DEEPEST || ++r->work > MOST_BYTES)
        ic_text_refuse(r, "the text is nested too deeply");
    if (node->type == YAML_SCALAR_NODE) {
        tree->text = ic_text_copy(r, (const char *)node->data.scalar.value, node->data.scalar.length);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *from = node->data.sequence.items.start, *to = node->data.sequence.items.top;
        tree->items = take_pointers(r, (size_t)(to - from) + 1);
        for (; from < to; from++) tree->items[tree->n++] = tree_of(r, document, *from, depth + 1);
    } else {
        const yaml_node_pair_t *from = node->data.mapping.pairs.start, *to = node->data.mapping.pairs.top;
        tree->keys = take_pointers(r, (size_t)(to - from) + 1);
        tree->items = take_pointers(r, (size_t)(to - from) + 1);
        for (; from < to; from++) {
            tree->keys[tree->n] = tree_of(r, document, from->key, depth + 1)->text;
            if (tree->keys[tree->n] == NULL) ic_text_refuse(r, "a key is not a text");
            tree->items[tree->n++] = tree_of(r, document, from->value, depth + 1);
        }
    }
    return tree;
}

ic_text_tree *ic_text_tree_read(ic_text_reader *r, const char *text)
{
    yaml_parser_t parser;
    yaml_document_t document;
    const size_t size = strlen(text);
    if (size > MOST_BYTES) ic_text_refuse(r, "the text is too long");
    if (!yaml_parser_initialize(&parser)) flint_abort();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const bool good = yaml_parser_load(&parser, &document);
    /* libyaml does not name every lack of memory as one */
    if (parser.error == YAML_MEMORY_ERROR || (!good && parser.error == YAML_NO_ERROR)) flint_abort();
    yaml_parser_delete(&parser);
    if (!good) ic_text_refuse(r, "the text is not YAML");
    /* A refusal must not leave libyaml's memory behind. */
    jmp_buf outer;
    memcpy(&outer, &r->refused, sizeof outer);
    ic_text_tree *volatile tree = NULL;
    if (setjmp(r->refused) == 0) tree = tree_of(r, &document, 1, 0);
    yaml_document_delete(&document);
    memcpy(&r->refused, &outer, sizeof outer);
    if (tree == NULL) longjmp(r->refused, 1);
    r->work = 0;
    return tree;
}

const ic_text_tree *ic_text_get(const ic_text_tree *mapping, const char *key)
{
    for (size_t i = 0; mapping != NULL && mapping->keys != NULL && i < mapping->n; i++) {
        if (strcmp(mapping->keys[i], key) == 0) return mapping->items[i];
    }
    return NULL;
}

bool ic_text_equals(const ic_text_tree *tree, const char *text)
{
    return tree != NULL && tree->text != NULL && strcmp(tree->text, text) == 0;
}

const ic_text_tree *ic_text_merge(ic_text_reader *r, const ic_text_tree *base, const ic_text_tree *over)
{
    bool all = true;
    if (base == NULL || base->keys == NULL || over->keys == NULL) return over;
    ic_text_tree *merged = ic_text_take(r, 1, sizeof *merged);
    merged->keys = take_pointers(r, base->n + over->n + 1);
    merged->items = take_pointers(r, base->n + over->n + 1);
    for (size_t i = 0; i < base->n; i++) all = all && ic_text_get(over, base->keys[i]) != NULL;
    for (size_t i = 0; i < base->n + over->n; i++) {
        const bool first = i < base->n;
        const char *key = first ? base->keys[i] : over->keys[i - base->n];
        const ic_text_tree *old = ic_text_get(base, key), *new = ic_text_get(over, key);
        if ((first ? all : !all && old != NULL) || ic_text_equals(new, "none")) continue;
        merged->keys[merged->n] = key;
        merged->items[merged->n++] = (ic_text_tree *)(new == NULL ? old : ic_text_merge(r, old, new));
    }
    return merged;
}
