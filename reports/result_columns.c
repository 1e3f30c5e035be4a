/* SPDX-License-Identifier: MIT */
#include "reports/result_columns.h"
#include "reports/lines.h"

const ic_result_column ic_result_columns[IC_RESULT_COLUMNS] = {
#define IC_RESULT_TEXT(name_, size_, presence_, places_, title_, meaning_)                                     \
    {#name_, IC_COLUMN_TEXT, presence_, places_, "", title_, meaning_},
#define IC_RESULT_NUMBER(name_, unit_, presence_, places_, title_, meaning_)                                   \
    {#name_, IC_COLUMN_NUMBER, presence_, places_, unit_, title_, meaning_},
#define IC_RESULT_VERDICT(name_, presence_, places_, title_, meaning_)                                         \
    {#name_, IC_COLUMN_VERDICT, presence_, places_, "", title_, meaning_},
#include "reports/result_columns.def"
};

int ic_result_column_after(int i, unsigned place)
{
    do i++;
    while (i < IC_RESULT_COLUMNS && (ic_result_columns[i].places & place) == 0);
    return i;
}

static json_t *column_schema(const ic_result_column *column)
{
    static const char *const types[] = {[IC_COLUMN_TEXT] = "#/$defs/text",
                                        [IC_COLUMN_NUMBER] = "#/$defs/number",
                                        [IC_COLUMN_VERDICT] = "#/$defs/verdict"};
    json_t *schema = json_pack("{s:s, s:s}", "$ref", types[column->type], "description", column->meaning);
    if (column->presence == IC_NEVER_EMPTY) json_object_set_new(schema, "minLength", json_integer(1));
    if (column->presence == IC_WITH_TIMES) json_object_set_new(schema, "minimum", json_integer(0));
    return schema;
}

json_t *ic_result_schema(void)
{
    json_t *schema = json_loads(ic_report_embedded("verify.schema.json"), 0, NULL);
    json_t *row = json_object_get(json_object_get(schema, "$defs"), "row");
    json_t *required = json_object_get(row, "required"), *properties = json_object_get(row, "properties");
    bool good = true;
    for (int i = 0; i < IC_RESULT_COLUMNS && good; i++) {
        const ic_result_column *column = &ic_result_columns[i];
        good = json_object_set_new(properties, column->name, column_schema(column)) == 0;
        if (good && (column->presence == IC_ALWAYS || column->presence == IC_NEVER_EMPTY))
            good = json_array_append_new(required, json_string(column->name)) == 0;
    }
    if (good) return schema;
    json_decref(schema);
    return NULL;
}
